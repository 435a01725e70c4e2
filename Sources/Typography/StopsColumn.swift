import Bytes

/// Many texts, with the stops of the plain ones in one piece of memory, for a reader that lays out whole
/// conversations at widths not known before.
///
/// Ten thousand texts that each have memory of their own are ten thousand waits for it; one piece is prefetched. And
/// one loop goes through all lines, as if they were of one text: the number of lines of a text cannot be predicted,
/// and a wrong prediction costs as much as a line.
package struct StopsColumn: Equatable, Sendable {
    private var ends: [Int32] = Array(repeating: 0, count: Stops.lanes)
    private var breaks: [Stops.Break] = []
    private var items: [Stops.Item] = [.never]
    /// Units up to the next text: sums go on from one text of the column to the next.
    private(set) var sum: Int32 = 0
    private var stretches: [Stretch] = []
    /// The stored forms of all texts, for boxes in which a word does not fit, and where each ends.
    private var stored: [UInt8] = []
    private var storedEnds: [Int] = []
    /// The texts that are not plain.
    private var others: [MeasuredText] = []

    /// Texts that follow each other and are broken alike.
    private struct Stretch: Equatable {
        /// The unit of their advances, if they are plain.
        var unit: AdvanceUnit?
        var textEnd: Int
        var stopEnd: Int
    }

    package init() {}

    package var count: Int { storedEnds.count }

    /// The approximate bytes of memory.
    package var bytes: Int {
        stored.count + 8 * storedEnds.count + 4 * ends.count + 8 * breaks.count + 16 * items.count
            + others.reduce(0) { $0 + Self.bytesPerText + Self.bytesPerUnit * $1.count }
    }

    private static let (bytesPerText, bytesPerUnit) = (512, 16)

    /// Removes all texts, and keeps the memory.
    package mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        ends.setCount(Stops.lanes)
        breaks.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        items.append(.never)
        sum = 0
        stretches.removeAll(keepingCapacity: true)
        stored.removeAll(keepingCapacity: true)
        storedEnds.removeAll(keepingCapacity: true)
        others.removeAll(keepingCapacity: true)
    }

    package mutating func append(_ text: MeasuredText) { append(text, stored: text.encoded().span) }

    /// - Parameter bytes: the stored form of the text.
    mutating func append(_ text: MeasuredText, stored bytes: borrowing Span<UInt8>) {
        // Lines of a text in two directions have marks that stops do not have.
        let stops = text.isMixed ? Stops() : text.stops
        keep(bytes)
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
        if !stops.isPlain { others.append(text) }
        close(stops.unit)
    }

    /// Appends a plain text: its stops as they stand behind the others, the ends that are read beyond them, and the
    /// items that begin inside of it.
    mutating func append(
        _ ends: ArraySlice<Int32>, _ breaks: ArraySlice<Stops.Break>, _ items: [Stops.Item], _ unit: AdvanceUnit,
        stored bytes: borrowing Span<UInt8>
    ) {
        keep(bytes)
        if !items.isEmpty {
            self.items.removeLast()
            for item in items { self.items.append(Stops.Item(stop: item.stop + self.breaks.count, units: item.units)) }
            self.items.append(.never)
        }
        self.ends.removeLast(Stops.lanes)
        self.ends.append(contentsOf: ends)
        self.breaks.append(contentsOf: breaks)
        close(unit)
    }

    private mutating func keep(_ bytes: borrowing Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe stored.append(contentsOf: $0) }
        storedEnds.append(stored.count)
    }

    private mutating func close(_ unit: AdvanceUnit?) {
        sum = breaks.last?.next ?? 0
        if stretches.last?.unit != unit || stretches.isEmpty {
            stretches.append(Stretch(unit: unit, textEnd: 0, stopEnd: 0))
        }
        stretches[stretches.count - 1].textEnd = count
        stretches[stretches.count - 1].stopEnd = breaks.count
    }

    private func place(of text: Int) -> Range<Int> { (text > 0 ? storedEnds[text - 1] : 0)..<storedEnds[text] }

    /// Whether a text is broken by its stops alone.
    package func isPlain(_ text: Int) -> Bool { stretches.first { text < $0.textEnd }?.unit != nil }

    /// Whether a text has this stored form.
    package func isStored(_ text: Int, as bytes: Span<UInt8>) -> Bool {
        let place = place(of: text)
        return place.count == bytes.count && stored.span.isEqual(to: bytes, at: place.lowerBound)
    }

    /// One of the texts, decoded anew.
    package func text(_ number: Int) -> MeasuredText {
        do throws(MeasuredTextError) {
            var text = MeasuredText.empty
            try text.decode(stored[place(of: number)])
            return text
        } catch {
            preconditionFailure("a text whose stops were read is one: \(error)")
        }
    }
}

/// The lines of all texts of a column, in memory that is used again.
package struct ColumnLines: ~Copyable {
    package fileprivate(set) var lines = LineBuffer()
    /// The place behind the last line of each text.
    fileprivate var ends: [Int] = []

    package init() {}

    /// The lines of the `i`-th text, in `lines`.
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
        var (text, other) = (0, 0)
        for stretch in stretches {
            if let unit = stretch.unit {
                let ruler = breaker.ruler(for: unit)
                place = breakPlain(breaker, ruler, from: place, to: stretch.stopEnd, text, &lines, &lineEnds)
                text = stretch.textEnd
            } else {
                while text < stretch.textEnd {
                    breaker.breakLines(of: others.span[other], into: &lines)
                    lineEnds[text] = lines.count
                    text += 1
                    other += 1
                }
            }
        }
    }

    /// A function of its own, so that values which change with every line stand in registers.
    @inline(never)
    private func breakPlain(
        _ breaker: LineBreaker, _ ruler: Ruler, from place: PlainPlace, to end: Int, _ text: Int,
        _ lines: inout LineBuffer, _ lineEnds: inout MutableSpan<Int>
    ) -> PlainPlace {
        var place = place
        var text = text
        var whole = Whole()
        let first = lines.count
        let ends = ends.span
        let breaks = breaks.span
        let items = items.span
        while place.stop < end {
            let (line, next) =
                ruler.nextLine(ends, breaks, items, from: place)
                ?? wordLine(of: text, &whole, breaker, breaks, items, from: place)
            lines.append(line)
            place = next
            // Written with every line, so that the last one stays: no branch.
            lineEnds[text] = lines.count
            text &+= place.start == 0 ? 1 : 0
        }
        if whole.isAnyJoined { lines.carryCuts(from: first) }
        return place
    }

    /// A text that was decoded after all, and is kept: words that do not fit often follow each other.
    private struct Whole {
        var number = -1
        var text = MeasuredText.empty
        /// Whether some text has joined letters.
        var isAnyJoined = false
    }

    @inline(never)
    private func wordLine(
        of text: Int, _ whole: inout Whole, _ breaker: LineBreaker, _ breaks: borrowing Span<Stops.Break>,
        _ items: borrowing Span<Stops.Item>, from place: PlainPlace
    ) -> (line: Line, behind: PlainPlace) {
        if whole.number != text { (whole.number, whole.text) = (text, self.text(text)) }
        guard !whole.text.joins.isEmpty else { return breaker.wordLine(of: whole.text, breaks, items, from: place) }
        whole.isAnyJoined = true
        var (line, next) = breaker.wordLine(of: whole.text, breaks, items, from: place)
        line.markCuts(of: whole.text.joins)
        return (line, next)
    }
}
