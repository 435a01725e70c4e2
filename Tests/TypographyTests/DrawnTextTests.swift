import Bytes
import TestSupport
import Testing
import Typography

/// A text as a node has it: each line on whole pixels, and not where the breaker would put it.
private func drawn(_ text: MeasuredText, _ breaker: LineBreaker, cutAt most: Int = .max) -> DrawnText {
    var buffer = LineBuffer()
    breaker.breakLines(of: text, into: &buffer)
    breaker.cut(&buffer, to: most, of: text)
    let lines = (0..<buffer.count).map { number in
        var line = buffer[number]
        line.width = 0
        return DrawnLine(line, left: 1000 + 64 * Int32(number % 3), top: 2000 + Int32(number) * 1280, height: 1280)
    }
    let empty = DrawnLine(Line(start: 0, end: 0, width: 0), left: 1000, top: 2000, height: 1280)
    return DrawnText(text, on: lines, empty: empty, breaker)
}

private func drawn(_ text: String, atLetters letters: Int32 = 20, cutAt most: Int = .max) -> DrawnText {
    drawn(.monospaced(text), .letters(letters), cutAt: most)
}

private func randomText(_ random: inout SplitMix64) -> (MeasuredText, LineBreaker) {
    let text = MeasuredText.monospaced(.random(words: 8, using: &random))
    return (text, .units(.random(in: 300...8000, using: &random)))
}

extension DrawnText {
    /// The places where graphemes of a line begin, and the end of the last one.
    fileprivate func stops(of line: Line) -> [Int32] {
        (line.start..<line.end).filter { text.marks[Int($0)].contains(.cluster) } + [line.end]
    }

    fileprivate func caret(_ hit: Hit) -> Caret? {
        let carets = carets(at: hit.offset)
        return hit.isDownstream ? carets.downstream : carets.upstream ?? carets.downstream
    }
}

@Test func `a line whose ends are known is as wide as the line that was broken`() {
    forEachSeed(500) { random in
        let (text, breaker) = randomText(&random)
        var buffer = LineBuffer()
        breaker.breakLines(of: text, into: &buffer)
        if Bool.random(using: &random) { breaker.cut(&buffer, to: .random(in: 1...3, using: &random), of: text) }
        return (0..<buffer.count).allSatisfy { breaker.width(of: buffer[$0], in: text) == buffer[$0].width }
    }
}

@Test(arguments: [(0, -1), (-1, 2), (3, 2), (0, 12), (9, 9), (.max, .min)] as [(Int32, Int32)])
func `a line that is no stretch of its text is not drawn`(start: Int32, end: Int32) {
    let empty = DrawnLine(Line(start: 0, end: 0, width: 0), left: 0, top: 0, height: 1280)
    let first = DrawnLine(Line(start: 0, end: 4, width: 0), left: 0, top: 0, height: 1280)
    let odd = DrawnLine(Line(start: start, end: end, width: 0), left: 0, top: 1280, height: 1280)
    let text = MeasuredText.monospaced("see you")
    #expect(DrawnText(text, on: [first, odd], empty: empty, .letters(20)).lines.map(\.line.end) == [4])
    #expect(DrawnText(text, on: [odd], empty: empty, .letters(20)).lines.map(\.line.end) == [0])
}

@Test func `rectangles of stretches side by side tile what is drawn of each line`() {
    forEachSeed(400) { random in
        let (text, breaker) = randomText(&random)
        let drawn = drawn(text, breaker, cutAt: Bool.random(using: &random) ? 2 : .max)
        return drawn.lines.allSatisfy { placed in
            let whole = drawn.rectangles(of: placed.line.start..<placed.line.end).rectangles
            let parts = zip(drawn.stops(of: placed.line), drawn.stops(of: placed.line).dropFirst())
                .flatMap { drawn.rectangles(of: $0..<$1).rectangles }.sorted { $0.left < $1.left }
            let isWithin = whole.allSatisfy {
                placed.left <= $0.left && $0.left + $0.width <= placed.left + placed.line.width
            }
            let hasMark = placed.line.traits.contains(.hyphen) || placed.line.traits.contains(.ellipsis)
            let isWhole = hasMark || whole.reduce(0) { $0 + $1.width } == placed.line.width
            // Each begins where the one before ends.
            let isTiled = zip(parts, parts.dropFirst()).allSatisfy { $0.left + $0.width == $1.left }
            return whole.count <= 1 && isWithin && isWhole && isTiled
                && parts.reduce(0) { $0 + $1.width } == whole.reduce(0) { $0 + $1.width }
        }
    }
}

@Test func `a stretch covers what the stretches that it is made of cover, in any text`() {
    forEachSeed(300) { random in
        let (text, breaker) = randomText(&random)
        let drawn = drawn(text, breaker)
        let places = (0..<3).map { _ in Int32.random(in: 0...Int32(text.count), using: &random) }.sorted()
        func width(_ range: Range<Int32>) -> Int32 {
            drawn.rectangles(of: drawn.graphemes(range)).rectangles.reduce(0) { $0 + $1.width }
        }
        let middle = drawn.graphemes(places[1]..<places[1]).lowerBound
        guard places[0] < middle, middle < places[2] else { return true }
        return width(places[0]..<places[2]) == width(places[0]..<middle) + width(middle..<places[2])
    }
}

