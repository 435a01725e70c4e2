/// Many texts, of which the plain ones stand in one piece of memory: what a reader keeps who lays out whole
/// conversations at widths that nobody foresaw.
///
/// Ten thousand texts that each have memory of their own are ten thousand waits for it; in one piece they come by
/// themselves, and a new width for all of them takes less than a millisecond.
package struct StopsColumn: Sendable {
    private var entries: [Entry] = []
    private var numbers: [Int32] = []
    /// The texts themselves, for those that are not plain and for boxes in which a word does not fit.
    private var texts: [MeasuredText] = []

    private struct Entry {
        var head: Stops.Head
        var start: Int
    }

    package init() {}

    package var count: Int { entries.count }

    package mutating func append(_ text: MeasuredText) {
        let stops = text.stops
        entries.append(Entry(head: stops.head, start: numbers.count))
        if stops.isPlain { numbers += stops.numbers }
        texts.append(text)
    }
}

extension LineBreaker {
    /// Appends the lines of the column's `i`-th text.
    package func breakLines(of column: borrowing StopsColumn, at i: Int, into lines: inout LineBuffer) {
        if !column.breakPlain(i, with: self, into: &lines) { column.breakAny(i, with: self, into: &lines) }
    }
}

extension StopsColumn {
    @inline(__always)
    fileprivate func breakPlain(_ i: Int, with breaker: LineBreaker, into lines: inout LineBuffer) -> Bool {
        let entry = entries[i]
        guard entry.head.isPlain else { return false }
        let before = lines.count
        var place = LineBreaker.Place()
        let isDone = breaker.breakPlainLines(entry.head, numbers.span, at: entry.start, from: &place, into: &lines)
        if !isDone { lines.shrink(to: before) }
        return isDone
    }

    @inline(never)
    fileprivate func breakAny(_ i: Int, with breaker: LineBreaker, into lines: inout LineBuffer) {
        breaker.breakLines(of: texts[i], into: &lines)
    }
}
