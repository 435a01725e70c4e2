import Bytes
import Pool

/// The header of a segment of the log: the log that it is of, its place in that, and its end once
/// nothing is appended any more.
///
/// | bytes | |
/// |---|---|
/// | 8 | `formelog` |
/// | 4 | version: 1 |
/// | 4 | 1: segments before it are gone; 2: packed, with only the needed parts left |
/// | 8 | the log that it is of, a random number |
/// | 8 | its own number |
/// | 8 | place of its first entry |
/// | 8 | chain of the last frame before it |
/// | 8 | number of the segment before it; 0 where there is none |
/// | 8 | checksum of these 56 |
/// | 8 | 1 when it is full; else 0, and the rest is nothing |
/// | 8 | place of the entry behind it |
/// | 8 | chain of its last frame |
/// | 8 | checksum of these 24 |
/// | 32 | 0 |
struct SegmentHeader: Equatable {
    static let length = 128
    private static let magic = Array("formelog".utf8)
    private static let front = 56

    /// The end of a segment to which nothing more is appended.
    struct End: Equatable {
        var next: LogPosition
        var chain: UInt64
    }

    /// The version of the segment, which it keeps when it is rewritten.
    var version: UInt32
    var log: UInt64
    var number: UInt64
    var first: LogPosition
    var chain: UInt64
    /// Number of the segment before it; nil where there is none.
    var previous: UInt64?
    /// Whether segments between `previous` and this one are gone.
    var followsGap = false
    var isPacked = false
    var end: End?

    var bytes: [UInt8] {
        var writer = Self.magic
        writer.word(version)
        writer.word((followsGap ? 1 : 0) | (isPacked ? 2 : 0) as UInt32)
        for word in [log, number, UInt64(bitPattern: first.number), chain, previous ?? 0] { writer.word(word) }
        writer.word(Self.sum(writer[...]))
        let start = writer.count
        writer.word(end == nil ? 0 : 1 as UInt64)
        writer.word(UInt64(bitPattern: end?.next.number ?? 0))
        writer.word(end?.chain ?? 0)
        writer.word(Self.sum(writer[start...]))
        writer.append(contentsOf: repeatElement(0, count: Self.length - writer.count))
        return writer
    }

    init(
        log: UInt64, number: UInt64, first: LogPosition, chain: UInt64, previous: UInt64?, followsGap: Bool = false,
        isPacked: Bool = false, end: End? = nil, version: UInt32 = UInt32(StoredFormat.segments.newest)
    ) {
        self.version = version
        (self.log, self.number, self.first, self.chain) = (log, number, first, chain)
        (self.previous, self.followsGap, self.isPacked, self.end) = (previous, followsGap, isPacked, end)
    }

    init(_ bytes: [UInt8]) throws(ByteError) {
        let all = bytes[...]
        guard all.count >= Self.length else { throw .truncated(needed: Self.length, left: all.count) }
        guard all.prefix(8).elementsEqual(Self.magic) else { throw .notForme }
        version = LittleEndian.word(all, at: 8)
        guard StoredFormat.segments.reads ~= Int64(version) else {
            throw .unknownVersion(UInt8(truncatingIfNeeded: version))
        }
        guard LittleEndian.wide(all, at: Self.front) == Self.sum(all[..<Self.front]) else {
            throw .outOfRange(0, of: "checksum of a segment's header")
        }
        let flags = LittleEndian.word(all, at: 12)
        (followsGap, isPacked) = (flags & 1 != 0, flags & 2 != 0)
        (log, number) = (LittleEndian.wide(all, at: 16), LittleEndian.wide(all, at: 24))
        first = LogPosition(Int64(bitPattern: LittleEndian.wide(all, at: 32)))
        chain = LittleEndian.wide(all, at: 40)
        let previous = LittleEndian.wide(all, at: 48)
        self.previous = previous == 0 ? nil : previous
        // A crash may have cut the write of the end short: the frames say the same.
        if LittleEndian.wide(all, at: 64) == 1, LittleEndian.wide(all, at: 88) == Self.sum(all[64..<88]) {
            end = End(
                next: LogPosition(Int64(bitPattern: LittleEndian.wide(all, at: 72))),
                chain: LittleEndian.wide(all, at: 80))
        }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var sum = Checksum(seed: 0x7365_676D)
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.wide
    }
}

/// The name of a segment's file: its number, and the place of its first entry, so that a list of
/// names says where every entry stands.
struct SegmentName: Hashable, Comparable {
    let number: UInt64
    let first: LogPosition

    static let folder = "log"
    /// A segment that is there before it is needed; nothing was ever written into it.
    static let spare = "spare"
    private static let digits = 20

    init(number: UInt64, first: LogPosition) { (self.number, self.first) = (number, first) }

    /// The segment's name in the name of a file; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == Self.digits }), let number = UInt64(parts[0]),
            let first = Int64(parts[1]), number > 0, first >= 0
        else { return nil }
        self.init(number: number, first: LogPosition(first))
        guard self.text == text else { return nil }
    }

    var text: String { Self.padded(String(number)) + "-" + Self.padded(String(first.number)) }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, Self.digits - digits.utf8.count)) + digits
    }

    static func < (a: SegmentName, b: SegmentName) -> Bool { a.number < b.number }
}
