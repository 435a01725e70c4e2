package import Bytes
package import MessageLayout

/// Reading all of a record, or one layout of it, as values.
extension LayoutRecord {
    package func model(target: Int, variant: Int, state: Int = 0) throws(ByteError) -> LayoutModel {
        guard 0..<stateCount ~= state else { throw .outOfRange(Int64(state), of: "state") }
        var cutter = RecordCutter()
        var page = LayoutRows()
        var row: [UInt8] = []
        try cutter.cut(self, target: target, variant: variant, into: &row)
        try page.append(row)
        return page.model(row: 0, state: state)
    }

    /// The sheet that was encoded, its layouts in the order of the slots and each there once.
    package func sheet() throws(ByteError) -> LayoutSheet {
        var sheet = LayoutSheet()
        sheet.targets = targets
        (sheet.variantCount, sheet.stateCount) = (Int32(variantCount), Int32(stateCount))
        var cutter = RecordCutter()
        try cutter.check(self)
        sheet.skeleton = try skeleton()
        var page = LayoutRows()
        var row: [UInt8] = []
        var total = 0
        var known: [LayoutModel: Int32] = [:]
        for target in targets.indices {
            for variant in 0..<variantCount {
                try cutter.cut(self, target: target, variant: variant, into: &row)
                total += row.count
                guard total <= RecordLimits.rows else { throw .tooLong(total, limit: RecordLimits.rows, of: "rows") }
                page.removeAll()
                try page.append(row)
                for state in 0..<stateCount {
                    var model = page.layout(row: 0, state: state)
                    if sheet.reaches.count == target { sheet.reaches.append(model.reach) }
                    // Of the target, not of the layout.
                    model.reach = .unlimited
                    let number = known[model] ?? sheet.append(model)
                    known[model] = number
                    sheet.slots.append(number)
                }
            }
        }
        return sheet
    }

    /// What all of its layouts have in common. Reads the shared part alone: a record may have no target.
    package func skeleton() throws(ByteError) -> Skeleton {
        var page = LayoutRows()
        try page.append([RecordForm.version, 0, 0, 0, 0, 0] + bytes[parts.shared])
        return page.skeleton(of: 0)
    }
}

extension LayoutSheet {
    fileprivate mutating func append(_ model: LayoutModel) -> Int32 {
        let (firstBlock, firstBar) = (Int32(blocks.count), Int32(bars.count))
        let (firstLine, firstSpan) = (Int32(lines.count), Int32(spans.count))
        slices.append(
            Slice(size: model.size, stamp: model.stamp, placements: Int32(placements.count)))
        placements += model.placements.map { placement in
            var own = placement
            if own.block >= 0 { own.block += firstBlock }
            own.bars = own.bars.moved(by: firstBar)
            return own
        }
        blocks += model.blocks.map { block in
            var own = block
            own.lines = firstLine + block.lines.lowerBound..<firstLine + block.lines.upperBound
            own.spans = own.spans.moved(by: firstSpan)
            return own
        }
        lines += model.lines
        spans += model.spans
        bars += model.bars
        return Int32(slices.count - 1)
    }
}

extension Range<Int32> {
    /// An empty range stays nowhere.
    fileprivate func moved(by distance: Int32) -> Range<Int32> {
        isEmpty ? 0..<0 : lowerBound + distance..<upperBound + distance
    }
}
