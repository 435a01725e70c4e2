import Bytes
import MessageLayout

/// The last skeletons of a page, by their bytes: the same bytes are the same skeleton.
struct SkeletonMemory: ~Copyable {
    private var bytes = Buffer<UInt8>(capacity: 1024)
    private var known = Buffer<KnownSkeleton>(capacity: SkeletonMemory.most)
    /// The one that goes next, when there are as many as are kept.
    private var oldest = 0

    private static let most = 8
    /// The longest that is kept: longer ones are hardly met twice.
    private static let longest = 512

    init() {}

    mutating func removeAll() {
        bytes.removeAll()
        known.removeAll()
        oldest = 0
    }

    /// Passes over a skeleton that is known, and returns it.
    mutating func next(in reader: inout NumberReader, _ version: RowVersion) -> KnownSkeleton? {
        for i in 0..<known.count {
            let own = known[i].start..<known[i].start + known[i].length
            guard known[i].version == version,
                unsafe reader.rest.begins(with: UnsafeBufferPointer(rebasing: bytes.elements[own]))
            else { continue }
            reader.pass(own.count)
            return known[i]
        }
        return nil
    }

    mutating func keep(_ row: LayoutRows.Row, _ version: RowVersion, _ skeleton: UnsafeBufferPointer<UInt8>) {
        guard skeleton.count <= Self.longest, bytes.count <= 64 * Self.longest else { return }
        let one = KnownSkeleton(
            version: version, start: bytes.count, length: skeleton.count, words: row.words, nodes: row.nodes,
            texts: row.texts, reading: row.reading, confidence: row.confidence, drawing: row.drawing)
        unsafe bytes.append(skeleton)
        if known.count < Self.most { return known.append(one) }
        known[oldest] = one
        oldest = (oldest + 1) % Self.most
    }
}

/// The places of a skeleton in the columns of its page.
struct KnownSkeleton {
    var version: RowVersion
    var start: Int
    var length: Int
    var words: Range<Int32>
    var nodes: Range<Int32>
    var texts: Range<Int32>
    var reading: Range<Int32>
    var confidence: Confidence
    var drawing: LayoutRows.FlatDrawing?
}
