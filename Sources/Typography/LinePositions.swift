/// The place of every unit of one line, on which carets, hit tests, selections and entities are based.
///
/// Logical positions grow in reading order from 0; visual runs say where each stretch of them is drawn. Lengths are in
/// 1/64 device pixel from the left edge of the box.
package struct LinePositions: Hashable, Sendable {
    package let line: Line
    /// Left edge of the content, spaces that hang left out.
    package let left: Int32
    /// The runs from left to right; together they cover the line, spaces that hang included.
    package let runs: [VisualRun]
    /// Advance from the start of the line to each unit and to its end.
    let logical: [Int32]
    /// Whether a caret may stand before each unit.
    let isCaret: [Bool]

    /// A stretch of one bidi level, as drawn.
    package struct VisualRun: Hashable, Sendable {
        package var start: Int32
        package var end: Int32
        package var left: Int32
        package var width: Int32
        package var level: UInt8
        /// Place in the measured text's runs.
        package var run: Int32

        package var isRightToLeft: Bool { level & 1 == 1 }
    }
}

extension LineBreaker {
    /// Left edge of a line's content: by the direction of its paragraph.
    package func left(of line: Line) -> Int32 { line.traits.contains(.rightToLeft) ? box - line.width : 0 }

    package func positions(of line: Line, in text: MeasuredText) -> LinePositions {
        LinePositions(line, in: text, self)
    }
}

extension LinePositions {
    fileprivate init(_ line: Line, in text: MeasuredText, _ breaker: LineBreaker) {
        self.line = line
        left = breaker.left(of: line)
        guard line.end > line.start else {
            (runs, logical, isCaret) = ([], [0], [true])
            return
        }
        let logical = Self.logical(line, in: text, breaker)
        let contentEnd = text.contentEnd(of: line)
        let isRightToLeft = line.traits.contains(.rightToLeft)
        var pieces = Self.pieces(of: line, contentEnd: contentEnd, in: text)
        Self.reorder(&pieces)
        // Spaces that hang reach past the content: to the right, or to the left of a right-to-left line.
        let hanging = logical[logical.count - 1] - logical[Int(contentEnd - line.start)]
        let shown = line.width - logical[Int(contentEnd - line.start)]  // hyphen or ellipsis
        var x = left + (isRightToLeft ? shown - hanging : 0)
        for i in pieces.indices {
            pieces[i].left = x
            pieces[i].width = logical[Int(pieces[i].end - line.start)] - logical[Int(pieces[i].start - line.start)]
            x &+= pieces[i].width
        }
        (runs, self.logical) = (pieces, logical)
        isCaret = (line.start..<line.end).map { text.marks[Int($0)].contains(.cluster) }
    }

    /// The advance from the start of a line to each of its units, and to its end.
    private static func logical(_ line: Line, in text: borrowing MeasuredText, _ breaker: LineBreaker) -> [Int32] {
        var positions: [Int32] = []
        positions.reserveCapacity(Int(line.end - line.start) + 1)
        var pen = Pen(text, at: line.start, breaker: breaker)
        for i in Int(line.start)..<Int(line.end) {
            if i == pen.runEnd { pen.beginRun(text, at: i, breaker: breaker) }
            positions.append(pixels(pen.width))
            if text.marks[i].contains(.tab) {
                pen.advanceToTabStop()
            } else {
                pen.exact &+= Int64(text.advances[i]) &* pen.factor
            }
        }
        positions.append(pixels(pen.width))
        // The changes of a break belong to the first and the last cluster; a hyphen or an ellipsis belongs to none.
        positions[0] = 0
        if text.endsAtBreak(line) {
            positions[positions.count - 1] = line.width
        } else if line.traits.contains(.ellipsis), text.contentEnd(of: line) == line.end {
            positions[positions.count - 1] = line.width - breaker.ellipsis(of: text, from: line.start)
        }
        return positions
    }

    /// The line's share of each run; trailing spaces are pieces of their own, at the paragraph's level (UAX #9, L1).
    private static func pieces(of line: Line, contentEnd: Int32, in text: MeasuredText) -> [VisualRun] {
        var pieces: [VisualRun] = []
        func add(_ start: Int32, _ end: Int32, _ level: UInt8, _ run: Int) {
            guard start < end else { return }
            pieces.append(VisualRun(start: start, end: end, left: 0, width: 0, level: level, run: Int32(run)))
        }
        var start = line.start
        for run in text.run(at: line.start)..<text.runs.count {
            let end = min(line.end, run + 1 < text.runs.count ? text.runs[run + 1].start : Int32(text.count))
            guard start < line.end else { break }
            add(start, min(end, contentEnd), text.runs[run].level, run)
            add(max(start, contentEnd), end, text.runs[run].paragraphLevel, run)
            start = end
        }
        return pieces
    }

    /// Reverses every stretch at a level or above, from the highest level to the lowest odd one (UAX #9, L2).
    private static func reorder(_ pieces: inout [VisualRun]) {
        guard var level = pieces.map(\.level).max() else { return }
        while level > 0 {
            var i = 0
            while i < pieces.count {
                guard pieces[i].level >= level else {
                    i += 1
                    continue
                }
                let end = pieces[i...].firstIndex { $0.level < level } ?? pieces.count
                pieces[i..<end].reverse()
                i = end
            }
            level -= 1
        }
    }
}

