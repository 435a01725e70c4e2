/// A measured text on the lines on which it is drawn. It tells the place of any stretch, the place of a caret, and
/// the text at a point. Nothing is measured or broken for it, and the answers agree with the drawing.
///
/// Lengths are 1/64 device pixel; y grows downward. Spaces that hang at the end of a line are not drawn, and take no
/// room here.
package struct DrawnText: Sendable {
    package let text: MeasuredText
    /// The lines, at least one.
    package let lines: [DrawnLine]
    private let breaker: LineBreaker

    /// - Parameters:
    ///   - lines: in order; their widths are found out here.
    ///   - empty: stands for the line of a text that has none.
    package init(_ text: MeasuredText, on lines: [DrawnLine], empty: DrawnLine, _ breaker: LineBreaker) {
        let known = lines.filter { $0.line.isStretch(of: text) }
        self.lines = (known.isEmpty ? [empty] : known).map { placed in
            var placed = placed
            placed.line.width = breaker.width(of: placed.line, in: text)
            return placed
        }
        (self.text, self.breaker) = (text, breaker)
    }

    /// The place behind the last unit that is drawn: the rest was cut.
    package var shownEnd: Int32 { lines[lines.count - 1].line.end }
}

/// A line, and where it is drawn.
package struct DrawnLine: Hashable, Sendable {
    package var line: Line
    /// The left edge of the drawn text.
    package var left: Int32
    package var top: Int32
    package var height: Int32

    package init(_ line: Line, left: Int32, top: Int32, height: Int32) {
        (self.line, self.left, self.top, self.height) = (line, left, top, height)
    }
}

extension Line {
    /// True where its ends are those of a stretch of a text. Those of a line that was stored may be any.
    package func isStretch(of text: borrowing MeasuredText) -> Bool { 0 <= start && start <= end && end <= text.count }
}

extension LineBreaker {
    /// The width of a line whose ends are known.
    package func width(of line: Line, in text: borrowing MeasuredText) -> Int32 {
        var width: Int32 = 0
        let isCut = line.traits.contains(.ellipsis)
        if line.start < line.end {
            walk(text, from: line.start, stopping: .clusters) { candidate in
                // No line ends in front of spaces that hang.
                if candidate.position <= line.end {
                    width = isCut && candidate.showsHyphen ? candidate.rawWidth : candidate.width
                }
                return candidate.position < line.end
            }
        }
        guard isCut, text.count > 0 else { return width }
        return width &+ ellipsis(of: text, from: min(line.start, Int32(text.count) - 1))
    }
}

/// The places on one line, as it is drawn.
private struct DrawnPositions {
    let placed: DrawnLine
    let positions: LinePositions
    /// The drawn part, without a hyphen, an ellipsis, and spaces that hang.
    let content: Range<Int32>
    private let shift: Int32

    init(_ placed: DrawnLine, in text: MeasuredText, _ breaker: LineBreaker) {
        let positions = breaker.positions(of: placed.line, in: text)
        (self.placed, self.positions) = (placed, positions)
        shift = placed.left &- positions.left
        let width = positions.advance(to: text.contentEnd(of: placed.line))
        let isRightToLeft = placed.line.traits.contains(.rightToLeft)
        let start = isRightToLeft ? placed.left &+ max(0, placed.line.width &- width) : placed.left
        content = start..<max(start, start &+ width)
    }

    func drawn(_ x: Int32) -> Int32 { max(content.lowerBound, min(x &+ shift, content.upperBound)) }
    func undrawn(_ x: Int32) -> Int32 { x.subtractingReportingOverflow(shift).overflow ? x : x - shift }
}

// Stretches.
extension DrawnText {
    /// Whole graphemes: a stretch that touches one has all of it, and an empty one stands in front of it.
    package func graphemes(_ range: Range<Int32>) -> Range<Int32> {
        let start = grapheme(at: range.lowerBound)
        guard !range.isEmpty else { return start..<start }
        return start..<graphemeEnd(range.upperBound)
    }

