import TestSupport
import Testing
import Typography

@testable import Shaping

/// Words, and the places where a line that is cut must stand in for the letter that is gone.
@Test(
    arguments: [
        ("بيت", [1, 2]),  // each reaches for the next
        ("دار", []),  // none does
        ("باب", [1]), ("ب ب", []), ("بء", []), ("ءب", []), ("ب1", []), ("ب،", []),
        ("بَب", [2]), ("بَّب", [3]),  // across marks, which are of the letter's cluster
        ("بـب", [1, 2]), ("ـ", []),  // tatweel reaches both ways
        ("ب\u{200c}ب", []), ("د\u{200d}ب", [2]), ("ب\u{200d}", []),  // U+200C parts, U+200D joins
        ("ب\u{200b}ب", [1, 2]), ("ب\u{ad}ب", [2]),  // a line may end here
        ("ب\nب", []), ("aب", []), ("fi", []),
        ("ܒܝܬ", [1, 2]), ("ܕܐ", []), ("ߊߋ", [1]), ("ᠮᠣᠩ", [1, 2]), ("𐴀𐴁", [2]),
    ] as [(String, [Int])])
func `a text says before which clusters letters join`(text: String, places: [Int]) throws {
    var shaper = try PinnedFonts.shaper()
    let measured = shaper.measure(text)
    #expect((0..<measured.count + 70).filter { measured.joins.contains($0) } == places)
    let stored = try MeasuredText(decoding: measured.encoded())
    #expect(stored == measured)
}

@Test func `a word that was measured before tells nothing of itself in the next`() throws {
    var shaper = try PinnedFonts.shaper()
    var text = MeasuredText.empty
    for (word, isJoined) in [("بيت", true), ("fit", false), ("بيت", true), ("漢字", false)] {
        shaper.measure(word, into: &text)
        #expect(text.joins.isEmpty == !isJoined)
    }
}

/// Letters of Arabic and Persian, with those of ligatures.
private let letters = Array("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگھہیےـ").map(String.init)

/// Clients do this: the code that draws a line knows nothing beside it but U+200D.
@Test func `a part of a word with U+200D where it was cut is as wide as it is in its place`() throws {
    var shaper = try PinnedFonts.shaper()
    let face = try FontFace(PinnedFonts.file(of: "NotoSansArabic"))
    let setting = ShapingBuffer.Setting(face: 0, script: ScriptRuns.arabic, isRightToLeft: true)
    let joiner = Array("\u{200d}".utf16)
    forEachSeed(2000) { random in
        let word = (0..<Int.random(in: 2...7, using: &random)).map { _ in letters.randomElement(using: &random)! }
        let units = Array(word.joined().utf16)
        let text = shaper.measure(word.joined())
        func width(_ units: [UInt16], _ range: Range<Int>) -> Int32 {
            shaper.pieces.buffer.width(units, range, with: face, as: setting)
        }
        return (1..<units.count).allSatisfy { place in
            let mark = text.joins.contains(place) ? joiner : []
            let (front, back) = (units[..<place] + mark, mark + units[place...])
            return width(Array(front), front.indices) == width(units, 0..<place)
                && width(Array(back), 0..<back.count) == width(units, place..<units.count)
        }
    }
}
