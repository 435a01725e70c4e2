import Bytes
import Pool
import Wire

/// The entries of one turn, as they stand in one row of the log: the row's key is the place of the first.
///
/// A row for each entry would cost more than its bytes. Content is wiped by writing zeros over it, so that nothing moves.
///
/// | bytes | |
/// |---|---|
/// | 1 | version: 1 |
/// | 4 | entries |
/// | 4, 4 | of each: bytes of its body, and of what it changed; 0 where there is none or it was dropped |
/// | rest | of each: body (`LogBody`), then change (`LogChange`) |
struct LogSegment {
    let first: LogPosition
    let bytes: [UInt8]
    let count: Int
    /// Where each entry's body begins, then its change; then where the last ends.
    private var starts: [Int32]

    static let version: UInt8 = 1
    static func headerLength(_ count: Int) -> Int { 5 + 8 * count }

    var last: LogPosition { LogPosition(first.number + Int64(count) - 1) }

    func contains(_ place: LogPosition) -> Bool { first <= place && place <= last }

    func body(at place: LogPosition) -> Range<Int> { range(2 * Int(place.number - first.number)) }
    func change(at place: LogPosition) -> Range<Int> { range(2 * Int(place.number - first.number) + 1) }

    private func range(_ part: Int) -> Range<Int> { Int(starts[part])..<Int(starts[part + 1]) }

    init(_ bytes: [UInt8], first: LogPosition) throws(ByteError) {
        var reader = PackedReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        count = Int(try reader.word())
        guard count <= 1 << 20, count > 0 else { throw .tooLong(count, limit: 1 << 20, of: "segment") }
        var place = Self.headerLength(count)
        starts = [Int32(place)]
        starts.reserveCapacity(2 * count + 1)
        for _ in 0..<2 * count {
            place += Int(try reader.word())
            guard place <= bytes.count else { throw .truncated(needed: place, left: bytes.count) }
            starts.append(Int32(place))
        }
        (self.first, self.bytes) = (first, bytes)
    }

    var places: [LogPosition] { (0..<Int64(count)).map { LogPosition(first.number + $0) } }

    /// Only the entries that stand at the places; all keep their places.
    func keeping(_ places: Set<LogPosition>) -> [UInt8] {
        var draft = SegmentDraft(first: first, count: count)
        for place in self.places {
            for part in [body(at: place), change(at: place)] {
                if places.contains(place) { draft.writer.append(contentsOf: bytes[part]) }
                draft.endPart()
            }
        }
        return draft.writer
    }
}

/// A segment while its turn is written.
struct SegmentDraft {
    let first: LogPosition
    var writer: [UInt8]
    private var parts = 0
    private var start: Int
    private var ranges: [Range<Int>] = []

    init(first: LogPosition, count: Int) {
        self.first = first
        writer = [UInt8](capacity: 512 * count)
        writer.append(LogSegment.version)
        writer.word(UInt32(count))
        for _ in 0..<2 * count { writer.word(0 as UInt32) }
        start = writer.count
    }

    /// What was written since is the next body, or the next change.
    mutating func endPart() {
        let end = writer.count
        writer.replaceWord(at: 5 + 4 * parts, with: UInt32(end - start))
        ranges.append(start..<end)
        parts += 1
        start = end
    }

    /// Of an entry that was written before, in this turn.
    func body(at place: LogPosition) -> Range<Int> { ranges[2 * Int(place.number - first.number)] }
    func change(at place: LogPosition) -> Range<Int> { ranges[2 * Int(place.number - first.number) + 1] }
}

/// Segments that were written or read lately: statuses follow posts soon.
struct SegmentCache {
    private var segments: [LogSegment] = []
    private var bytes = 0

    private static let limit = 4 << 20

    func find(_ place: LogPosition) -> LogSegment? {
        segments.last { $0.contains(place) }
    }

    mutating func put(_ segment: LogSegment) {
        segments.append(segment)
        bytes += segment.bytes.count
        while bytes > Self.limit || segments.count > 256 { bytes -= segments.removeFirst().bytes.count }
    }

    mutating func remove(_ segment: LogSegment) {
        segments.removeAll { $0.first == segment.first }
        bytes = segments.reduce(0) { $0 + $1.bytes.count }
    }
}
