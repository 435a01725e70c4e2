package import Bytes
package import MessageLayout
import Typography

/// Reads the heights of records' contents, collapsed, on every target, where no list beside the record tells them
/// (`HeightPlan`). No line and no frame is looked at.
///
/// It keeps its memory from one record to the next.
///
///     var reader = HeightReader()
///     let heights = try reader.heights(of: LayoutRecord(bytes))
package struct HeightReader: ~Copyable {
    private var walk = LayoutWalk()
    private var previous = PreviousCutter()

    package init() {}

    /// The heights on each target. If a record has fewer variants, its last one stands for those that it lacks.
    package mutating func heights(of record: LayoutRecord) throws(ByteError) -> [ContentHeights] {
        try heights(of: record, at: Array(record.targets.indices))
    }

    /// The heights on some of its targets.
    package mutating func heights(
        of record: LayoutRecord, at targets: [Int]
    ) throws(ByteError) -> [ContentHeights] {
        guard record.variantCount > 0, record.stateCount > 0 else { throw .empty("layouts") }
        var heights = Array(repeating: ContentHeights(all: 0), count: targets.count)
        if targets.isEmpty { return heights }
        guard record.parts.previous == nil else {
            for (i, target) in targets.enumerated() { heights[i] = try previousHeights(of: record, at: target) }
            return heights
        }
        try unsafe record.bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            var bits = unsafe GolombReader(bytes, in: record.parts.layouts)
            walk.readMaps(record, &bits)
            walk.readArrangements(record, &bits)
            walk.spreadArrangements(record.head.screens)
            for number in 0..<walk.arrangements.count {
                let number = Int32(truncatingIfNeeded: number)
                guard targets.contains(where: { walk.arrangements.classes.classes[$0] == number }) else { continue }
                walk.readArrangement(Int(number), upTo: record.variantCount * record.stateCount, &bits)
                for (i, target) in targets.enumerated()
                where bits.isWhole && walk.arrangements.classes.classes[target] == number {
                    heights[i] = self.heights(of: record, at: target)
                }
            }
            if let fault = bits.fault { throw fault }
        }
        return heights
    }

    /// The heights on a target of the class at work.
    private func heights(of record: LayoutRecord, at target: Int) -> ContentHeights {
        func height(_ variant: Int) -> Int32 {
            let column = min(variant, record.variantCount - 1) * record.stateCount
            let scale = record.targets[target].scale
            let layout = walk.arrangements.layouts[Int(walk.arrangements[0, column])]
            var height = layout.beside(at: scale).height
            for slot in 0..<walk.slots.count where !walk.slots[slot].isBars {
                let place = walk.block(slot, column, of: target)
                if place < 0 { continue }
                let block = walk.blocks[place]
                height &+= walk.faces.face(block.face, at: scale).pitch &* block.lineCount
            }
            return height
        }
        return ContentHeights(own: height(0), other: height(1), otherWithName: height(2))
    }

    private mutating func previousHeights(of record: LayoutRecord, at target: Int) throws(ByteError) -> ContentHeights {
        var row: [UInt8] = []
        var heights: [Int32] = []
        for variant in 0..<min(3, record.variantCount) {
            try previous.cut(record, target: target, variant: variant, upTo: .first, into: &row)
            heights.append(previous.size.height)
        }
        func height(_ variant: Int) -> Int32 { heights[min(variant, heights.count - 1)] }
        return ContentHeights(own: height(0), other: height(1), otherWithName: height(2))
    }
}
