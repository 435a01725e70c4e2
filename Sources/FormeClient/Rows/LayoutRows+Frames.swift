import Bytes
import MessageLayout
import Record
import Typography
import Wire

/// Decoded columns as the values that clients apply. Data from a gateway are not trusted: impossible numbers make
/// impossible frames, and crash no app.
extension LayoutRows {
    func frames(of number: Int, isExpanded: Bool, in content: Rect) -> [Frame] {
        let row = rows[number]
        guard !row.states.isEmpty else { return [] }
        let slice = slices[Int(isExpanded ? row.states.upperBound - 1 : row.states.lowerBound)]
        let drawing = drawing(of: number)
        return (0..<row.nodes.count).compactMap { node in
            let placement = placements[Int(slice.placements) + node]
            return placement.isPresent ? frame(node, placement, number, drawing, in: content) : nil
        }
    }

    private func frame(
        _ node: Int, _ placement: LayoutSheet.Placement, _ number: Int, _ drawing: Skeleton.Drawing?,
        in content: Rect
    ) -> Frame {
        let row = rows[number]
        let own = nodes[Int(row.nodes.lowerBound) + node]
        let source = word(own.source, of: number)
        let rect = Rect(placement.frame).moved(right: content.left, down: content.top)
        let text = own.text < 0 ? Text() : texts[Int(row.texts.lowerBound + own.text)]
        return Frame(
            part: word(own.part, of: number), role: Frame.Role(rawValue: own.role.rawValue) ?? .box, rect: rect,
            node: node, parent: Int(own.parent), radius: placement.radius,
            corners: Corners(rawValue: own.corners.rawValue), clips: own.traits.contains(.clips),
            isOpaque: own.traits.contains(.opaque), isOverlaid: own.traits.contains(.overlaid),
            pins: Pins(rawValue: own.pins.rawValue), token: word(own.token, of: number),
            source: source, action: word(own.action, of: number), priority: own.priority,
            about: own.action == 0 ? "" : drawing?.subject(of: node, orSource: source) ?? source,
            text: own.text < 0 ? nil : frameText(text, number: Int(own.text), from: source, number, drawing),
            label: word(own.label, of: number),
            accessRole: Frame.AccessRole(rawValue: own.accessRole.rawValue) ?? .none,
            fillWidth: placement.fill.width, fillHeight: placement.fill.height,
            lines: lines(of: placement, in: rect), entities: entities(of: placement, text, number, in: rect),
            bars: bars.array(placement.bars))
    }

    func summary(of number: Int, isExpanded: Bool) -> RowSummary {
        let row = rows[number]
        let slice = slices[Int(isExpanded ? row.states.upperBound - 1 : row.states.lowerBound)]
        let shown = reading.array(row.reading).map { Int($0) }.filter {
            placements[Int(slice.placements) + $0].isPresent
        }
        return RowSummary(
            stamp: RowSummary.Stamp(rawValue: slice.stamp.rawValue) ?? .none, reading: shown,
            isMissingGlyphs: row.confidence.contains(.missingGlyph),
            usesFallbackFont: row.confidence.contains(.fallbackFont),
            isOfUnknownKind: row.confidence.contains(.unknownKind))
    }

    private func frameText(
        _ text: Text, number: Int, from source: String, _ row: Int, _ drawing: Skeleton.Drawing?
    ) -> FrameText {
        FrameText(
            literal: word(text.literal, of: row), generated: drawing?.generatedWords(of: number),
            path: drawing?.path(of: number, orSource: source) ?? source,
            face: drawing.map { FrameText.Face($0.texts[number].face) },
            pieces: pieces.array(text.pieces).map { Int($0.lowerBound)..<Int($0.upperBound) },
            looks: textSpans.array(text.spans).map { span in
                TextLook(
                    range: Int(span.range.lowerBound)..<Int(span.range.upperBound), isBold: span.look.contains(.bold),
                    isItalic: span.look.contains(.italic), isStruck: span.look.contains(.strike),
                    isMonospaced: span.look.contains(.monospaced), isUnderlined: span.look.contains(.underline))
            }, alignment: FrameText.Alignment(rawValue: text.alignment.rawValue) ?? .start)
    }

    private func lines(of placement: LayoutSheet.Placement, in rect: Rect) -> [TextLine] {
        guard placement.block >= 0 else { return [] }
        let block = blocks[Int(placement.block)]
        return block.lines.enumerated().map { number, place in
            let line = lines[Int(place)]
            let top = rect.top &+ (block.firstLine &+ Int32(number)) &* block.pitch
            return TextLine(
                range: Int(line.start)..<max(Int(line.start), Int(line.end)),
                rect: Rect(left: rect.left &+ line.left, top: top, width: line.width, height: block.pitch),
                baseline: top &+ block.ascent, fontSize: Double(block.fontSize) / 64,
                isRightToLeft: line.traits.contains(.rightToLeft), endsInHyphen: line.traits.contains(.hyphen),
                endsInEllipsis: line.traits.contains(.ellipsis), beginsJoined: line.traits.contains(.beginsJoined),
                endsJoined: line.traits.contains(.endsJoined), beginsIn: .init(line.traits.beginning),
                endsIn: .init(line.traits.ending))
        }
    }

    private func entities(
        of placement: LayoutSheet.Placement, _ text: Text, _ number: Int, in rect: Rect
    ) -> [EntityFrame] {
        guard placement.block >= 0 else { return [] }
        let block = blocks[Int(placement.block)]
        return block.spans.compactMap { place in
            let span = spans[Int(place)]
            guard 0..<text.entities.count ~= Int(span.entity) else { return nil }
            let entity = entities[Int(text.entities.lowerBound + span.entity)]
            return EntityFrame(
                kind: EntityFrame.Kind(rawValue: entity.kind.rawValue) ?? .box,
                range: Int(entity.range.lowerBound)..<Int(entity.range.upperBound),
                rect: Rect(
                    left: rect.left &+ span.left, top: rect.top &+ span.line &* block.pitch, width: span.width,
                    height: block.pitch), target: word(entity.target, of: number))
        }
    }
}

extension TextLine.Neighbour {
    fileprivate init(_ other: LineNeighbour) { self = TextLine.Neighbour(rawValue: other.rawValue) ?? .usual }
}

extension FrameText.Face {
    fileprivate init(_ face: TextFace) {
        self.init(weight: Int(face.weight), isItalic: face.isItalic, isMonospaced: face.isMonospaced)
    }
}
