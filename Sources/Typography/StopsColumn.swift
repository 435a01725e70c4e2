/// Many texts, of which the stops of the plain ones stand in one piece of memory: what a reader keeps who lays out whole
/// conversations at widths that nobody foresaw.
///
/// Ten thousand texts that each have memory of their own are ten thousand waits for it; in one piece they come by
/// themselves. And one loop goes through all lines, as if they were of one text: how many lines a text has cannot be
/// foretold, and to guess it wrong costs as much as a line.
package struct StopsColumn: Sendable {
    private var ends: [Int32] = Array(repeating: 0, count: Stops.lanes)
    private var breaks: [Stops.Break] = []
    private var items: [Stops.Item] = [.never]
    /// Units up to the next text: what stands in the column goes on counting.
    private var sum: Int32 = 0
    private var stretches: [Stretch] = []
    /// The texts themselves, for those that are not plain and for boxes in which a word does not fit.
    private var texts: [MeasuredText] = []

    /// Texts that follow each other and are broken alike.
    private struct Stretch {
        /// Of their advances, if they are plain.
        var unit: AdvanceUnit?
        var textEnd: Int
        var stopEnd: Int
    }

    package init() {}

    package var count: Int { texts.count }

    package mutating func append(_ text: MeasuredText) {
        let stops = text.stops
        ends.removeLast(Stops.lanes)
        ends += stops.isPlain ? stops.ends.map { $0 &+ sum } : Array(repeating: sum, count: Stops.lanes)
        items.removeLast()
        for item in stops.items.dropLast() {
            items.append(Stops.Item(stop: item.stop + breaks.count, units: item.units &+ sum))
        }
        items.append(.never)
        for var stop in stops.breaks {
            stop.next &+= sum
            breaks.append(stop)
        }
        sum = breaks.last?.next ?? 0
        texts.append(text)
        if stretches.last?.unit != stops.unit || stretches.isEmpty {
            stretches.append(Stretch(unit: stops.unit, textEnd: 0, stopEnd: 0))
        }
        stretches[stretches.count - 1].textEnd = texts.count
        stretches[stretches.count - 1].stopEnd = breaks.count
    }
}

/// The lines of all texts of a column, in memory that is used again.
package struct ColumnLines: ~Copyable {
    package fileprivate(set) var lines = LineBuffer()
    /// Behind the last line of each text.
    fileprivate var ends: [Int] = []

    package init() {}

    /// Of the `i`-th text, in `lines`.
    package func range(of i: Int) -> Range<Int> { (i > 0 ? ends[i - 1] : 0)..<ends[i] }
}

extension LineBreaker {
    /// Writes the lines of every text of the column.
    package func breakLines(of column: borrowing StopsColumn, into result: inout ColumnLines) {
        result.lines.removeAll()
        result.ends.setCount(column.count, to: 0)
        column.breakLines(self, &result.lines, &result.ends)
    }
}

extension StopsColumn {
    fileprivate borrowing func breakLines(_ breaker: LineBreaker, _ lines: inout LineBuffer, _ lineEnds: inout [Int]) {
        var lineEnds = lineEnds.mutableSpan
        var place = PlainPlace(items.span)
        var text = 0
        for stretch in stretches {
            if let unit = stretch.unit {
                let ruler = breaker.ruler(for: unit)
                place = breakPlain(breaker, ruler, from: place, to: stretch.stopEnd, text, &lines, &lineEnds)
                text = stretch.textEnd
            } else {
                while text < stretch.textEnd {
                    breaker.breakLines(of: texts.span[text], into: &lines)
                    lineEnds[text] = lines.count
                    text += 1
                }
            }
        }
    }

    /// By itself, so that what changes with every line stands in registers.
    @inline(never)
    private func breakPlain(
        _ breaker: LineBreaker, _ ruler: Ruler, from place: PlainPlace, to end: Int, _ text: Int,
        _ lines: inout LineBuffer, _ lineEnds: inout MutableSpan<Int>
    ) -> PlainPlace {
        var place = place
        var text = text
        let ends = ends.span
        let breaks = breaks.span
        let items = items.span
        while place.stop < end {
            let (line, next) =
                ruler.nextLine(ends, breaks, items, from: place)
                ?? breaker.wordLine(of: texts.span[text], breaks, items, from: place)
            lines.append(line)
            place = next
            // Written with every line, and left behind with the last: no branch.
            lineEnds[text] = lines.count
            text &+= place.start == 0 ? 1 : 0
        }
        return place
    }
}
