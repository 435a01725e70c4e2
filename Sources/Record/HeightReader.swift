package import Bytes
package import MessageLayout
import Typography

/// Reads of records how high their contents are, collapsed, on every target: what a block is sealed with. No line and no frame
/// is looked at.
///
/// It keeps its memory from one record to the next.
///
///     var reader = HeightReader()
///     let heights = try reader.heights(of: LayoutRecord(bytes))
package struct HeightReader: ~Copyable {
    private var shapes = ChunkWalk(.shape)
    private var faces = ChunkWalk(.face)
    private var contents = ChunkWalk(.content)
    private var own = Buffer<Int32>()
    private var base = Buffer<Int32>()
    /// What lines of each content take, where it was found: variants of a row have most of them in common.
    private var known = Buffer<Int32>()
    private var knownScale: Scale?

    package init() {}

    /// One for each target. A record with fewer variants shows its last one in the place of those that it has not.
    package mutating func heights(of record: LayoutRecord) throws(ByteError) -> [ContentHeights] {
        try heights(of: record, at: Array(record.targets.indices))
    }

    /// The same for some of its targets.
    package mutating func heights(
        of record: LayoutRecord, at targets: [Int]
    ) throws(ByteError) -> [ContentHeights] {
        guard record.variantCount > 0, record.stateCount > 0 else { throw .empty("layouts") }
        shapes.begin(record.parts.shapes, nodeCount: record.parts.nodeCount)
        faces.begin(record.parts.faces)
        contents.begin(record.parts.contents)
        knownScale = nil
        var heights: [ContentHeights] = []
        heights.reserveCapacity(targets.count)
        try unsafe record.bytes.withUnsafeBufferPointer { (source) throws(ByteError) in
            for target in targets {
                heights.append(try unsafe self.heights(of: record, at: target, in: source))
            }
        }
        return heights
    }

    private mutating func heights(
        of record: LayoutRecord, at target: Int, in source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> ContentHeights {
        var walk = unsafe ColumnWalk(record, source)
        var found = ContentHeights(all: 0)
        for variant in 0..<min(3, record.variantCount) {
            walk.read(target, like: base, isFirst: variant == 0, into: &own)
            if let fault = walk.fault { throw fault }
            if variant == 0 {
                base.removeAll()
                for i in 0..<own.count { base.append(own[i]) }
            }
            let height = try unsafe height(at: record.targets[target].scale, of: record, in: source)
            // The last one stands for those that are missing.
            if variant == 0 { found.own = height }
            if variant <= 1 { found.other = height }
            found.otherWithName = height
            for _ in 1..<record.stateCount { walk.skip() }
        }
        return found
    }

    /// Of the layout whose numbers were read: what its lines take, and what its shape says it is higher.
    private mutating func height(
        at scale: Scale, of record: LayoutRecord, in source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> Int32 {
        if knownScale != scale {
            known.removeAll()
            known.append(repeating: Self.unknown, count: record.parts.contents.count)
            knownScale = scale
        }
        var height: Int32 = 0
        for i in 1..<max(1, own.count) where own[i] > 0 {
            let place = Int(own[i]) - 1
            if place < known.count, known[place] != Self.unknown {
                height &+= known[place]
                continue
            }
            let lines = try unsafe linesHeight(ofContent: place, at: scale, in: source)
            if place < known.count { known[place] = lines }
            height &+= lines
        }
        var shape = try unsafe shapes.reader(of: Int(own[0]) - 1, in: source)
        height &+= shape.sizeBesideLines(in: shape.number(), scale).height
        if let fault = shape.fault { throw fault }
        return height
    }

    private static let unknown = Int32.min

    private mutating func linesHeight(
        ofContent place: Int, at scale: Scale, in source: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> Int32 {
        var content = try unsafe contents.reader(of: place, in: source)
        var head = content.contentHead()
        if head.isBars { return 0 }
        var face = try unsafe faces.reader(of: Int(content.number()) / 3, in: source)
        if head.isLike {
            var other = try unsafe contents.reader(of: Int(head.count), in: source)
            head = other.contentHead()
        }
        return Face(&face).pixels(at: scale).pitch &* head.count
    }
}
