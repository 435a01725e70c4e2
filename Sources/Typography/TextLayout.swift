/// A text as it stands at one width: lines with their places, and the answers to questions about them. Lengths are in
/// 1/64 device pixel; y grows downward from the top of the first line.
package struct TextLayout: Hashable, Sendable {
    package let lines: [PlacedLine]
    package let height: Int32
    /// The height of the text without truncation.
    package let fullHeight: Int32
    /// The widest line: a bubble that hugs its text is this wide.
    package let widest: Int32
    package let isTruncated: Bool
    package let breaker: LineBreaker

    /// The way in which lines are stacked.
    package struct Stacking: Hashable, Sendable {
        /// The distance of lines in points; nil for the distance that fonts and boxes ask for.
        package var lineHeight: Fixed?
        /// The most lines. Further ones are cut, and the last one ends with an ellipsis.
        package var mostLines: Int

        package init(lineHeight: Fixed? = nil, mostLines: Int = .max) {
            self.lineHeight = lineHeight
            self.mostLines = mostLines
        }
    }

    package init(_ text: MeasuredText, breaker: LineBreaker, stacking: Stacking = Stacking()) {
        let all = breaker.lines(of: text)
        var shown = all
        if stacking.mostLines < all.count {
            shown.removeLast(all.count - max(0, stacking.mostLines))
            if let last = shown.popLast() { shown.append(breaker.truncated(text, from: last.start)) }
        }
        lines = breaker.place(shown, of: text, lineHeight: stacking.lineHeight)
        height = lines.last.map { $0.top + $0.height } ?? 0
        let isTruncated = shown.count < all.count || shown.last != all.last
        fullHeight =
            isTruncated
            ? breaker.place(all, of: text, lineHeight: stacking.lineHeight).last.map { $0.top + $0.height } ?? 0
            : height
        widest = shown.map(\.width).max() ?? 0
        self.isTruncated = isTruncated
        self.breaker = breaker
    }
}

/// A line and its place.
package struct PlacedLine: Hashable, Sendable {
    package var line: Line
    package var left: Int32
    package var top: Int32
    package var height: Int32
    /// The baseline, from the top of the text.
    package var baseline: Int32
    /// The extents of the line's content, above and below the baseline.
    package var ascent: Int32
    package var descent: Int32
}

extension LineBreaker {
    /// Stacks lines. The two sides share the surplus or the lack of a given line height, as in CSS.
    func place(_ lines: [Line], of text: MeasuredText, lineHeight: Fixed?) -> [PlacedLine] {
        let fixed = lineHeight.map { lineHeight in
            let height = Int64(lineHeight.raw) * Int64(scale.thousandths) * Int64(textScale.percent) / 100_000
            return Int32(max(0, min(height, LineBreaker.longest)))
        }
        var top: Int32 = 0
        return lines.map { line in
            let (ascent, descent) = extents(of: line, in: text)
            let height = fixed ?? ascent + descent
            let placed = PlacedLine(
                line: line, left: left(of: line), top: top, height: height,
                baseline: top + (height - ascent - descent) / 2 + ascent, ascent: ascent, descent: descent)
            top = min(top + height, Int32(LineBreaker.longest))
            return placed
        }
    }

    /// The highest and the deepest extent on a line; the text's own style always counts.
    private func extents(of line: Line, in text: MeasuredText) -> (Int32, Int32) {
        guard let base = text.styles.first else { return (0, 0) }
        var (ascent, descent) = extents(of: base)
        var run = text.run(at: line.start)
        while run < text.runs.count && text.runs[run].start < max(line.end, line.start + 1) {
            let style = text.styles[Int(text.runs[run].style)]
            let own = extents(of: style)
            (ascent, descent) = (max(ascent, own.0), max(descent, own.1))
            if text.runs[run].font == TextRun.box { include(text.runs[run], style, text, &ascent, &descent) }
            run += 1
        }
        return (ascent, descent)
    }

    private func extents(of style: StyleMetrics) -> (Int32, Int32) {
        let factor = factor(unitsPerEm: style.unitsPerEm, percent: style.percent)
        return (factor.length(style.ascent), factor.length(style.descent))
    }

    private func include(
        _ run: TextRun, _ style: StyleMetrics, _ text: MeasuredText, _ ascent: inout Int32, _ descent: inout Int32
    ) {
        guard !text.boxes.isEmpty else { return }
        let box = text.boxes[text.boxes.lastIndex(notAfter: run.start) { $0.position }]
        guard box.position == run.start else { return }
        let factor = factor(unitsPerEm: run.unitsPerEm, percent: style.percent)
        ascent = max(ascent, factor.length(box.ascent))
        descent = max(descent, factor.length(box.descent))
    }
}

extension TextLayout {
    /// A rectangle in 1/64 device pixel.
    package struct Rectangle: Hashable, Sendable {
        package var left: Int32
        package var top: Int32
        package var width: Int32
        package var height: Int32

        package init(left: Int32, top: Int32, width: Int32, height: Int32) {
            self.left = left
            self.top = top
            self.width = width
            self.height = height
        }
    }

    /// The rectangles that a selection of the units `start..<end` covers, line by line and from left to right.
    package func rectangles(of start: Int32, _ end: Int32, in text: MeasuredText) -> [Rectangle] {
        lines.filter { $0.line.start < end && start < $0.line.end }.flatMap { placed in
            breaker.positions(of: placed.line, in: text).spans(of: start, end).map { span in
                Rectangle(left: span.left, top: placed.top, width: span.width, height: placed.height)
            }
        }
    }

    package func rectangles(of entity: Entity, in text: MeasuredText) -> [Rectangle] {
        rectangles(of: entity.start, entity.end, in: text)
    }

    /// The caret before unit `position`: a rectangle without width. At the end of a line that wraps it stands on the
    /// next one.
    package func caret(at position: Int32, in text: MeasuredText) -> Rectangle? {
        guard let placed = lines.last(where: { $0.line.start <= position }) ?? lines.first else { return nil }
        let x = breaker.positions(of: placed.line, in: text).caret(at: position)
        return Rectangle(left: x, top: placed.top, width: 0, height: placed.height)
    }

    /// The cluster at a point and the caret place nearest to it; above the text its first line counts, below its last.
    package func hit(x: Int32, y: Int32, in text: MeasuredText) -> (cluster: Int32, caret: Int32)? {
        guard let placed = lines.first(where: { y < $0.top + $0.height }) ?? lines.last else { return nil }
        return breaker.positions(of: placed.line, in: text).hit(x)
    }
}
