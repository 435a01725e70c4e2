package import Typography

extension ThinModel {
    /// Lays out measured text for one target: integer arithmetic alone, so any machine gives the same model.
    ///
    /// The message hugs its widest line. Baselines go to the nearest device pixel; frames grow to whole ones, so that they
    /// cover what they hold.
    package static func compose(
        _ text: MeasuredText, for target: Target, by template: TextTemplate = .standard
    ) -> ThinModel {
        // Two insets are rounded together: at a scale of 2.625 they would take a whole pixel from the text otherwise.
        let inset = nearest(target.scaled(template.inset))
        let insets = nearest(target.scaled(template.inset + template.inset))
        let room = LineBreaker(
            width: target.width - template.inset - template.inset, size: template.size, scale: target.scale,
            textScale: target.textScale)
        let widest = upward(room.lines(of: text).map(\.width).max() ?? 0)
        // A box that holds the widest line breaks the same lines, and lines from the right end where it ends.
        let layout = TextLayout(
            text, breaker: room.withBox(widest << 6), stacking: .init(lineHeight: template.lineHeight))
        return ThinModel(
            width: widest + insets, height: upward(layout.height) + insets,
            lines: layout.lines.map { Line($0, at: inset) },
            entities: text.entities.map { entity in
                let frames = layout.rectangles(of: entity, in: text).map { Frame($0, at: inset) }
                return Part(kind: entity.kind, range: entity.start..<entity.end, frames: frames)
            })
    }
}

extension ThinModel.Line {
    fileprivate init(_ line: PlacedLine, at inset: Int32) {
        let across = cover(line.left, line.line.width)
        self.init(
            range: line.line.start..<line.line.end, left: inset + across.start, top: inset + nearest(line.top),
            baseline: inset + nearest(line.baseline), width: across.length)
    }
}

extension ThinModel.Frame {
    fileprivate init(_ rectangle: TextLayout.Rectangle, at inset: Int32) {
        let across = cover(rectangle.left, rectangle.width)
        let down = cover(rectangle.top, rectangle.height)
        self.init(left: inset + across.start, top: inset + down.start, width: across.length, height: down.length)
    }
}

extension Target {
    /// A length of the style on this screen, in 1/64 device pixel.
    fileprivate func scaled(_ length: Fixed) -> Int32 {
        Int32(clamping: Int64(length.raw) * Int64(scale.thousandths) / 1000)
    }
}

/// Whole device pixels of a length in 1/64.
private func nearest(_ length: Int32) -> Int32 { (length + 32) >> 6 }

/// The fewest whole device pixels that hold a length. The line breaker grants a line 1/64 pixel more than its box has,
/// and so does this: a line that fills its box must not make the message wider than its row.
private func upward(_ length: Int32) -> Int32 { (length + 62) >> 6 }

/// The fewest whole device pixels that cover a stretch, but for 1/64 on either side.
private func cover(_ start: Int32, _ length: Int32) -> (start: Int32, length: Int32) {
    let first = (start + 1) >> 6
    return (first, upward(start + length) - first)
}
