import Shaping
import TestSupport
import Testing
import Typography

/// The cases whose lines differ from the browser's, with the reasons. A case that differs and is not here fails, and
/// so does one that is here and does not differ.
private let knownMismatches: [String: String] = [:]

/// A comparison of lines with the browser's, over many cases.
private struct Comparison {
    var mismatches: Set<String> = []
    var otherCounts = 0
    var widths: [Double] = []
    var cases = 0
    /// The number of cases with each tag, and of those that agree.
    var tags: [String: (count: Int, same: Int)] = [:]

    init(_ oracle: Oracle) throws {
        var shaper = try PinnedFonts.shaper()
        for one in oracle.cases {
            let text = shaper.measure(one.text, style: one.style)
            add(one, one.breaker.lines(of: text))
        }
    }

    private mutating func add(_ one: Oracle.Case, _ lines: [Line]) {
        let isSame = lines.map { [$0.start, $0.end] } == one.answer.map { [$0.start, $0.end] }
        if !isSame { mismatches.insert(one.id) }
        if lines.count != one.answer.count { otherCounts += 1 }
        for expected in one.answer {
            let pixel = 64 * Double(one.scale.thousandths) / 1000
            for line in lines where line.start == expected.start && line.end == expected.end {
                widths.append(abs(Double(line.width) / pixel - expected.width))
            }
        }
        cases += 1
        let known = tags[one.tag] ?? (0, 0)
        tags[one.tag] = (known.count + 1, known.same + (isSame ? 1 : 0))
    }

    /// Percent of cases with the same breaks.
    var share: Double { 100 * Double(cases - mismatches.count) / Double(cases) }

    /// Pixels that 99 of 100 widths differ by at most.
    var width: Double { widths.sorted()[min(widths.count - 1, widths.count * 99 / 100)] }

    func isEnough(_ tag: (count: Int, same: Int)) -> Bool {
        let wanted = tag.count >= 100 ? 99.5 : tag.count >= 50 ? 98.9 : 97
        return 100 * Double(tag.same) / Double(tag.count) >= wanted
    }
}

@Test func `breaks lines where a browser does, and measures them alike`() throws {
    let comparison = try Comparison(.publicCases())
    #expect(comparison.share >= 99.9)
    #expect(Double(comparison.otherCounts) <= 0.0005 * Double(comparison.cases))
    #expect(comparison.width <= 0.016)
    #expect(comparison.tags.filter { !comparison.isEnough($0.value) }.isEmpty)
    let recorded = Set(try Oracle.publicCases().cases.map(\.id))
    #expect(comparison.mismatches == recorded.intersection(knownMismatches.keys))
}

@Test func `breaks lines where a browser does, though less than a twentieth of a pixel decides`() throws {
    let comparison = try Comparison(.edgeCases())
    #expect(comparison.cases == 93)
    let recorded = Set(try Oracle.edgeCases().cases.map(\.id))
    #expect(comparison.mismatches == recorded.intersection(knownMismatches.keys))
    #expect(comparison.mismatches.count <= 1)
}

@Test func `lines begin on the side that their paragraph reads from`() throws {
    var shaper = try PinnedFonts.shaper()
    for one in try Oracle.publicCases().cases where ["he", "ar", "ur", "rtl-mixed"].contains(one.tag) {
        let text = shaper.measure(one.text)
        let units = Array(one.text.utf16)
        for line in one.breaker.lines(of: text) {
            let start = units[..<Int(line.start)].lastIndex(of: 10).map { $0 + 1 } ?? 0
            let paragraph = String(decoding: units[start...].prefix { $0 != 10 }, as: UTF16.self)
            #expect(line.traits.contains(.rightToLeft) == isRightToLeft(paragraph), "\(one.id)")
        }
    }
}

/// Whether a paragraph runs from right to left: by its first strong character, as far as the cases need it.
private func isRightToLeft(_ paragraph: String) -> Bool {
    for scalar in paragraph.unicodeScalars {
        switch scalar.value {
        case 0x590...0x65f, 0x66d...0x6ef, 0x6fa...0x8ff, 0x200f, 0xfb1d...0xfdff, 0xfe70...0xfefc: return true
        case 0x200e: return false
        default: if scalar.properties.isAlphabetic { return false }
        }
    }
    return false
}