extension LinePositions {
    /// The x of a caret before `position`. Between two directions it stands where the unit at `position` begins.
    package func caret(at position: Int32) -> Int32 {
        guard let run = runs.first(where: { $0.start <= position && position < $0.end }) else { return endCaret }
        return x(position, in: run)
    }

    /// The x where the unit at a place begins, and its direction; nil at the end of the line.
    func leading(at place: Int32) -> (x: Int32, isRightToLeft: Bool)? {
        runs.first { $0.start <= place && place < $0.end }.map { (x(place, in: $0), $0.isRightToLeft) }
    }

    /// The x where a grapheme ends, and its direction: that of its first unit, as the others have no width.
    func trailing(of grapheme: Range<Int32>) -> (x: Int32, isRightToLeft: Bool)? {
        runs.first { $0.start <= grapheme.lowerBound && grapheme.lowerBound < $0.end }
            .map { (x(min(grapheme.upperBound, $0.end), in: $0), $0.isRightToLeft) }
    }

    /// The advance from the start of the line to a place.
    func advance(to place: Int32) -> Int32 { logical[Int(place - line.start)] }

    /// The caret behind the last unit of the line.
    private var endCaret: Int32 {
        guard let last = runs.max(by: { $0.end < $1.end }) else { return left }
        return x(last.end, in: last)
    }

    private func x(_ position: Int32, in run: VisualRun) -> Int32 {
        let start = logical[Int(run.start - line.start)]
        let offset = logical[Int(position - line.start)] - start
        return run.isRightToLeft ? run.left &+ run.width &- offset : run.left &+ offset
    }

    /// The cluster under `x` and the caret place nearest to it. Left and right of the line the nearest end counts.
    package func hit(_ x: Int32) -> (cluster: Int32, caret: Int32) {
        guard let run = runs.min(by: { distance(x, from: $0) < distance(x, from: $1) }) else {
            return (line.start, line.start)
        }
        let stops = (run.start..<run.end).filter { $0 == run.start || isCaret[Int($0 - line.start)] } + [run.end]
        var best = (cluster: run.start, caret: run.start, distance: Int64.max)
        for (start, end) in zip(stops, stops.dropFirst()) {
            let edges = (self.x(start, in: run), self.x(end, in: run))
            let (low, high) = (min(edges.0, edges.1), max(edges.0, edges.1))
            let away = max(Int64(low) - Int64(x), Int64(x) - Int64(high), 0)
            guard away < best.distance else { continue }
            let isNearerStart = abs(Int64(x) - Int64(edges.0)) <= abs(Int64(x) - Int64(edges.1))
            best = (start, isNearerStart ? start : end, away)
        }
        return (best.cluster, best.caret)
    }

    private func distance(_ x: Int32, from run: VisualRun) -> Int64 {
        max(Int64(run.left) - Int64(x), Int64(x) - Int64(run.left &+ run.width), 0)
    }

    /// The spans that a selection of `start..<end` covers on this line, from left to right; pieces that touch are one.
    package func spans(of start: Int32, _ end: Int32) -> [(left: Int32, width: Int32)] {
        var spans: [(left: Int32, width: Int32)] = []
        for run in runs {
            let from = max(start, run.start)
            let to = min(end, run.end)
            guard from < to else { continue }
            let edges = (x(from, in: run), x(to, in: run))
            let left = min(edges.0, edges.1)
            let width = max(edges.0, edges.1) &- left
            if let last = spans.last, last.left &+ last.width == left {
                spans[spans.count - 1].width &+= width
            } else {
                spans.append((left, width))
            }
        }
        return spans
    }
}

extension LineBreaker {
    /// The span that `start..<end` covers on one line of a plain text of one run from left to right. Most entities
    /// are in such texts, and need no place of every unit. Nil for other texts.
    package func plainSpan(
        of start: Int32, _ end: Int32, on line: Line, in text: borrowing MeasuredText
    ) -> (left: Int32, width: Int32)? {
        guard let unit = text.stops.unit, text.runs.count == 1, text.runs[0].level == 0,
            text.runs[0].paragraphLevel == 0, line.end > line.start
        else { return nil }
        let factor = ruler(for: unit).factor
        let from = max(start, line.start)
        let to = max(from, min(end, line.end))
        let beginning = text.beginning(at: line.start)
        func advance(to position: Int32) -> Int32 {
            if position == line.start { return 0 }
            if position == line.end, text.endsAtBreak(line) { return line.width }
            return max(0, factor.pixels(beginning &+ text.units(from: line.start, to: position)))
        }
        let left = advance(to: from)
        return (left, advance(to: to) &- left)
    }
}

extension MeasuredText {
    /// The place where spaces that hang at the end of a line begin.
    func contentEnd(of line: Line) -> Int32 {
        var end = line.end
        while end > line.start, !marks[Int(end) - 1].isDisjoint(with: [.space, .newline]) { end -= 1 }
        return end
    }

    /// Whether a line ends where the break changed the advance before it.
    func endsAtBreak(_ line: Line) -> Bool {
        line.end < count && marks[Int(line.end)].contains(.unsafe)
            && line.traits.isDisjoint(with: [.hyphen, .ellipsis])
            && !marks[Int(line.end) - 1].contains(.space)
    }
}
