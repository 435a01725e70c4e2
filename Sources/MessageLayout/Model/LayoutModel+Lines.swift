package import Typography

/// Lines, entities and pictures where clients draw them: in the coordinates of the content, like the frames of nodes.
///
/// A row may hold any numbers, as sums wrap where it is read: so they do here.
extension LayoutModel {
    /// One line of a text node.
    package struct ShownLine: Hashable, Sendable {
        /// UTF-16 units of the text as shown.
        package var range: Range<Int32>
        package var frame: PixelRect
        package var baseline: Int32
        package var traits: LineTraits
    }

    /// The lines of a node; none if it is no text, or absent.
    package func shownLines(of node: Int) -> [ShownLine] {
        let placement = placements[node]
        guard placement.block >= 0 else { return [] }
        let block = blocks[Int(placement.block)]
        return block.lines.enumerated().map { number, place in
            let line = lines[Int(place)]
            let frame = frame(
                from: line.left, to: line.left &+ line.width, onLine: block.firstLine &+ Int32(number), of: placement,
                block)
            return ShownLine(
                range: line.start..<max(line.start, line.end), frame: frame, baseline: frame.top &+ block.ascent,
                traits: line.traits)
        }
    }

    /// The rectangles that each entity of a text node covers, line by line; none if the node is no text.
    package func entityFrames(in node: Int) -> [[PixelRect]] {
        let (text, placement) = (skeleton.nodes[node].text, placements[node])
        guard text >= 0 else { return [] }
        var frames: [[PixelRect]] = skeleton.texts[Int(text)].entities.map { _ in [] }
        guard placement.block >= 0 else { return frames }
        let block = blocks[Int(placement.block)]
        for place in block.spans {
            let span = spans[Int(place)]
            guard frames.indices.contains(Int(span.entity)) else { continue }
            frames[Int(span.entity)].append(
                frame(from: span.left, to: span.left &+ span.width, onLine: span.line, of: placement, block))
        }
        return frames
    }

    private func frame(
        from left: Int32, to right: Int32, onLine line: Int32, of placement: LayoutSheet.Placement,
        _ block: LayoutSheet.Block
    ) -> PixelRect {
        PixelRect(
            left: placement.frame.left &+ left, top: placement.frame.top &+ line &* block.pitch, width: right &- left,
            height: block.pitch)
    }
}

extension LayoutSheet.Placement {
    /// The part of the picture that is seen once it is scaled to `fill`: its middle.
    package var crop: PixelRect {
        PixelRect(
            left: (fill.width &- frame.width) / 2, top: (fill.height &- frame.height) / 2, width: frame.width,
            height: frame.height)
    }
}
