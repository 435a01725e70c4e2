import Testing
import Typography

@testable import Shaping

private func style(_ tag: String?) throws -> TextStyle {
    TextStyle(language: try tag.map { try #require(Language($0)) } ?? .none)
}

/// The family that draws a text, and the face in its collection.
private func face(of text: String, _ tag: String?) throws -> (family: String, index: Int) {
    var shaper = try PinnedFonts.shaper()
    let run = try #require(shaper.measure(text, style: style(tag)).runs.first)
    let list = try PinnedFonts.list.get()
    let files = list.families.flatMap { family in family.faces.map { (family.name, $0.index) } }
    return files[Int(run.font)]
}

@Test(arguments: [
    (nil, "NotoSansCJKsc", 2), ("zh", "NotoSansCJKsc", 2), ("zh-Hans", "NotoSansCJKsc", 2),
    ("zh-Hant", "NotoSansCJKtc", 3),
    ("zh-Hant-TW", "NotoSansCJKtc", 3), ("zh-TW", "NotoSansCJKtc", 3), ("zh-HK", "NotoSansCJKhk", 4),
    ("ja", "NotoSansCJKjp", 0),
    ("ja-JP", "NotoSansCJKjp", 0), ("ko-KR", "NotoSansCJKkr", 1), ("fr", "NotoSansCJKsc", 2),
])
func `Han characters have the forms of the language that a text is said to be in`(
    tag: String?, family: String, index: Int
) throws {
    let found = try face(of: "直角骨今", tag)
    #expect(found == (family, index))
}

@Test(arguments: [
    (nil, "NotoSansArabic"), ("ur", "NotoSansArabic"), ("ur-Aran", "NotoNastaliqUrdu"), ("ar", "NotoSansArabic"),
])
func `Urdu is written in Nastaliq where that is asked for`(tag: String?, family: String) throws {
    #expect(try face(of: "ہیلو", tag).family == family)
}

@Test(arguments: ["See you at nine", "Привет", "😀", "नमस्ते"], ["ja", "zh-Hant", "ko", "ur-Aran", "tlh"])
func `letters that no such family is there for are measured as they are without a language`(
    text: String, tag: String
) throws {
    var shaper = try PinnedFonts.shaper()
    #expect(try shaper.measure(text, style: style(tag)) == shaper.measure(text))
}

@Test func `languages that no font is listed for cost no memory`() throws {
    var shaper = try PinnedFonts.shaper()
    _ = shaper.measure("x")
    for first in "abcdefghij".unicodeScalars {
        for second in "abcdefghi".unicodeScalars { _ = shaper.measure("x", style: try style("q\(first)\(second)")) }
    }
    #expect(shaper.styles.count == 1)
}

@Test func `a family that is there instead of one that is not listed is refused by name`() throws {
    var families = try PinnedFonts.families()
    families.removeAll { $0.name == "NotoSansArabic" }
    #expect(throws: FontError.standsForNone(family: "NotoNastaliqUrdu", instead: "NotoSansArabic")) {
        _ = try FontList(families)
    }
}
