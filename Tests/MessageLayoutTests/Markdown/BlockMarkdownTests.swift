import MessageLayout
import TestSupport
import Testing

@Test(arguments: [
    ("see\nyou", ["see\nyou"]), ("see\n\n\nyou\n", ["see", "you"]), ("  see\n you", ["  see\n you"]),
    ("see\r\nyou\r\n\r\nat", ["see\nyou", "at"]), ("see \t\n \nyou", ["see \t", "you"]),
])
func `a newline is kept, and a blank line starts a paragraph`(source: String, blocks: [String]) {
    #expect(shown(source) == blocks)
}

@Test(arguments: [
    ("# see *you*", ["h1 see <i>you</i>"]), ("###### see ## ", ["h6 see"]),
    ("see\n## you\nat", ["see", "h2 you", "at"]),
    ("####### see", ["####### see"]), ("#see", ["#see"]), ("#", ["#"]), ("# #", ["h1 #"]), ("# see#", ["h1 see#"]),
])
func `headings have one to six levels and a text`(source: String, blocks: [String]) {
    #expect(shown(source) == blocks)
}

@Test(arguments: [
    ("- a\n- b", ["  - a", "  - b"]), ("* a\n+ b", ["  - a", "  - b"]), ("1. a\n2) b", ["  1. a", "  2. b"]),
    ("3. a\n5. b", ["  3. a", "  5. b"]), ("- a\n  - b\n    - c\n- d", ["  - a", "    - b", "      - c", "  - d"]),
    ("1. a\n  - b\n2. c", ["  1. a", "    - b", "  2. c"]), ("- a\n\t- b", ["  - a", "    - b"]),
    ("- a\n  b\n\n  c\nd", ["  - a\nb", "  c", "d"]), ("a\n- b\nc", ["a", "  - b", "c"]),
    ("- a\n\n- b", ["  - a", "  - b"]), (" 9. a\n10. b", ["  9. a", "  10. b"]), ("- - a", ["  - - a"]),
    ("- **a**\n  *b*", ["  - <b>a</b>\n<i>b</i>"]),
])
func `items nest by their indentation`(source: String, blocks: [String]) {
    #expect(shown(source) == blocks)
}

@Test(arguments: ["-", "- ", "-a", "1.", "1.5", "1234567890. a", "*a", "1986\\. b", "we were\n14. all of us", "---"])
func `what has no text behind its marker is no item`(source: String) {
    #expect(!MarkdownBlock.parse(source).contains { if case .item = $0.kind { true } else { false } })
}

@Test(arguments: [
    ("> see\n> you\nat", ["> see\nyou", "at"]), (">> see\n> you", ["> > see", "> you"]),
    ("> > see", ["> > see"]), ("> see\n>\n> you", ["> see", "> you"]), ("see\n> you", ["see", "> you"]),
    ("> - a\n>   - b\n> # c", [">   - a", ">     - b", "> h1 c"]), ("> ```\n> a\n> ```\nb", ["> code() a", "b"]),
    ("> **see\n> you**", ["> <b>see\nyou</b>"]),
])
func `quotes nest, and end where their markers end`(source: String, blocks: [String]) {
    #expect(shown(source) == blocks)
}

@Test(arguments: [">", ">_<", ">:(", ">>=", ">see"])
func `a quote has a space behind its marker`(source: String) {
    #expect(shown(source) == [source])
}

@Test(arguments: [
    ("```swift\nlet *a*\n\n  b\n```\nc", ["code(swift) let *a*\n\n  b", "c"]), ("~~~\n```\n~~~", ["code() ```"]),
    ("````\n```\n````", ["code() ```"]), ("```\na\n``\n", ["code() a\n``"]), ("a\n```\nb\n```", ["a", "code() b"]),
    ("- a\n  ```sh title\n  b\n   c\n  ```", ["  - a", "  code(sh) b\n c"]), ("a\n```\n```\nb", ["a", "code() ", "b"]),
    ("```\r\na\r\n\r\nb\r\n```", ["code() a\n\nb"]), ("> ```\n> a\nb", ["> code() a", "b"]),
    ("```a```", ["<code>a</code>"]),
])
func `fenced code is as written, to its fence or the end`(source: String, blocks: [String]) {
    #expect(shown(source) == blocks)
}

@Test(arguments: ["", " ", "\n\n", "```", "```\n```", "> ", "~~~ swift\n"])
func `a text that would show nothing is shown as it was written`(source: String) {
    #expect(MarkdownBlock.parse(source) == MarkdownBlock.plain(source))
}

@Test func `a plain text is one paragraph, whatever stands in it`() {
    let source = "# *see*\n\n> you"
    #expect(MarkdownBlock.plain(source) == [MarkdownBlock(text: MarkedText(units: Array(source.utf16)))])
}

@Test func `a markdown that has no marks has no pieces, as it is shown whole`() {
    #expect(MarkdownBlock.parse("see you\nat nine") == MarkdownBlock.plain("see you\nat nine"))
}

@Test func `nesting has a bottom`() {
    let quotes = MarkdownBlock.parse(String(repeating: ">", count: 100) + " see")
    #expect(quotes.map(\.quotes) == [Int32(MarkdownBlock.deepestQuote)])
    let items = MarkdownBlock.parse((0..<100).map { String(repeating: "  ", count: $0) + "- a\n" }.joined())
    #expect(items.count == 100 && items.map(\.depth).max() == Int32(MarkdownBlock.deepestItem))
}
