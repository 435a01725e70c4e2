package import Bytes
package import MessageLayout

/// Reading all of a record, or one layout of it, as values.
extension LayoutRecord {
    package func model(target: Int, variant: Int, state: Int = 0) throws(ByteError) -> LayoutModel {
        guard 0..<stateCount ~= state else { throw .outOfRange(Int64(state), of: "state") }
        var cutter = RecordCutter()
        var page = LayoutRows()
        var row: [UInt8] = []
        try cutter.cut(self, target: target, variant: variant, upTo: .newest, into: &row)
        try page.append(row)
        return page.model(row: 0, state: state)
    }

    /// The sheet that was encoded.
    package func sheet() throws(ByteError) -> LayoutSheet {
        var sheet = LayoutSheet()
        var cutter = RecordCutter()
        try cutter.check(self)
        sheet.skeleton = try skeleton()
        sheet.begin(targets, variants: variantCount, states: stateCount)
        var page = LayoutRows()
        var row: [UInt8] = []
        var total = 0
        // Each block is there once.
        var known: [LayoutModel: [LayoutSheet.Placement]] = [:]
        for target in targets.indices {
            for variant in 0..<variantCount {
                try cutter.cut(self, target: target, variant: variant, upTo: .newest, into: &row)
                total += row.count
                guard total <= RecordLimits.rows else { throw .tooLong(total, limit: RecordLimits.rows, of: "rows") }
                page.removeAll()
                try page.append(row)
                for state in 0..<stateCount {
                    var model = page.layout(row: 0, state: state)
                    if sheet.reaches.count == target { sheet.reaches.append(model.reach) }
                    // The reach is the target's, not the layout's.
                    model.reach = .unlimited
                    let placements = known[model] ?? sheet.append(model)
                    known[model] = placements
                    let slice = LayoutSheet.Slice(size: model.size, stamp: model.stamp, placements: 0)
                    sheet.set(slice, placements, target: target, variant: variant, state: state)
                }
            }
        }
        return sheet
    }

    /// The common part of all of its layouts. Only the shared part is read: a record may have no target.
    package func skeleton() throws(ByteError) -> Skeleton {
        var page = LayoutRows()
        // A row without a layout.
        try page.append([rowVersion.whole, 0, 0, 0, 0, 0] + head.bytes[head.shared] + head.bytes[head.drawing])
        return page.skeleton(of: 0)
    }

    /// Whether `skeleton` is that of another.
    package func hasSameSkeleton(as other: LayoutRecord) -> Bool {
        rowVersion == other.rowVersion && head.bytes[head.shared] == other.head.bytes[other.head.shared]
            && head.bytes[head.drawing] == other.head.bytes[other.head.drawing]
    }
}

extension LayoutSheet {
    /// Appends the contents of a layout, and returns the placements of its nodes.
    fileprivate mutating func append(_ model: LayoutModel) -> [Placement] {
        let (firstBlock, firstBar) = (Int32(blocks.count), Int32(bars.count))
        let (firstLine, firstSpan) = (Int32(lines.count), Int32(spans.count))
        blocks += model.blocks.map { block in
            var own = block
            own.lines = firstLine + block.lines.lowerBound..<firstLine + block.lines.upperBound
            own.spans = own.spans.moved(by: firstSpan)
            return own
        }
        lines += model.lines
        spans += model.spans
        bars += model.bars
        return model.placements.map { placement in
            var own = placement
            if own.block >= 0 { own.block += firstBlock }
            own.bars = own.bars.moved(by: firstBar)
            return own
        }
    }
}

extension Range<Int32> {
    /// An empty range stays nowhere.
    fileprivate func moved(by distance: Int32) -> Range<Int32> {
        isEmpty ? 0..<0 : lowerBound + distance..<upperBound + distance
    }
}