@Test func `the point where a caret stands is hit as a place whose caret stands there`() {
    forEachSeed(400) { random in
        let (text, breaker) = randomText(&random)
        let drawn = drawn(text, breaker, cutAt: Bool.random(using: &random) ? 2 : .max)
        return (0...Int32(text.count)).allSatisfy { offset in
            let carets = drawn.carets(at: offset)
            return [carets.downstream, carets.upstream].compactMap(\.self).allSatisfy { caret in
                let hit = drawn.hit(x: caret.x, y: caret.top)
                return drawn.caret(hit).map { $0.x == caret.x && $0.top == caret.top } ?? false
            }
        }
    }
}

@Test func `in a text of one direction the place is hit whose caret it is`() {
    forEachSeed(300) { random in
        let text = MeasuredText.monospaced(.random(words: 8, isPlain: true, using: &random))
        let drawn = drawn(text, .units(.random(in: 700...8000, using: &random)))
        return (0...Int32(text.count)).allSatisfy { offset in
            let carets = drawn.carets(at: offset)
            guard let caret = carets.downstream, offset < text.count else { return true }
            // Spaces that hang take no room: the places around them are one.
            let hit = drawn.hit(x: caret.x, y: caret.top)
            return hit.offset == carets.offset
                || drawn.rectangles(of: min(hit.offset, carets.offset)..<max(hit.offset, carets.offset)).rectangles
                    .isEmpty
        }
    }
}

@Test func `any point whatever hits a place of the text`() {
    forEachSeed(200) { random in
        let (text, breaker) = randomText(&random)
        let drawn = drawn(text, breaker)
        let numbers: [Int32] = [.min, -1, 0, 1500, .max]
        return numbers.allSatisfy { x in
            numbers.allSatisfy { y in
                let hit = drawn.hit(x: x, y: y)
                return 0...Int32(text.count) ~= hit.offset && drawn.distance(x: x, y: y) >= 0
                    && drawn.graphemes(hit.offset..<hit.offset).lowerBound == hit.offset
            }
        }
    }
}

// A place in letters of ten pixels from the left edge of the first line.
private func letters(_ x: Int32?) -> Int32? { x.map { ($0 - 1000) / Monospaced.letter } }

@Test(
    arguments: [
        ("abc", 0, 0, nil), ("abc", 1, 1, 1), ("abc", 3, nil, 3), ("ab אב cd", 3, 5, 3), ("ab אב cd", 5, 5, 3),
        ("ab אב cd", 4, 4, 4), ("אב ab", 3, 0, 2), ("אב ab", 5, nil, 2), ("e\u{301}x", 1, 0, nil), ("", 0, 0, nil),
    ] as [(String, Int32, Int32?, Int32?)])
func `where directions meet a caret has two places: before the next letter and behind the last one`(
    text: String, offset: Int32, downstream: Int32?, upstream: Int32?
) {
    let carets = drawn(text).carets(at: offset)
    #expect(letters(carets.downstream?.x) == downstream && letters(carets.upstream?.x) == upstream, "\(carets)")
}

@Test func `where a line wraps a caret stands at the end of the one and at the start of the next`() {
    let carets = drawn("see you", atLetters: 3).carets(at: 4)
    #expect(carets.upstream == .init(x: 1000 + 3 * 640, top: 2000, height: 1280, isRightToLeft: false))
    #expect(carets.downstream == .init(x: 1064, top: 3280, height: 1280, isRightToLeft: false))
    let behindNewline = drawn("a\nb").carets(at: 2)
    #expect(behindNewline.upstream == nil && behindNewline.downstream?.top == 3280)
}

@Test func `what was cut has no rectangle, and its carets stand where it begins`() {
    let text = drawn("see you at nine", atLetters: 7, cutAt: 1)
    #expect(text.shownEnd == 6)
    #expect(text.rectangles(of: 6..<15).rectangles.isEmpty)
    #expect(text.rectangles(of: 4..<15).rectangles.map(\.width) == [2 * 640])
    let (shown, hidden) = (text.carets(at: 6), text.carets(at: 9))
    #expect(!shown.isHidden && hidden.isHidden && hidden.offset == 9)
    #expect(hidden.upstream == shown.upstream && hidden.downstream == nil && letters(hidden.upstream?.x) == 6)
}

@Test func `spaces that hang take no room, and a caret behind them stands where the line ends`() {
    let text = drawn("see   you", atLetters: 4)
    #expect(text.rectangles(of: 0..<6).rectangles.map(\.width) == [3 * 640])
    #expect(text.rectangles(of: 3..<6).rectangles.isEmpty)
    #expect(letters(text.carets(at: 6).upstream?.x) == 3 && letters(text.carets(at: 4).downstream?.x) == 3)
}

