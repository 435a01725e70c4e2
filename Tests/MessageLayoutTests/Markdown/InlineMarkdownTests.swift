import MessageLayout
import TestSupport
import Testing

@Test(arguments: [
    ("see **you** at nine", "see <b>you</b> at nine"), ("__you__", "<b>you</b>"), ("*you*", "<i>you</i>"),
    ("_you_", "<i>you</i>"), ("~~you~~", "<s>you</s>"), ("***you***", "<bi>you</bi>"),
    ("**see *you* at**", "<b>see </b><bi>you</bi><b> at</b>"), ("*see **you***", "<i>see </i><bi>you</bi>"),
    ("~~*you*~~ **at**", "<is>you</is> <b>at</b>"), ("**see\nyou**", "<b>see\nyou</b>"),
])
func `marks become looks`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test(arguments: [
    ("2*3*4", "2<i>3</i>4"), ("snake_case_name", "snake_case_name"), ("__init__s", "__init__s"),
    ("a * b * c", "a * b * c"), ("a || b || c", "a || b || c"), ("a ~ b", "a ~ b"), ("~you~", "~you~"),
    ("~~~you~~~ ", "~~~you~~~ "), ("(_you_)", "(<i>you</i>)"), ("*a**b*", "<i>a**b</i>"),
    ("**好。**吧", "<b>好。</b>吧"), ("**「好」**吧", "<b>「好」</b>吧"), ("**see 😀**you", "<b>see 😀</b>you"),
])
func `words and sums are left alone`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test(arguments: [
    "**you", "you**", "*you", "_you", "~~you", "||you", "`you", "``you`", "[you", "[you]", "[you](", "[you](there",
    "[you] (there)", "[](there)", "[you]()", "[you](the re)", "****", "||||", "``", "\\", "you\\", "**you__",
])
func `what is not closed is shown as it was written`(source: String) {
    #expect(shown(source) == [source])
}

@Test(arguments: [
    ("a `b` c", "a <code>b</code> c"), ("`**b**`", "<code>**b**</code>"), ("``a ` b``", "<code>a ` b</code>"),
    ("`` ` ``", "<code>`</code>"), ("` `", "<code> </code>"), ("`\\`", "<code>\\</code>"),
    ("```b```", "<code>b</code>"), ("\\`a`b`", "`a<code>b</code>"), ("*a `b*`", "*a <code>b*</code>"),
    ("`a\nb`", "<code>a\nb</code>"), ("`a``b` `", "<code>a``b</code> `"),
])
func `code in a line is as written, up to as many backticks`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test func `code in a line is monospaced`() {
    let text = MarkdownBlock.parse("**a `b`**")[0].text
    #expect(text.spans.map(\.look) == [.bold, [.bold, .monospaced]])
    #expect(text.spans.map(\.range) == [0..<2, 2..<3])
}

@Test(arguments: [
    ("||you||", "<spoiler>you</spoiler>"), ("a ||*b* c||", "a <spoiler><i>b</i> c</spoiler>"),
    ("||[b](c)||", "<spoiler><a c>b</a></spoiler>"), ("**||b||**", "<spoiler><b>b</b></spoiler>"),
])
func `spoilers cover what they hold`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test(arguments: [
    ("[you](https://a.org)", "<a https://a.org>you</a>"), ("[**you**](a)", "<a a><b>you</b></a>"),
    ("[you](a(b)c)", "<a a(b)c>you</a>"), ("[you](<a b>)", "<a a b>you</a>"), ("[you](a\\)b)", "<a a)b>you</a>"),
    ("[you]( a \"title (\" )", "<a a>you</a>"), ("[a [you](b) c](d)", "[a <a b>you</a> c](d)"),
    ("*a [b*](c)", "*a <a c>b*</a>"), ("[a `](b)`", "[a <code>](b)</code>"), ("[a\\](b)", "[a](b)"),
    ("[[you]](a)", "<a a>[you]</a>"), ("[a](b)[c](d)", "<a b>a</a><a d>c</a>"),
])
func `links hide their address`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test(arguments: [
    ("\\*you\\*", "*you*"), ("\\\\", "\\"), ("\\a", "\\a"), ("¯\\_(ツ)_/¯", "¯_(ツ)_/¯"), ("a\\\nb", "a\nb"),
    ("\\# you", "# you"), ("\\> you", "> you"), ("1\\. you", "1. you"), ("*you\\**", "<i>you*</i>"),
])
func `a backslash takes the meaning of punctuation away`(source: String, text: String) {
    #expect(shown(source) == [text])
}

@Test(arguments: [
    ("https://a.org/__init__.py", "https://a.org/__init__.py"), ("**https://a.org/*b**", "<b>https://a.org/*b</b>"),
    ("||https://a.org||", "<spoiler>https://a.org</spoiler>"),
    ("[http://a.org/_b_](c)", "<a c>http://a.org/_b_</a>"), ("ahttps://_b_", "ahttps://<i>b</i>"),
])
func `nothing in a web address is a mark`(source: String, text: String) {
    #expect(shown(source) == [text])
}
