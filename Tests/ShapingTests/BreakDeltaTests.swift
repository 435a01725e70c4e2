import Shaping
import TestSupport
import Testing
import Typography

@testable import Shaping

/// Whether every line inside a word is as wide as HarfBuzz has it when it shapes nothing else.
private func isExact(_ word: String, _ shaper: inout Shaper) throws -> Bool {
    let units = Array(word.utf16)
    let text = shaper.measure(word)
    let face = try FontFace(PinnedFonts.file(of: "NotoSans"))
    let setting = ShapingBuffer.Setting(face: 0, script: 25, isRightToLeft: false)
    func unsafe(_ i: Int) -> UnsafeBreak? { text.unsafeBreaks.first { Int($0.position) == i } }
    for start in units.indices where text.marks[start].contains(.cluster) {
        for end in start + 1...units.count where end == units.count || text.marks[end].contains(.cluster) {
            let short = text.shortPieces.first { Int($0.start) == start && Int($0.end) == end }
            let whole = text.advances[start..<end].reduce(0, +)
            let sum = whole + (unsafe(start)?.beginning ?? 0) + (unsafe(end)?.ending ?? 0)
            let expected = shaper.pieces.buffer.width(units, start..<end, with: face, as: setting)
            if (short?.units ?? sum) != expected { return false }
        }
    }
    return true
}

@Test(arguments: [
    "AVAVA", "ffi", "office", "waffle", "fffff", "To.", "Ty,W", "rr.", "e\u{301}ffi", "Ťa", "LYT", "f\u{301}i", "AV.",
])
func `a line that breaks inside a word is as wide as its letters by themselves`(word: String) throws {
    var shaper = try PinnedFonts.shaper()
    let isExact = try isExact(word, &shaper)
    #expect(isExact)
}

@Test func `a line that breaks inside any word is as wide as its letters by themselves`() throws {
    var shaper = try PinnedFonts.shaper()
    forEachSeed(200) { random in
        let letters = Array("ffiltAVTowWyYLe.,rP'-1")
        let count = Int.random(in: 2...5, using: &random)
        return try isExact(
            "n" + String((0..<count).map { _ in letters.randomElement(using: &random)! }), &shaper)
    }
}
