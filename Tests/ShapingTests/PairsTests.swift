import TestSupport
import Testing
import Typography

@testable import Shaping

/// Whether looking pairs up gives the same as shaping the whole text: the measures, and the lines in any box.
private func agree(_ text: String, _ style: TextStyle, _ shaper: inout Shaper) -> Bool {
    let short = shaper.measure(text, style: style)
    let long = shaper.measure(RichText(text, style: style))
    guard short.advances == long.advances, short.marks == long.marks else { return false }
    return [0, 300, 700, 1024, 1900, 3000, 5000, 9000, 20_000, LineBreaker.widestBox].allSatisfy { box in
        let breaker = LineBreaker(box: box, size: .points(16), scale: .one)
        return breaker.lines(of: short) == breaker.lines(of: long)
    }
}

@Test func `texts of the oracle are measured alike by pairs and as a whole`() throws {
    var shaper = try PinnedFonts.shaper()
    var scratch = MeasuredText.empty
    for one in try Oracle.publicCases().cases {
        shaper.analysis.units.read(one.text)
        guard shaper.lettering.read(shaper.analysis.units), shaper.measureByPairs(one.style, into: &scratch) else {
            continue
        }
        let isSame = agree(one.text, one.style, &shaper)
        #expect(isSame, "\(one.id)")
    }
}

@Test(arguments: [
    [
        "AV", "To", "fi", "ffi", "ffl", "fff", "WA", "Ty", "r.", "a", "nine", "'", "\"", ".", ",", "-", "1", "20", "/",
        "(", ")",
    ],
    ["не", "Что", "ГА", "Ту", "ё", "привет", "«", "»", "-", "1", ".", "’"],
    ["Τα", "ΑΥ", "ώ", "και", "ς", "Γε", "-", "7", ",", "“", "”"],
    ["é", "Ž", "łó", "ffi", "Ťa", "ß", "ø", "ij", "Ĳ", "ŉ", "ĿL", "f\u{301}", "’", "-3"],
])
func `texts of one alphabet are measured alike by pairs and as a whole`(vocabulary: [String]) throws {
    var shaper = try PinnedFonts.shaper()
    forEachSeed(150) { random in
        var text = ""
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            text += vocabulary.randomElement(using: &random)!
            text += ["", "", "", " ", "  ", "\n"].randomElement(using: &random)!
        }
        return agree(text, [.regular, .bold].randomElement(using: &random)!, &shaper)
    }
}

@Test func `every pair of printable ASCII is measured alike by pairs and as a whole`() throws {
    var shaper = try PinnedFonts.shaper()
    for first in 0x20...0x7e as ClosedRange<UInt8> {
        // A letter in front, because digits and signs alone have no alphabet.
        var text = "n"
        for second in 0x20...0x7e as ClosedRange<UInt8> {
            text += String(decoding: [first, second, UInt8(ascii: "n")], as: UTF8.self)
        }
        let isSame = agree(text, .regular, &shaper)
        #expect(isSame, "\(first)")
    }
}