@Test func `a stretch has whole graphemes`() {
    let family = "👨‍👩‍👧"
    let text = drawn("a\(family)b")
    let end = Int32(1 + family.utf16.count)
    for (range, whole) in [(1..<2, 1..<end), (3..<4, 1..<end), (0..<2, 0..<end), (4..<4, 1..<1), (5..<99, 1..<end + 1)]
        as [(Range<Int32>, Range<Int32>)]
    {
        #expect(text.graphemes(range) == whole)
    }
}

@Test func `thousands of empty lines take no time where the rectangles of many stretches are asked for`() {
    let count = 8000
    let text = MeasuredText(
        advances: Array(repeating: 0, count: count), marks: Array(repeating: [.cluster, .newline], count: count),
        runs: (0..<count).map { TextRun(start: Int32($0), unitsPerEm: Monospaced.unitsPerEm, font: 0) },
        styles: [Monospaced.metrics()])
    let drawn = drawn(text, .letters(5))
    #expect(drawn.lines.count == count)
    var isAnyDrawn = false
    let time = processorTime {
        for _ in 0..<40 {
            let (rectangles, end) = drawn.rectangles(of: 0..<Int32(count), atMost: 1)
            isAnyDrawn = isAnyDrawn || !rectangles.isEmpty || end != Int32(count)
        }
    }
    #expect(!isAnyDrawn && time < .milliseconds(100), "\(time)")
}

@Test func `a grapheme of thousands of units is found at once, also among thousands of lines`() {
    let (lines, units) = (4000 as Int32, 12_000 as Int32)
    // Each unit is a letter on a line of its own, and the last one has eight thousand marks.
    let text = MeasuredText(
        advances: (0..<units).map { $0 < lines ? Monospaced.letter : 0 },
        marks: (0..<units).map { $0 < lines ? .cluster : [] },
        runs: [TextRun(start: 0, unitsPerEm: Monospaced.unitsPerEm, font: 0)], styles: [Monospaced.metrics()])
    let drawn = drawn(text, .letters(1))
    #expect(drawn.lines.count == Int(lines))
    var found: Set<Range<Int32>> = []
    let time = processorTime {
        for unit in units - 20..<units { found.insert(drawn.graphemes(unit..<unit + 1)) }
    }
    #expect(found == [lines - 1..<units] && time < .milliseconds(300), "\(time)")
}

@Test(
    arguments: [
        (700, 0, 1, false, 0, true), (100, 0, 0, true, 0, true), (-50, 0, 0, true, 0, false),
        (9999, 0, 3, false, 2, false),
        (700, 9999, 1, false, 0, false),
    ] as [(Int32, Int32, Int32, Bool, Int32, Bool)])
func `a point hits a side of a letter, and says whether it is in it`(
    x: Int32, y: Int32, offset: Int32, isDownstream: Bool, letter: Int32, isInside: Bool
) {
    let hit = drawn("abc").hit(x: 1000 + x - (x == 700 ? 100 : 0), y: 2000 + y)
    #expect(hit.offset == offset && hit.isDownstream == isDownstream && hit.isInside == isInside, "\(hit)")
    #expect(hit.grapheme == letter..<letter + 1)
}

@Test func `there are no more rectangles than were asked for, and the place says where they end`() {
    let text = drawn("a\nb\nc\nd")
    let (rectangles, end) = text.rectangles(of: 0..<7, atMost: 2)
    #expect(rectangles.count == 2 && end == 4)
    #expect(text.rectangles(of: end..<7, atMost: 2).end == 7)
}

@Test func `the runs of a line meet, are as wide as what is drawn of it, and stand where their units are`() {
    forEachSeed(300) { random in
        let (text, breaker) = randomText(&random)
        let drawn = drawn(text, breaker, cutAt: Bool.random(using: &random) ? 2 : .max)
        return drawn.lines.indices.allSatisfy { number in
            let runs = drawn.runs(ofLine: number)
            let line = drawn.lines[number].line
            let whole = drawn.rectangles(of: line.start..<line.end).rectangles
            return zip(runs, runs.dropFirst()).allSatisfy { $0.x + $0.advance == $1.x }
                && runs.first?.x == whole.first?.left
                && runs.reduce(0) { $0 + $1.advance } == whole.reduce(0) { $0 + $1.width }
                && runs.allSatisfy { run in
                    drawn.rectangles(of: run.range).rectangles.map { [$0.left, $0.width] } == [[run.x, run.advance]]
                }
        }
    }
}

@Test func `a run says its font, and none where it is an inline box`() {
    let text = RichText(
        units: Array("a\u{fffc} \u{5d0}".utf16),
        boxes: [InlineBox(position: 1, extent: .em(width: 900, ascent: 1200, descent: 300))])
    let runs = drawn(.monospaced(text), .letters(20)).runs(ofLine: 0)
    #expect(runs.first { $0.range.contains(0) }?.font == 0 && runs.first { $0.range.contains(0) }?.level == 0)
    #expect(runs.contains { $0.range.contains(1) && $0.font == nil })
    #expect(runs.first { $0.range.contains(3) }?.level == 1)
}