    /// The place itself, or the beginning of the grapheme that it is in.
    private func grapheme(at place: Int32) -> Int32 {
        let place = max(0, min(place, Int32(text.count)))
        guard place < text.count else { return place }
        var start = place
        while start > 0, !text.marks[Int(start)].contains(.cluster) { start -= 1 }
        // A grapheme always ends where a line was broken.
        for placed in lines where placed.line.start <= place { start = max(start, placed.line.start) }
        return start
    }

    /// The place itself, or the end of the grapheme that it is in.
    private func graphemeEnd(_ place: Int32) -> Int32 {
        let place = max(0, min(place, Int32(text.count)))
        var end = place
        while end < text.count, !text.marks[Int(end)].contains(.cluster) { end += 1 }
        for placed in lines where placed.line.start >= place { end = min(end, placed.line.start) }
        return end
    }

    /// The rectangles that a stretch covers, line by line and from left to right; pieces that touch are one.
    /// - Parameter limit: the most rectangles. Lines that would have more are left out.
    /// - Returns: the rectangles, and the end of the stretch that they cover.
    package func rectangles(
        of range: Range<Int32>, atMost limit: Int = .max
    ) -> (rectangles: [TextLayout.Rectangle], end: Int32) {
        var found: [TextLayout.Rectangle] = []
        for placed in lines where placed.line.start < range.upperBound && range.lowerBound < placed.line.end {
            // Nothing is drawn of an empty line, and the limit does not count it.
            guard placed.line.width > 0 else { continue }
            let own = rectangles(of: range, on: placed)
            guard found.count + own.count <= limit else { return (found, max(range.lowerBound, placed.line.start)) }
            found += own
        }
        return (found, range.upperBound)
    }

    private func rectangles(of range: Range<Int32>, on placed: DrawnLine) -> [TextLayout.Rectangle] {
        let places = DrawnPositions(placed, in: text, breaker)
        return places.positions.spans(of: range.lowerBound, range.upperBound).compactMap { span in
            let (left, right) = (places.drawn(span.left), places.drawn(span.left &+ span.width))
            guard left < right else { return nil }
            return TextLayout.Rectangle(left: left, top: placed.top, width: right - left, height: placed.height)
        }
    }
}

// Runs.
extension DrawnText {
    /// A stretch of a line in one font and direction.
    package struct Run: Hashable, Sendable {
        package var range: Range<Int32>
        /// The x of its left edge.
        package var x: Int32
        package var advance: Int32
        /// Place of the face in the list of fonts; nil for an inline box.
        package var font: UInt16?
        /// The level of UAX #9: from right to left where it is odd.
        package var level: UInt8
    }

    /// The runs that are drawn on a line, from left to right, without spaces that hang, a hyphen and an ellipsis.
    package func runs(ofLine number: Int) -> [Run] {
        let places = DrawnPositions(lines[number], in: text, breaker)
        return places.positions.runs.compactMap { run in
            let (left, right) = (places.drawn(run.left), places.drawn(run.left &+ run.width))
            guard left < right else { return nil }
            let font = text.runs[Int(run.run)].font
            return Run(
                range: run.start..<run.end, x: left, advance: right - left, font: font == TextRun.box ? nil : font,
                level: run.level)
        }
    }
}

// Carets.
extension DrawnText {
    /// A caret on one side of a place: a line without width, and the direction of the unit that it stands at.
    package struct Caret: Hashable, Sendable {
        package var x: Int32
        package var top: Int32
        package var height: Int32
        package var isRightToLeft: Bool

        package init(x: Int32, top: Int32, height: Int32, isRightToLeft: Bool) {
            (self.x, self.top, self.height, self.isRightToLeft) = (x, top, height, isRightToLeft)
        }
    }

