/// The places of all nodes of one message at one target, variant and state, in whole device pixels from the top left
/// of its content. A client applies it and measures nothing.
package struct LayoutModel: Hashable, Sendable {
    package var skeleton = Skeleton()
    package var size = PixelSize.zero
    /// The rows for which this is the layout.
    package var reach = LayoutSheet.Reach.unlimited
    package var stamp = StampMode.none
    /// One for each node of the skeleton; their places in `blocks` and `bars` count from 0.
    package var placements: [LayoutSheet.Placement] = []
    package var blocks: [LayoutSheet.Block] = []
    package var lines: [LayoutSheet.BlockLine] = []
    package var spans: [LayoutSheet.EntitySpan] = []
    package var bars: [UInt8] = []

    package init() {}

    /// A model of nothing, in the place of an optional.
    package static let zero = LayoutModel()
}

extension LayoutSheet {
    /// One of the layouts, on its own.
    package func model(target: Int, variant: Int, state: Int = 0) -> LayoutModel {
        let slice = slice(target: target, variant: variant, state: state)
        var model = LayoutModel()
        model.skeleton = skeleton
        (model.size, model.stamp, model.reach) = (slice.size, slice.stamp, reaches[target])
        model.placements = placements(target: target, variant: variant, state: state).map { placement in
            var own = placement
            let start = Int32(model.bars.count)
            model.bars += bars[Int(placement.bars.lowerBound)..<Int(placement.bars.upperBound)]
            own.bars = placement.bars.isEmpty ? 0..<0 : start..<Int32(model.bars.count)
            if placement.block >= 0 { own.block = model.add(blocks[Int(placement.block)], of: self) }
            return own
        }
        return model
    }
}

extension LayoutModel {
    fileprivate mutating func add(_ block: LayoutSheet.Block, of sheet: LayoutSheet) -> Int32 {
        var own = block
        let firstLine = Int32(lines.count)
        lines += sheet.lines[Int(block.lines.lowerBound)..<Int(block.lines.upperBound)]
        own.lines = firstLine..<Int32(lines.count)
        let firstSpan = Int32(spans.count)
        spans += sheet.spans[Int(block.spans.lowerBound)..<Int(block.spans.upperBound)]
        own.spans = block.spans.isEmpty ? 0..<0 : firstSpan..<Int32(spans.count)
        blocks.append(own)
        return Int32(blocks.count - 1)
    }
}
