import TestSupport
import Testing
import Typography

// Time and size: texts that nobody writes, and some program may send.

/// A text of letters of ten pixels, in as many runs.
private func letters(_ count: Int, _ run: (Int) -> TextRun) -> MeasuredText {
    MeasuredText(
        advances: Array(repeating: Monospaced.letter, count: count), marks: Array(repeating: .cluster, count: count),
        runs: (0..<count).map(run), styles: [Monospaced.metrics()])
}

/// True where a text of eight times as many letters takes not much more than eight times as long; 64 when quadratic.
private func isLinear(_ count: Int, _ text: (Int) -> MeasuredText, _ body: (inout MeasuredText) -> Void) -> Bool {
    func time(_ count: Int) -> Duration {
        var text = text(count)
        return (0..<2).map { _ in processorTime { body(&text) } }.min()!
    }
    // Caches of the machine may spoil a measurement, but not all of them.
    return (0..<3).contains { _ in time(8 * count) < time(count) * 24 + .milliseconds(4) }
}

@Test func `lines between numbers of two directions are marked in time in proportion to their number`() {
    let isLinear = isLinear(1000) { count in
        letters(count) { i in
            TextRun(
                start: Int32(i), unitsPerEm: Monospaced.unitsPerEm, font: 0, level: i % 2 == 0 ? 1 : 2,
                beginsItem: false, paragraphLevel: 1)
        }
    } _: { text in
        let lines = LineBreaker.letters(2).lines(of: text)
        precondition(lines.count == text.count / 2)
    }
    #expect(isLinear)
}

@Test func `the items of a word are found in time in proportion to their number`() {
    let isLinear = isLinear(4000) { count in
        letters(count) { TextRun(start: Int32($0), unitsPerEm: Monospaced.unitsPerEm, font: 0) }
    } _: { text in
        text.findStops()
        precondition(text.stops.isPlain)
    }
    #expect(isLinear)
}

@Test func `a text of thousands of kinds of runs is stored in time in proportion to their number`() throws {
    func text(_ count: Int) -> MeasuredText {
        letters(count) {
            TextRun(
                start: Int32($0), unitsPerEm: Monospaced.unitsPerEm, font: 0, script: UInt16($0 / 2),
                level: UInt8($0 % 2 * 2))
        }
    }
    let isLinear = isLinear(1000, text) { text in precondition(text.encoded().count > 8 * text.count) }
    #expect(isLinear)
    #expect(try MeasuredText(decoding: text(1000).encoded()) == text(1000))
}
