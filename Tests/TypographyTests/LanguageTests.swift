import Testing
import Typography

@Test(arguments: [
    ("ja", "ja"), ("JA", "ja"), ("zh-Hant", "zh-hant"), ("zh-Hant-TW", "zh-hant"), ("zh-TW", "zh-tw"),
    ("ur-Aran", "ur-aran"),
    ("de-CH-1996", "de-ch"), ("sl-rozaj-biske", "sl-rozaj"), ("x-whatever", "x"), ("abcdefgh", "abcdefgh"),
])
func `a tag is kept in small letters, as many subtags as eight letters hold`(tag: String, kept: String) {
    #expect(Language(tag)?.description == kept)
}

@Test(arguments: [
    "", "-", "ja-", "-ja", "1a", "日本", "a_b", "abcdefghi", "ja--jp", "ja jp", "ja\0",
    String(repeating: "ab-", count: 12),
])
func `what is no tag is refused`(tag: String) { #expect(Language(tag) == nil) }

@Test(arguments: [
    ("zh-hant", "zh", true), ("zh-Hant-HK", "zh-Hant", true), ("zh", "zh-Hant", false), ("ja", "ja", true),
    ("jav", "ja", false),
    ("ja-JP", "ja", true), ("ur", "ur-Aran", false), ("ur-Aran-PK", "ur-Aran", true),
])
func `a tag with more subtags is a kind of one with fewer`(own: String, other: String, isKind: Bool) throws {
    #expect(try #require(Language(own)).isKind(of: #require(Language(other))) == isKind)
}
