import Bytes
import TestSupport
import Testing
import Typography

private let sizes = [Fixed.points(16), .points(17), .points(13), Fixed(raw: 1000), .points(7)]
private let scales: [Int32] = [1000, 1500, 2000, 2625, 3000]

private func breaker(using random: inout SplitMix64) -> LineBreaker {
    let scale = scales.randomElement(using: &random)!
    let box = Int32.random(in: 64...20 * 640 * scale / 1000, using: &random)
    return LineBreaker(box: box, size: sizes.randomElement(using: &random)!, scale: Scale(thousandths: scale))
}

private struct Broken {
    let breaks: PlainBreaks?
    let lines: [Line]
    let units: [Int32]

    init(_ text: MeasuredText, _ breaker: LineBreaker) {
        var lines = LineBuffer()
        var units = Buffer<Int32>()
        breaks = PlainBreaks(of: text, breaker, into: &lines, &units)
        self.lines = (0..<lines.count).map { lines[$0] }
        self.units = units.array(0..<Int32(units.count))
    }

    func lines(of breaks: PlainBreaks, _ breaker: LineBreaker) -> [Line] {
        zip(lines, units).map { $0.scaled(to: $1, breaks.factor(of: breaker)) }
    }
}

extension PlainBreaks {
    fileprivate func hold(_ breaker: LineBreaker) -> Bool { hold(factor(of: breaker).units(inBox: breaker.box)) }
}

extension MeasuredText {
    /// How many letters a line has, those that hang behind its end left out.
    fileprivate func letters(on line: Line) -> Int {
        let clusters = marks[Int(line.start)..<Int(line.end)].filter { $0.contains(.cluster) }
        return clusters.reversed().drop { !$0.isDisjoint(with: [.space, .newline]) }.count
    }
}

@Test func `finds the lines that a breaker finds`() {
    forEachSeed(500) { random in
        let text = MeasuredText.monospaced(.random(words: 12, isPlain: .random(using: &random), using: &random))
        let breaker = breaker(using: &random)
        return Broken(text, breaker).lines == breaker.lines(of: text)
    }
}

@Test func `says of a plain text in which boxes a breaker of any scale ends lines where they were found`() {
    var known = 0
    forEachSeed(2000) { random in
        let text = MeasuredText.monospaced(.random(words: 12, isPlain: .random(using: &random), using: &random))
        let (own, other) = (breaker(using: &random), breaker(using: &random))
        let found = Broken(text, own)
        guard let breaks = found.breaks else { return true }
        known += 1
        guard breaks.hold(own), breaks.boxes(breaks.factor(of: own)).contains(own.box) else { return false }
        let boxes = breaks.boxes(breaks.factor(of: other))
        // At both ends, and just beyond.
        let ends = [boxes.lowerBound - 1, boxes.lowerBound, boxes.upperBound, min(boxes.upperBound, .max - 1) + 1]
        return (ends + [other.box]).filter { 0...LineBreaker.widestBox ~= $0 }.allSatisfy { box in
            let breaker = other.withBox(box)
            let (lines, expected) = (breaker.lines(of: text), found.lines(of: breaks, breaker))
            guard breaks.hold(breaker) == boxes.contains(box) else { return false }
            if boxes.contains(box) { return lines == expected }
            // In other boxes some line ends elsewhere, unless the lines that do not fit are single letters, which
            // stay as they are.
            let tooWide = expected.filter { $0.width > box + 1 }
            let areLetters = !tooWide.isEmpty && tooWide.allSatisfy { text.letters(on: $0) == 1 }
            return (lines.map(\.end) == expected.map(\.end)) == areLetters
        }
    }
    #expect(known > 500)
}

@Test(arguments: [("seeyou at nine", 3), ("sun\u{ad}day", 20)])
func `says nothing of a word that does not fit, and of a text that is not plain`(text: String, letters: Int32) {
    let breaker = LineBreaker(width: .points(8 * letters), size: .points(16), scale: .one)
    #expect(Broken(.monospaced(text), breaker).breaks == nil)
}
