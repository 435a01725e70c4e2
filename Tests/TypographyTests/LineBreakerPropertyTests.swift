import Bytes
import TestSupport
import Testing
import Typography

/// A text, and a breaker of any width, size and scale.
private func sample(
    isPlain: Bool = false, using random: inout SplitMix64
) -> (text: MeasuredText, breaker: LineBreaker) {
    let text = MeasuredText.monospaced(.random(words: 12, isPlain: isPlain, using: &random))
    let size = [Fixed.points(16), .points(17), .points(13), Fixed(raw: 1000)].randomElement(using: &random)!
    let scale = [1000, 1500, 2000, 2625, 3000].randomElement(using: &random)!
    let box = Int32.random(in: 0...Int32(20 * 640 * scale / 1000), using: &random)
    return (text, LineBreaker(box: box, size: size, scale: Scale(thousandths: Int32(scale))))
}

@Test func `loses no unit, whatever the text and the width`() {
    forEachSeed(500) { random in
        let (text, breaker) = sample(using: &random)
        let lines = breaker.lines(of: text)
        let follow = zip(lines, lines.dropFirst()).allSatisfy { $0.end == $1.start }
        return follow && lines.first?.start ?? 0 == 0 && Int(lines.last?.end ?? 0) == text.count
            && lines.allSatisfy { $0.start < $0.end }
    }
}

@Test func `splits no cluster`() {
    forEachSeed(500) { random in
        let (text, breaker) = sample(using: &random)
        return breaker.lines(of: text).dropLast().allSatisfy { line in
            !text.marks[Int(line.end)].isDisjoint(with: [.cluster, .opportunity])
        }
    }
}

@Test func `finds the lines of plain texts by both roads`() {
    forEachSeed(1000) { random in
        let (text, breaker) = sample(isPlain: true, using: &random)
        return breaker.lines(of: text) == breaker.lines(of: text.withoutStops)
    }
}

@Test func `finds the lines of other texts by both roads`() {
    forEachSeed(3000) { random in
        let (text, breaker) = sample(using: &random)
        return breaker.lines(of: text) == breaker.lines(of: text.withoutStops)
    }
}

@Test func `words, spaces and newlines are plain`() {
    forEachSeed(200) { random in
        let text = MeasuredText.monospaced(.random(words: 12, isPlain: true, using: &random))
        return text.count == 0 || text.stops.isPlain
    }
}

@Test func `finds the lines of a text in a column as by itself`() {
    forEachSeed(200) { random in
        let breaker = sample(using: &random).breaker
        let texts = (0..<8).map { i in sample(isPlain: i % 3 > 0, using: &random).text }
        var column = StopsColumn()
        var result = ColumnLines()
        for text in texts { column.append(text) }
        // The memory held the lines of another width before.
        breaker.withBox(breaker.box / 2).breakLines(of: column, into: &result)
        breaker.breakLines(of: column, into: &result)
        return texts.indices.allSatisfy { i in
            result.range(of: i).map { result.lines[$0] } == breaker.lines(of: texts[i])
        }
    }
}

@Test(arguments: [("see you", true), ("abc שלום\nab", true), ("して漢字", true), ("a\tb", false), ("sun\u{ad}day", false)])
func `a text of one scale is plain, if it has no tabs and soft hyphens`(text: String, isPlain: Bool) {
    #expect(MeasuredText.monospaced(text).stops.isPlain == isPlain)
}

@Test func `a line is as wide as what stands on it, and the longest that fits`() {
    forEachSeed(1000) { random in
        let (text, breaker) = sample(using: &random)
        return breaker.lines(of: text).allSatisfy { line in
            var line = line
            line.traits.subtract([.beginsTurned, .beginsArabic, .endsTurned])  // TurnedLinesTests
            return Specification(text: text, breaker: breaker).line(from: line.start) == line
        }
    }
}

@Test func `breaks a text in the same way whatever stands in the buffer`() {
    forEachSeed(100) { random in
        let (text, breaker) = sample(using: &random)
        let before = sample(using: &random).text
        var buffer = LineBuffer(capacity: 1)
        breaker.breakLines(of: before, into: &buffer)
        let count = buffer.count
        breaker.breakLines(of: text, into: &buffer)
        return (count..<buffer.count).map { buffer[$0] } == breaker.lines(of: text)
    }
}

/// A plain and slow line breaker, to compare with: it sums up every width from the start of the line.
private struct Specification {
    let text: MeasuredText
    let breaker: LineBreaker

    /// A line that ends at the last opportunity that fits; failing that, behind the last cluster, or the first.
    func line(from start: Int32) -> Line {
        let end = paragraphEnd(from: start)
        let opportunities = (start + 1..<end).filter { marks($0).contains(.opportunity) } + [end]
        if let last = lastWhole(of: opportunities, from: start) { return line(from: start, to: last) }
        let clusters = (start + 1..<end).filter { position in
            !marks(position).isDisjoint(with: [.cluster, .opportunity])
                && marks(position).isDisjoint(with: [.space, .newline])
        }
        let last = lastWhole(of: clusters + [end], from: start) ?? (clusters + [end])[0]
        var line = line(from: start, to: last)
        if last != end { line.traits.insert(.emergency) }
        return line
    }

