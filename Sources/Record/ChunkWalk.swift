import Bytes

/// The places of the chunks of one table, found as far as they are asked for: the first bytes of each tell how many
/// numbers it has, so that a table of places need not be stored.
struct ChunkWalk: ~Copyable {
    enum Kind { case shape, place, face, content }

    private let kind: Kind
    private var ends = Buffer<Int32>()
    private var table = PreviousParts.Table()
    private var nodeCount = 0

    init(_ kind: Kind) { self.kind = kind }

    mutating func begin(_ table: PreviousParts.Table, nodeCount: Int = 0) {
        ends.removeAll()
        self.table = table
        self.nodeCount = nodeCount
    }

    /// The bytes of a chunk.
    mutating func range(of number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) -> Range<Int> {
        guard number >= 0, number < table.count else { throw .outOfRange(Int64(number), of: "chunk") }
        if number >= ends.count { try unsafe walk(to: number, in: bytes) }
        return (number == 0 ? table.bytes.lowerBound : Int(ends[number - 1]))..<Int(ends[number])
    }

    /// The numbers of a chunk.
    mutating func reader(of number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) -> NumberReader {
        let range = try unsafe range(of: number, in: bytes)
        return unsafe NumberReader(bytes, from: range.lowerBound, to: range.upperBound)
    }

    /// Checks that all chunks are there, and nothing else is.
    mutating func check(in bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        var end = table.bytes.lowerBound
        if table.count > 0 { end = try unsafe range(of: table.count - 1, in: bytes).upperBound }
        guard end == table.bytes.upperBound else { throw .trailing(count: table.bytes.upperBound - end) }
    }

    private mutating func walk(to number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        let start = ends.count == 0 ? table.bytes.lowerBound : Int(ends[ends.count - 1])
        var reader = unsafe NumberReader(bytes, from: start, to: table.bytes.upperBound)
        while ends.count <= number {
            switch kind {
            case .shape: reader.skip(3 + nodeCount)
            case .place: reader.skip(RecordForm.Place(rawValue: reader.number()).numbers)
            case .face: reader.skip(3)
            case .content: reader.skipContent()
            }
            if let fault = reader.fault { throw fault }
            ends.append(Int32(reader.place))
        }
    }
}

extension NumberReader {
    fileprivate mutating func skipContent() {
        let head = contentHead()
        let count = Int(head.count)
        if head.isBars { return skip(count) }
        skip(1)
        if head.isLike { return skip(1) }
        let unusual = unusual(of: head)
        skip(unusual.numbersPerLine * count + (count > 0 ? 1 : 0))
        if unusual.contains(.spans) { skip(4 * Int(number())) }
    }
}
