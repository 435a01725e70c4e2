import Bytes

/// Columns that are like others before them are outlined, others are remembered.
extension SheetWriter {
    /// How high a column is on the first screen, if its stamp was seen before. No line is written down.
    mutating func columnHeights(of plan: borrowing Plan) -> ContentHeights? {
        guard let stamps = turn(toColumn: plan), let heights = outline(stamps) else { return nil }
        return solver.hasCut ? nil : heights
    }

    /// Turns to a column on the first screen.
    /// - Returns: the sizes of its stamps in the first variants; nil where they are not known, or it is no column.
    mutating func turn(toColumn plan: borrowing Plan) -> StampSizes? {
        guard plan.column >= 0, !plan.hasStates, takesRoads else { return nil }
        solver.take(plan)
        solver.turn(to: 0, isAlike: false)
        let first = Int(plan.column) * metrics.count * variants
        guard let own = forms.stamp(at: first), let other = forms.stamp(at: first + min(1, variants - 1)),
            let otherWithName = forms.stamp(at: first + min(2, variants - 1))
        else { return nil }
        return StampSizes(own: own.size, other: other.size, otherWithName: otherWithName.size)
    }

    struct StampSizes {
        var own: PixelSize
        var other: PixelSize
        var otherWithName: PixelSize
    }

    /// Nil where the stamp has not the room that it wants.
    mutating func outline(_ stamps: StampSizes) -> ContentHeights? {
        guard let own = solver.outlineColumn(variant: 0, stamp: stamps.own),
            let other = solver.outlineColumn(variant: min(1, variants - 1), stamp: stamps.other),
            let otherWithName = solver.outlineColumn(variant: min(2, variants - 1), stamp: stamps.otherWithName)
        else { return nil }
        return ContentHeights(own: own.height, other: other.height, otherWithName: otherWithName.height)
    }

    /// Writes a column like others before it, in which nothing has to be put in its place. False where there was none.
    mutating func writeOutline(_ variant: Int, at place: Int) -> Bool {
        guard let stamp = forms.stamp(at: place),
            let size = solver.outlineColumn(variant: variant, stamp: stamp.size)
        else { return false }
        let number = forms.number(at: place, 0, solver.stampMode, solver.form, radius: radius(0, size))
        guard number >= 0 else { return false }
        let first = Int32(fills.count)
        for i in 0..<solver.columnTexts.count {
            let text = solver.columnTexts[i]
            guard text.variants & solver.variant != 0 else { continue }
            let width = solver.columnWidth(of: text, in: size.width)
            fills.append(LayoutSheet.Fill(block: block(text.text, width), width: width))
            if text.stamp > 0 { fillStamp(stamp) }
        }
        slices.append(
            LayoutSheet.Slice(
                size: size, stamp: solver.stampMode, placements: first, isOutline: true, arrangement: number))
        return true
    }

    private mutating func fillStamp(_ stamp: ColumnForms.Stamp) {
        for place in stamp.first..<stamp.end {
            let text = forms.stampTexts[place]
            if forms.blocks[text.part] < 0 {
                forms.blocks[text.part] = Int32(blocks.count)
                var block = text.block
                block.lines = Int32(lines.count)..<Int32(lines.count) + 1
                block.spans = Int32(spans.count)..<Int32(spans.count)
                blocks.append(block)
                lines.append(text.line)
            }
            fills.append(LayoutSheet.Fill(block: forms.blocks[text.part], width: text.width))
        }
    }

    /// A number for how the nodes of a column are arranged. What is new in it is kept, for outlines.
    mutating func arrangement(
        of slice: LayoutSheet.Slice, _ state: Int, at place: Int, isMirrored: Bool
    ) -> Int32 {
        let radius = placements[Int(slice.placements)].radius
        let known = forms.number(at: place, state, slice.stamp, solver.form, radius: radius)
        if known < 0, !solver.isStampWhole() { return -1 }
        if forms.stamp(at: place) == nil { keepStamp(at: place) }
        guard known < 0, forms.mayAdd(at: place, state, slice.stamp) else { return known }
        let first = Int(slice.placements)
        let arrangement = Arrangement(
            (first..<first + skeleton.nodes.count).map { placements[$0] }, of: slice.size, skeleton: skeleton,
            isMirrored: isMirrored
        ) { size(of: blocks[Int($0.block)]) }
        return forms.add(arrangement, at: place, state, slice.stamp, solver.form, radius: radius)
    }

    private func size(of block: LayoutSheet.Block) -> PixelSize {
        var width: Int32 = 0
        for line in block.lines { width = max(width, lines[Int(line)].width) }
        return PixelSize(width: width, height: block.pitch &* Int32(block.lines.count))
    }

    /// Remembers the stamp that was just placed, if it is the same under every message.
    private mutating func keepStamp(at place: Int) {
        var texts: [ColumnForms.StampText] = []
        var stamp = -1
        for i in 0..<solver.columnTexts.count where solver.columnTexts[i].stamp > 0 {
            stamp = solver.columnTexts[i].stamp
        }
        guard stamp >= 0, solver.parts[stamp].isPresent, solver.constants.isConstant(stamp), solver.isStampWhole()
        else {
            return
        }
        for part in stamp..<Int(solver.shapes[stamp].end) where solver.parts[part].isPresent {
            guard solver.shapes[part].operation == .text, solver.shapes[part].node >= 0 else { continue }
            let own = blocks[Int(solver.fits[Int(solver.parts[part].fit)].block)]
            guard own.lines.count == 1, own.spans.isEmpty else { return }
            texts.append(
                ColumnForms.StampText(
                    part: part, block: own, line: lines[Int(own.lines.lowerBound)],
                    width: solver.parts[part].frame.width))
        }
        let frame = solver.parts[stamp].frame
        forms.keep(PixelSize(width: frame.width, height: frame.height), texts, at: place)
    }

    /// Of a part's round corners. One beyond half of the shorter side means a capsule, or a circle.
    @inline(__always)
    func radius(_ part: Int, _ size: PixelSize) -> Int32 {
        guard solver.shapes[part].radius != .zero else { return 0 }
        return min(solver.pixels(solver.shapes[part].radius), min(size.width, size.height) / 2)
    }
}
