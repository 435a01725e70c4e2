import MessageLayout
import Testing
import Typography
import Wire

@testable import Gateway

/// A hash that begins with a name.
private func hash(_ name: String) -> String {
    let digits = name.utf8.map { String($0, radix: 16) }.joined()
    return digits + String(repeating: "0", count: 64 - digits.count)
}

private func font(
    _ family: String, _ name: String, _ characters: String, weight: Int? = nil, isItalic: Bool = false,
    isEmoji: Bool = false, isMonospaced: Bool = false, slices: [(name: String, characters: String)] = []
) throws -> ServedFont {
    var font = ServedFont(
        family: family, weight: weight, isItalic: isItalic, isEmoji: isEmoji, isMonospaced: isMonospaced,
        hash: hash(name), path: "", characters: try #require(CharacterRanges(characters)))
    font.slices = slices.map { ServedSlice(hash: hash($0.name), bytes: 1, characters: $0.characters) }
    return font
}

private func list() throws -> [ServedFont] {
    [
        try font("Sans", "regular", "U+20-7E,U+A9,U+2010,U+2026", weight: 400),
        try font("Sans", "bold", "U+20-7E", weight: 700),
        try font("Sans", "italic", "U+20-7E", weight: 400, isItalic: true),
        try font("Arabic", "arabic", "U+600-6FF", weight: 400),
        try font(
            "Han", "han", "U+2E80-9FFF",
            slices: [("often", "U+4E00-4EFF"), ("seldom", "U+4E80-9FFF"), ("others", "U+2E80-4DFF")]),
        try font("Mono", "mono", "U+20-7E", isMonospaced: true),
        try font(
            "Emoji", "emoji", "U+23,U+A9,U+200D,U+1F000-1FAFF",
            isEmoji: true, slices: [("faces", "U+200D,U+1F600-1F6FF"), ("families", "U+A9,U+200D,U+1F400-1FAFF")]),
    ]
}

@Test(arguments: [
    ("Hello", TextFace.regular, ["regular"]), ("Hello", TextFace(weight: 700), ["bold"]),
    ("Hello", TextFace(weight: 600), ["bold"]), ("Hello", TextFace(weight: 700, isItalic: true), ["italic"]),
    ("Hello", TextFace(isMonospaced: true), ["mono"]), ("سلام", TextFace(weight: 700), ["arabic"]),
    ("سلام…", .regular, ["arabic", "regular"]), ("一", .regular, ["often"]), ("一龠", .regular, ["often", "seldom"]),
    ("⺀", .regular, ["others"]), ("Hi 😀", .regular, ["faces", "regular"]), ("👩\u{200d}👧", .regular, ["families"]),
    ("👩\u{200d}👧😀", .regular, ["faces", "families"]), ("©", .regular, ["regular"]),
    ("©\u{fe0f}", .regular, ["families"]), ("a\u{200b}b\n", .regular, ["regular"]), ("", .regular, []),
    // A letter that no face has is drawn by the first one, as its box for missing letters.
    ("ꙮ", .regular, ["regular"]), ("ꙮ", TextFace(isMonospaced: true), ["mono"]),
])
func `each letter needs the first family that has it, and of its nearest face the first slice`(
    text: String, face: TextFace, files: [String]
) throws {
    var choice = FontChoice(try list())
    for _ in 0..<2 {
        let found = choice.files(of: Array(text.utf16), in: face).map(\.text)
        #expect(Set(found) == Set(files.map(hash)))
        #expect(found.count == files.count)
    }
}

@Test func `a list without fonts needs none, and names that are no hashes are passed over`() throws {
    var none = FontChoice([])
    #expect(none.files(of: Array("Hello".utf16), in: .regular).isEmpty)
    var font = try font("Sans", "regular", "U+20-7E")
    font.hash = "x"
    var broken = FontChoice([font])
    #expect(broken.files(of: Array("Hello".utf16), in: .regular).isEmpty)
}

@Test(arguments: [
    (nil, ["han"]), ("ja", ["japanese"]), ("ja-JP", ["japanese"]), ("zh-Hant", ["traditional"]),
    ("zh-Hant-MO", ["traditional"]),
    ("zh-HK", ["hongkong"]), ("fr", ["han"]),
])
func `a text in a language needs the family that is listed for it`(tag: String?, files: [String]) throws {
    func regional(_ name: String, _ languages: [String]) throws -> ServedFont {
        var font = try font("Han " + name, name, "U+20-9FFF")
        (font.languages, font.instead) = (languages, "Han")
        return font
    }
    let fonts = [
        try font("Sans", "regular", "U+20-7E"), try font("Han", "han", "U+2E80-9FFF"),
        try regional("japanese", ["ja"]), try regional("traditional", ["zh-hant"]), try regional("hongkong", ["zh-hk"]),
    ]
    var choice = FontChoice(fonts)
    let language = try tag.map { try #require(Language($0)) } ?? .none
    for _ in 0..<2 {
        let found = choice.files(of: Array("Hi 一".utf16), in: .regular, language: language).map(\.text)
        // Latin letters are still drawn by the first family.
        #expect(Set(found) == Set((files + ["regular"]).map(hash)))
    }
}
