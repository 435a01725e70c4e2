/// Where the chunks of one table begin, found as far as they are asked for: each tells by its first bytes how many numbers
/// it has, so that a table of places need not be stored.
struct ChunkWalk: ~Copyable {
    enum Kind { case change, place, content }

    private let kind: Kind
    private var ends = Column<Int32>()
    private var table = 0..<0
    private var count = 0

    init(_ kind: Kind) { self.kind = kind }

    mutating func begin(_ table: Range<Int>, count: Int) {
        ends.removeAll()
        self.table = table
        self.count = count
    }

    /// The bytes of a chunk.
    mutating func range(of number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Range<Int> {
        guard number >= 0, number < count else { throw .outOfRange(Int64(number), of: "chunk") }
        if number >= ends.count { try unsafe walk(to: number, in: bytes) }
        return (number == 0 ? table.lowerBound : Int(ends[number - 1]))..<Int(ends[number])
    }

    /// Finds that all chunks are there, and nothing else is.
    mutating func check(in bytes: UnsafeBufferPointer<UInt8>) throws(WireError) {
        let end = count == 0 ? table.lowerBound : try unsafe range(of: count - 1, in: bytes).upperBound
        guard end == table.upperBound else { throw .trailing(count: table.upperBound - end) }
    }

    private mutating func walk(to number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(WireError) {
        let start = ends.count == 0 ? table.lowerBound : Int(ends[ends.count - 1])
        var reader = unsafe NumberReader(bytes, from: start, to: table.upperBound)
        while ends.count <= number {
            switch kind {
            case .change: reader.skipChange()
            case .place: reader.skipPlace()
            case .content: reader.skipContent()
            }
            if let fault = reader.fault { throw fault }
            ends.append(Int32(reader.place))
        }
    }
}

extension NumberReader {
    fileprivate mutating func skipChange() {
        let mask = RecordForm.Change(rawValue: number())
        skip(mask.plainNumbers + (mask.contains(.geometry) ? 1 : 0))
        if mask.contains(.contents) {
            let head = number()
            if head & 1 == 1 { skip(Int(head >> 1)) }
        }
    }

    fileprivate mutating func skipPlace() { skip(RecordForm.Place(rawValue: number()).numbers) }

    fileprivate mutating func skipContent() {
        let head = number()
        let count = Int(head >> RecordForm.countShift)
        if head & RecordForm.bars != 0 { return skip(count) }
        guard head & RecordForm.unusual != 0 else { return skip(2 * count) }
        let unusual = RecordForm.Lines(rawValue: number())
        skip(unusual.numbersPerLine * count)
        if unusual.contains(.spans) { skip(4 * Int(number())) }
    }
}
