import MessageLayout
import TestSupport
import Testing

/// The pieces of Markdown, and characters that break careless readers of it.
private let fragments: [[UInt16]] =
    [
        "*", "**", "_", "__", "~~", "||", "`", "``", "```", "~~~", "[", "]", "](", ")", "(", "<", ">", "> ", "- ",
        "1. ",
        "# ", "\\", "\n", "\n\n", "\r\n", "\t", "  ", " ", "a", "b c", "好", "。", "😀", "http://", "\"",
    ].map { Array($0.utf16) } + [[0xd83d], [0xde00]]

private func markdown(using random: inout SplitMix64) -> [UInt16] {
    (0..<Int.random(in: 0...40, using: &random)).flatMap { _ in fragments.randomElement(using: &random)! }
}

@Test func `what is shown is put together from pieces of the source, in order`() {
    forEachSeed(20_000) { random in
        let source = markdown(using: &random)
        let texts = MarkdownBlock.parse(source).map(\.text)
        let pieces = texts.flatMap(\.pieces)
        return texts.allSatisfy { shownByPieces($0, of: source) == $0.units }
            && zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound || $1.isEmpty }
    }
}

@Test func `spans are in order, and entities nest`() {
    forEachSeed(20_000) { random in
        MarkdownBlock.parse(markdown(using: &random)).map(\.text).allSatisfy { text in
            let end = Int32(text.units.count)
            let ordered = zip(text.spans, text.spans.dropFirst()).allSatisfy { left, right in
                left.range.upperBound < right.range.lowerBound
                    || left.range.upperBound == right.range.lowerBound && left.look != right.look
            }
            let nested = text.entities.indices.allSatisfy { index in
                text.entities[(index + 1)...].allSatisfy {
                    let outer = text.entities[index].range
                    return outer.contains($0.range) || outer.upperBound <= $0.range.lowerBound
                }
            }
            return ordered && nested && text.spans.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= end }
                && text.entities.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= end }
        }
    }
}

@Test func `a text without marks survives, lone surrogates and all`() {
    let source: [UInt16] = [0xd83d, 0x20, 0xde00, 0x61]
    #expect(MarkdownBlock.parse(source) == MarkdownBlock.plain(source))
    #expect(MarkdownBlock.parse([0x2a, 0xd83d, 0x2a]).map(\.text.units) == [[0xd83d]])
}

/// Each text is quadratic for one way of reading or another: a search for an opening or a closing mark that finds
/// none.
@Test(arguments: [
    "*", "_", "**a ", "*a**", "a**b", "a_ ", "*a _b ~~c ", "*a_ ", "[", "]", "[a](", "[a](b", "[a](<b", "[a](b \"",
    "![[",
    "[a](b)", "*[a](b", "**[a](b) ", "[*a](b)", ">", "> ", ">\n", "- ", "- a\n", "`", "` `` ", "`a``", "||", "||a ",
    "||a||",
    "~~", "\\", "\\`", "# ", "#", "1. ", "1", "\n", " ", " \n", "\t- a", "```\n", "~~~a\n", "http://", "http://*",
    "a||b~~",
])
func `a long text takes no longer than many short ones`(fragment: String) {
    let source = Array(String(repeating: fragment, count: 100_000 / fragment.utf16.count).utf16)
    let time = processorTime { #expect(!MarkdownBlock.parse(source).isEmpty) }
    #expect(time < .seconds(4), "\(time)")
}

@Test func `a text of backtick runs that all differ in length takes no longer`() {
    let source = (1...450).flatMap { Array(repeating: 0x60 as UInt16, count: $0) + [0x61] }
    let time = processorTime { #expect(!MarkdownBlock.parse(source).isEmpty) }
    #expect(time < .seconds(4), "\(time)")
}
