import TestSupport
import Testing
import Typography

@testable import Shaping

/// Texts that were measured before leave no trace in a text.
@Test(arguments: [
    // A virama that no Latin letter links, and one that a Bengali letter does: shapers see one stretch of Devanagari.
    ("a\u{94d}\u{91a}\u{93f}\u{902}\u{924}", "\u{9b2}\u{94d}\u{91a}\u{93f}\u{902}\u{924}"),
    ("\u{94d}\u{925}\u{940}", "\u{9b2}\u{94d}\u{925}\u{940}"),
])
func `a stretch that begins inside a cluster is measured as after no other text`(before: String, text: String) throws {
    var fresh = try PinnedFonts.shaper()
    var used = try PinnedFonts.shaper()
    _ = used.measure(before)
    let isSame = used.measure(text) == fresh.measure(text)
    #expect(isSame)
}

@Test func `texts are measured alike forwards and backwards`() throws {
    let texts = try Oracle.publicCases().cases.map { Array($0.text.utf16) }.filter { !$0.isEmpty }
    var random = SplitMix64(seed: 5)
    let splices = (0..<10_000).map { _ in
        let parts = (0..<4).map { _ in part(of: texts.randomElement(using: &random)!, &random) }
        return String(decoding: parts.joined(), as: UTF16.self)
    }
    var forwards = try PinnedFonts.shaper()
    var backwards = try PinnedFonts.shaper()
    let first = splices.map { forwards.measure($0) }
    let second = splices.reversed().map { backwards.measure($0) }
    for (text, (one, other)) in zip(splices, zip(first, second.reversed())) {
        let isSame = one == other
        #expect(isSame, "\(text.debugDescription)")
    }
}

private func part(of text: [UInt16], _ random: inout SplitMix64) -> ArraySlice<UInt16> {
    let start = text.indices.randomElement(using: &random)!
    return text[start...].prefix(.random(in: 1...6, using: &random))
}