    /// Both sides of a place. They are different places where directions meet, and where a line wraps.
    package struct Carets: Hashable, Sendable {
        /// The start of the grapheme that is meant.
        package var offset: Int32
        /// Whether the place is in the part that was cut: the caret then stands where that part begins.
        package var isHidden: Bool
        /// The caret where the next unit begins; nil behind the last unit.
        package var downstream: Caret?
        /// The caret where the unit before ends; nil before the first unit, and where a line begins behind a newline.
        package var upstream: Caret?
    }

    package func carets(at offset: Int32) -> Carets {
        let offset = grapheme(at: offset)
        let shown = min(offset, shownEnd)
        var carets = Carets(offset: offset, isHidden: offset > shown)
        if let placed = lines.last(where: { $0.line.start <= shown && shown < $0.line.end }) {
            carets.downstream = caret(placed) { $0.leading(at: shown) }
        }
        let isBehindNewline = shown > 0 && text.marks[Int(shown) - 1].contains(.newline)
        if !isBehindNewline || carets.downstream == nil,
            let placed = lines.last(where: { $0.line.start < shown && shown <= $0.line.end })
        {
            let last = max(placed.line.start, grapheme(at: shown - 1))
            carets.upstream = caret(placed) { $0.trailing(of: last..<shown) }
        }
        if carets.downstream == nil, carets.upstream == nil {
            carets.downstream = caret(lines.last { $0.line.start <= shown } ?? lines[0]) { _ in nil }
        }
        return carets
    }

    private func caret(
        _ placed: DrawnLine, _ edge: (LinePositions) -> (x: Int32, isRightToLeft: Bool)?
    ) -> Caret {
        let places = DrawnPositions(placed, in: text, breaker)
        let isRightToLeft = placed.line.traits.contains(.rightToLeft)
        let found = edge(places.positions) ?? (places.positions.left, isRightToLeft)
        return Caret(
            x: places.drawn(found.x), top: placed.top, height: placed.height, isRightToLeft: found.isRightToLeft)
    }
}

// Points.
extension DrawnText {
    package struct Hit: Hashable, Sendable {
        /// The place of the nearest caret, and the side of it.
        package var offset: Int32
        package var isDownstream: Bool
        /// The grapheme at the point, or nearest to it on the line.
        package var grapheme: Range<Int32>
        /// Whether the point is in the grapheme.
        package var isInside: Bool
    }

    /// The hit at a point. Above the text its first line counts, below it its last line; beside a line its nearer end.
    package func hit(x: Int32, y: Int32) -> Hit {
        let placed = lines.first { y < $0.top &+ $0.height } ?? lines[lines.count - 1]
        let places = DrawnPositions(placed, in: text, breaker)
        let found = places.positions.hit(places.undrawn(x))
        let grapheme = graphemes(found.cluster..<min(found.cluster + 1, Int32(text.count)))
        let isOnLine = placed.top <= y && y < placed.top &+ placed.height
        let isInside =
            isOnLine && rectangles(of: grapheme, on: placed).contains { $0.left <= x && x < $0.left + $0.width }
        // A grapheme in two styles is in two runs, and no caret stands between them.
        let isDownstream = found.caret == found.cluster
        let offset = isDownstream ? grapheme.lowerBound : graphemeEnd(found.caret)
        return Hit(offset: offset, isDownstream: isDownstream, grapheme: grapheme, isInside: isInside)
    }

    /// The distance of a point from the nearest line of the text, in squared eighths of a pixel.
    package func distance(x: Int32, y: Int32) -> Int64 {
        lines.map { placed in
            let across = Self.distance(x, placed.left, placed.left &+ placed.line.width)
            let down = Self.distance(y, placed.top, placed.top &+ placed.height)
            return across * across + down * down
        }.min() ?? .max
    }

    private static func distance(_ value: Int32, _ start: Int32, _ end: Int32) -> Int64 {
        max(Int64(start) - Int64(value), Int64(value) - Int64(end), 0) >> 3
    }
}
