import Bytes
import Shaping
import TestSupport
import Testing
import Typography

/// Words of two directions, and the signs beside them. Brackets stand only around words that run as all do: where a
/// line cuts between the two of a pair, nothing at its ends tells what they are.
private enum Writing: CaseIterable {
    case hebrew, arabic, arabicNumbers

    private static let numbers = ["12", "50%", "20-30", "$9", "3/4", "1,5", "555-1234"]
    private static let latin = ["one", "two", "hello", "abc", "漢字", "漢字，漢字", "C++"]

    private var words: [String] {
        switch self {
        case .hebrew: ["שלום", "עברית", "אב"] + Self.latin + Self.numbers
        case .arabic: ["سلام", "كتاب،", "في", "جدا؟", "ܫܠܡܐ"] + Self.latin + Self.numbers
        case .arabicNumbers: ["سلام", "كتاب،", "في", "(سلام)", "٣٤", "١٢٪"] + Self.numbers
        }
    }

    func text(using random: inout SplitMix64) -> String {
        let ends = ["", "", "", ",", ".", "!", ":", "%"]
        let beginnings = ["", "", "", "", "\"", "- ", "#", "+"]
        let first = self == .arabicNumbers ? ["سلام "] : ["abc ", words[0] + " "]
        return (first.randomElement(using: &random) ?? "")
            + (0..<Int.random(in: 4...14, using: &random)).map { _ in
                (beginnings.randomElement(using: &random) ?? "") + (words.randomElement(using: &random) ?? "")
                    + (ends.randomElement(using: &random) ?? "")
            }.joined(separator: " ")
    }
}

extension UInt16 {
    /// Whether nothing is drawn of the unit, so that it may stand anywhere.
    fileprivate var isUnseen: Bool { [0xad, 0x200b, 0x200c, 0x200d, 0x2060].contains(self) }
    fileprivate var isOfNumber: Bool { 0x23...0x2f ~= self || 0x30...0x3a ~= self || 0x660...0x66c ~= self }
}

extension ArraySlice<UInt16> {
    fileprivate var hasWholeBrackets: Bool {
        var open = 0
        for unit in self {
            open += [0x28, 0x5b].contains(unit) ? 1 : [0x29, 0x5d].contains(unit) ? -1 : 0
            if open < 0 { return false }
        }
        return open == 0
    }
}

extension MeasuredText {
    /// The level of each unit, less that of its paragraph.
    fileprivate var levels: [Int] {
        (0..<Int32(count)).map { Int(runs[run(at: $0)].level) - Int(runs[run(at: $0)].paragraphLevel) }
    }
}

extension Shaper {
    /// The level of each unit of a line when the line is drawn by itself, in the direction of its paragraph.
    fileprivate mutating func levelsAlone(_ units: [UInt16], _ line: Line, before: String, behind: String) -> [Int] {
        let isRightToLeft = line.traits.contains(.rightToLeft)
        // Isolated, so that nothing outside counts, and in a given direction.
        let alone =
            [0x61, isRightToLeft ? 0x2067 : 0x2066] + Array(before.utf16) + units + Array(behind.utf16) + [
                0x2069, 0x5d0,
            ]
        let text = measure(String(decoding: alone, as: UTF16.self))
        let first = 2 + before.utf16.count
        return (first..<first + units.count).map {
            Int(text.runs[text.run(at: Int32($0))].level) - (isRightToLeft ? 1 : 2)
        }
    }
}

/// The numbers of lines that run another way when they are drawn by themselves: bare, and with the marks that they
/// ask for.
private struct Turned {
    var lines = 0
    var marked = 0
    var bare = 0
    var wrong: [String] = []

    mutating func add(_ string: String, _ lines: [Line], of text: MeasuredText, by shaper: inout Shaper) {
        let units = Array(string.utf16)
        let levels = text.levels
        for line in lines where line.start < line.end {
            var end = Int(line.end)
            while end > line.start, !text.marks[end - 1].isDisjoint(with: [.space, .newline]) { end -= 1 }
            let shown = Int(line.start)..<end
            // A number in two parts is two numbers.
            let isCut = line.end < units.count && units[Int(line.end)].isOfNumber && units[Int(line.end) - 1].isOfNumber
            let isBegun = line.start > 0 && units[Int(line.start)].isOfNumber && units[Int(line.start) - 1].isOfNumber
            if isCut || isBegun || !units[shown].hasWholeBrackets { continue }
            func alone(_ before: String, _ behind: String) -> [Int] {
                shaper.levelsAlone(
                    Array(units[shown]), line, before: before,
                    behind: behind + (line.traits.contains(.ellipsis) ? "…" : ""))
            }
            let (before, behind) = (line.traits.beginning.mark, line.traits.ending.mark)
            self.lines += 1
            if before + behind != "" { marked += 1 }
            let seen = shown.filter { !units[$0].isUnseen }
            func isRight(_ found: [Int]) -> Bool { seen.allSatisfy { found[$0 - shown.lowerBound] == levels[$0] } }
            if !isRight(alone("", "")) { bare += 1 }
            if !isRight(alone(before, behind)) {
                wrong.append(
                    "\(string) | \(String(decoding: units[shown], as: UTF16.self)) \(before.unicodeScalars) \(behind.unicodeScalars)"
                )
            }
        }
    }
}

@Test
func `a line of two directions that is drawn by itself, with the marks that it says, runs as it does in its text`()
    throws
{
    var shaper = try PinnedFonts.shaper()
    var found = Turned()
    for seed in 0..<600 as Range<UInt64> {
        var random = SplitMix64(seed: seed)
        let string = Writing.allCases[Int(seed % 3)].text(using: &random)
        let text = shaper.measure(string)
        let breaker = LineBreaker(width: .points(.random(in: 60...240, using: &random)), size: .points(16), scale: .two)
        found.add(string, breaker.lines(of: text), of: text, by: &shaper)
        var cut = LineBuffer()
        breaker.breakLines(of: text, into: &cut)
        breaker.cut(&cut, to: 2, of: text)
        found.add(string, (0..<cut.count).map { cut[$0] }, of: text, by: &shaper)
    }
    #expect(
        found.wrong.isEmpty,
        "\(found.wrong.count) of \(found.lines), \(found.marked) marked, \(found.bare) bare: \(found.wrong.prefix(20).joined(separator: "\n"))"
    )
    #expect(found.bare > found.lines / 20 && found.marked < found.lines)
}

@Test func `lines of what people write, drawn by themselves, run as they do in their texts`() throws {
    var shaper = try PinnedFonts.shaper()
    var found = Turned()
    for one in try Oracle.publicCases().cases
    where one.text.unicodeScalars.contains(where: { 0x590...0x8ff ~= $0.value })
        && !one.text.unicodeScalars.contains(where: { 0x202a...0x202e ~= $0.value || 0x2066...0x2069 ~= $0.value })
    {
        let text = shaper.measure(one.text, style: one.style)
        found.add(one.text, one.breaker.lines(of: text), of: text, by: &shaper)
    }
    #expect(
        found.wrong.isEmpty,
        "\(found.wrong.count) of \(found.lines), \(found.marked) marked, \(found.bare) bare: \(found.wrong.prefix(20).joined(separator: "\n"))"
    )
    #expect(found.bare > 0)
}