    /// The last end that fits; if its hyphen does not fit, the last one that fits with the hyphen's room left free.
    private func lastWhole(of ends: [Int32], from start: Int32) -> Int32? {
        let most = breaker.box + 1
        guard let last = last(of: ends, from: start, most) else { return nil }
        let hyphen = hyphen(before: last, from: start)
        return unhyphenated(start, last) + hyphen <= most ? last : self.last(of: ends, from: start, most - hyphen)
    }

    /// The last end that fits, up to the first that would not fit even with nothing changed at it.
    private func last(of ends: [Int32], from start: Int32, _ most: Int32) -> Int32? {
        ends.prefix(1 + ends.prefix { raw(start, $0) <= most }.count).last { unhyphenated(start, $0) <= most }
    }

    private func line(from start: Int32, to end: Int32) -> Line {
        var line = Line(start: start, end: end, width: unhyphenated(start, end))
        if text.runs[text.run(at: start)].paragraphLevel & 1 == 1 { line.traits.insert(.rightToLeft) }
        if end == paragraphEnd(from: start) {
            line.traits.insert(.lastOfParagraph)
        } else if hyphen(before: end, from: start) > 0 {
            line.width += hyphen(before: end, from: start)
            line.traits.insert(.hyphen)
        }
        return line
    }

    /// The width of a soft hyphen that ends the line, or 0. At the end of a paragraph it must fit as well, though it
    /// is not shown.
    private func hyphen(before end: Int32, from start: Int32) -> Int32 {
        let contentEnd = contentEnd(start, end)
        guard contentEnd > start, marks(contentEnd - 1).contains(.softHyphen) else { return 0 }
        let style = text.styles[Int(text.runs[text.run(at: end - 1)].style)]
        return breaker.factor(unitsPerEm: style.unitsPerEm, percent: style.percent).pixels(style.hyphen)
    }

    private func unhyphenated(_ start: Int32, _ end: Int32) -> Int32 {
        let isEnd = end == paragraphEnd(from: start)
        let contentEnd = contentEnd(start, end)
        return width(start, contentEnd, ending: contentEnd == end && !isEnd ? unsafeBreak(end) : nil)
    }

    private func raw(_ start: Int32, _ end: Int32) -> Int32 { width(start, contentEnd(start, end), ending: nil) }

    /// The width of a range. Items are rounded up one by one; deltas of unsafe places belong to the first and the
    /// last.
    private func width(_ start: Int32, _ end: Int32, ending: UnsafeBreak?) -> Int32 {
        guard start < end else { return 0 }
        if let first = unsafeBreak(start), ending != nil, first.safeAfter > end,
            let piece = text.shortPieces.first(where: { $0.start == start && $0.end == end })
        {
            return ceiled(Int64(piece.units) * factor(of: text.run(at: start)))
        }
        var rounded: Int32 = 0
        var exact = Int64(unsafeBreak(start)?.beginning ?? 0) * factor(of: text.run(at: start))
        for i in start..<end {
            let run = text.run(at: i)
            if i > start && text.runs[run].start == i && text.runs[run].beginsItem {
                rounded += ceiled(exact)
                exact = 0
            }
            if marks(i).contains(.tab) {
                let stop = tabStop(behind: rounded + ceiled(exact), run)
                rounded = 0
                exact = stop
            } else {
                exact += Int64(text.advances[Int(i)]) * factor(of: run)
            }
        }
        return rounded + ceiled(exact + Int64(ending?.ending ?? 0) * factor(of: text.run(at: end - 1)))
    }

    private func tabStop(behind width: Int32, _ run: Int) -> Int64 {
        let style = text.styles[Int(text.runs[run].style)]
        let space = Int64(style.space) * breaker.factor(unitsPerEm: style.unitsPerEm, percent: style.percent).scaled
        let position = Int64(width) << 16
        let next = (position / (8 * space) + 1) * 8 * space
        return next - position < space / 2 ? next + 8 * space : next
    }

    private func ceiled(_ exact: Int64) -> Int32 { Int32((exact + 0xffff) >> 16) }

    private func factor(of run: Int) -> Int64 {
        let style = text.styles[Int(text.runs[run].style)]
        return breaker.factor(unitsPerEm: text.runs[run].unitsPerEm, percent: style.percent).scaled
    }

    private func marks(_ i: Int32) -> Marks { text.marks[Int(i)] }

    private func unsafeBreak(_ i: Int32) -> UnsafeBreak? { text.unsafeBreaks.first { $0.position == i } }

    private func contentEnd(_ start: Int32, _ end: Int32) -> Int32 {
        (start..<end).last { marks($0).isDisjoint(with: [.space, .newline]) }.map { $0 + 1 } ?? start
    }

    private func paragraphEnd(from start: Int32) -> Int32 {
        text.marks[Int(start)...].firstIndex { $0.contains(.newline) }.map { Int32($0 + 1) } ?? Int32(text.count)
    }
}
