import TestSupport
import Testing
import Typography

@testable import Shaping

/// Letters of Arabic, Persian and Urdu, those of ligatures and those that are kerned among them, and two marks.
private let letters =
    Array("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگھہیےٹ،؟").map(String.init)
    + ["\u{64e}", "\u{651}"]

private func letter(using random: inout SplitMix64) -> String { letters.randomElement(using: &random)! }

@Test func `an Arabic word that is put together from its letters is as wide as it is when shaped as a whole`() throws {
    var shaper = try PinnedFonts.shaper()
    let face = try FontFace(PinnedFonts.file(of: "NotoSansArabic"))
    let setting = ShapingBuffer.Setting(face: 0, script: ScriptRuns.arabic, isRightToLeft: true)
    forEachSeed(2000) { random in
        let word = (0..<Int.random(in: 1...7, using: &random)).map { _ in letter(using: &random) }.joined()
        let units = Array(("ب" + word).utf16)
        let text = shaper.measure("ب" + word)
        func shaped(_ range: Range<Int>) -> Int32 {
            shaper.pieces.buffer.width(units, range, with: face, as: setting)
        }
        let places = units.indices.dropFirst().filter { text.marks[$0].contains(.cluster) }
        let areSame = places.allSatisfy { place in
            let unsafe = text.unsafeBreaks.first { Int($0.position) == place }
            return text.advances[..<place].reduce(unsafe?.ending ?? 0, +) == shaped(0..<place)
                && text.advances[place...].reduce(unsafe?.beginning ?? 0, +) == shaped(place..<units.count)
        }
        return areSame && text.advances.reduce(0, +) == shaped(0..<units.count)
    }
}
