import Bytes
import Pool

/// The frame of one turn in a segment of the log: entries, and a note of what else the pool wants remembered.
///
/// The chain covers the head and the table, and so lengths and checksums of all that follows, but not
/// the bytes themselves: words can be overwritten with zeros in place, and the chain still holds.
///
/// | bytes | |
/// |---|---|
/// | 4 | bytes of the whole frame; 0 where the segment ends |
/// | 4 | entries |
/// | 8 | place of the first entry, or of the next one where there is none |
/// | 8 | chain: over the chain of the frame before, and head and table without these eight bytes |
/// | 1, 1 | version: 1; zero |
/// | 2 | partition |
/// | 4, 4 | bytes of the note, and their checksum |
/// | 4, 4, 4, 4 | of each entry: bytes of its body and of its change, and the checksums of both; 0 where it has none |
/// | rest | of each entry: body (`LogBody`), then change (`LogChange`); then the note (`LogNote`) |
///
/// A part begins with 1 as it was written, with 0 where it was wiped, and with 3 where only words
/// were taken out of it. One that begins with 2 is a change of a conversation itself, with or
/// without its words. Parts that begin with 2 or 3 have checksums of their own.
struct LogFrame {
    let head: LogFrameHead
    let bytes: [UInt8]
    /// The offsets of each entry's body and change, then the beginning and the end of the note.
    private let starts: [Int32]

    static let version: UInt8 = 1
    static let headLength = 36
    static let countLimit = 1 << 20
    /// The partition of a host that has but one.
    static let partition: UInt16 = 0

    /// The first byte of a part.
    enum Part {
        static let wiped: UInt8 = 0
        static let asWritten: UInt8 = 1
        static let note: UInt8 = 2
        static let redacted: UInt8 = 3
    }

    var first: LogPosition { head.first }
    var count: Int { head.count }
    var chain: UInt64 { head.chain }
    var last: LogPosition { LogPosition(first.number + Int64(count) - 1) }
    var next: LogPosition { head.next }
    var places: [LogPosition] { (0..<Int64(count)).map { LogPosition(first.number + $0) } }

    func contains(_ place: LogPosition) -> Bool { first <= place && place <= last }

    /// The range of an entry's body, which is empty where there is none, or it was wiped.
    func body(at place: LogPosition) -> Range<Int> { kept(2 * Int(place.number - first.number)) }
    func change(at place: LogPosition) -> Range<Int> { kept(2 * Int(place.number - first.number) + 1) }
    var note: Range<Int> { range(2 * count) }

    /// The row of an entry in the table: lengths and checksums of its parts, as they were written.
    func entryOfTable(at place: LogPosition) -> [UInt8] {
        let start = Self.headLength + 16 * Int(place.number - first.number)
        return Array(bytes[start..<start + 16])
    }

    /// The ranges to overwrite where an entry is wiped: body, then change. They include those of an
    /// entry that was wiped half-way, which begins as a wiped one does.
    func parts(at place: LogPosition) -> [Range<Int>] {
        let part = 2 * Int(place.number - first.number)
        return [range(part), range(part + 1)].map { range in
            bytes[range].allSatisfy { $0 == 0 } ? range.lowerBound..<range.lowerBound : range
        }
    }

    /// Whether a crash in the midst of wiping has left something of an entry.
    func isHalfWiped(at place: LogPosition) -> Bool {
        parts(at: place).contains { part in
            guard !part.isEmpty else { return false }
            let first = bytes[part.lowerBound]
            return first == Part.wiped || (first == Part.redacted && !Self.isWhole(bytes[part], 0))
        }
    }

    /// Whether the change of an entry still has what it said of messages.
    func holdsWords(at place: LogPosition) -> Bool {
        let change = change(at: place)
        return !change.isEmpty && bytes[change.lowerBound] == Part.asWritten
    }

    /// Bytes that are left of the entries.
    var keptBytes: Int { (0..<2 * count).reduce(0) { $0 + kept($1).count } }

    private func kept(_ part: Int) -> Range<Int> {
        let range = range(part)
        return !range.isEmpty && bytes[range.lowerBound] == Part.wiped ? range.lowerBound..<range.lowerBound : range
    }

    private func range(_ part: Int) -> Range<Int> { Int(starts[part])..<Int(starts[part + 1]) }

    /// - Parameter bytes: those of the frame, and no others.
    init(_ bytes: [UInt8]) throws(ByteError) {
        let all = bytes[...]
        let head = try LogFrameHead(all)
        guard head.length == bytes.count else { throw .truncated(needed: head.length, left: bytes.count) }
        var place = head.tableEnd
        var starts = [Int32(place)]
        starts.reserveCapacity(2 * head.count + 2)
        for entry in 0..<head.count {
            for part in 0..<2 {
                place += Int(LittleEndian.word(all, at: Self.headLength + 16 * entry + 4 * part))
                guard place <= bytes.count else { throw .truncated(needed: place, left: bytes.count) }
                starts.append(Int32(place))
            }
        }
        place += head.noteLength
        guard place == bytes.count else { throw .truncated(needed: place, left: bytes.count) }
        starts.append(Int32(place))
        (self.head, self.bytes, self.starts) = (head, bytes, starts)
    }

    /// Whether its parts are what was written, or what they became when words were wiped.
    var areContentsWhole: Bool { hasContents(Self.isWhole) }

    /// Whether its parts are what was written, and none was wiped since: zeros do not count as
    /// wiped words where a crash in the midst of the write may have left them.
    var isAsWritten: Bool { hasContents { Checksum.of($0) == $1 } }

    private func hasContents(_ isSound: (ArraySlice<UInt8>, UInt32) -> Bool) -> Bool {
        for part in 0..<2 * count {
            let range = range(part)
            guard !range.isEmpty else { continue }
            let sum = LittleEndian.word(bytes[...], at: Self.headLength + 16 * (part / 2) + 8 + 4 * (part % 2))
            guard isSound(bytes[range], sum) else { return false }
        }
        return note.isEmpty || Checksum.of(bytes[note]) == LittleEndian.word(bytes[...], at: 32)
    }

    private static func isWhole(_ part: ArraySlice<UInt8>, _ sum: UInt32) -> Bool {
        switch part.first {
        case Part.wiped: part.allSatisfy { $0 == 0 }
        // These have checksums of their own.
        case Part.note, Part.redacted:
            part.count > 5 && Checksum.of(part.dropFirst(5)) == LittleEndian.word(part, at: part.startIndex + 1)
        default: Checksum.of(part) == sum
        }
    }

    /// Whether it follows the frame with that chain.
    func follows(_ chain: UInt64) -> Bool {
        Self.chain(after: chain, bytes[..<(Self.headLength + 16 * count)]) == self.chain
    }

    /// - Parameter front: head and table of a frame.
    static func chain(after chain: UInt64, _ front: ArraySlice<UInt8>) -> UInt64 {
        var sum = Checksum(seed: chain)
        unsafe front.withUnsafeBytes {
            unsafe sum.add(UnsafeRawBufferPointer(rebasing: $0[..<16]))
            unsafe sum.add(UnsafeRawBufferPointer(rebasing: $0[24...]))
        }
        return sum.wide
    }

    /// The frame with only the parts of the entries that are needed; all keep their places. It is
    /// for a packed segment, in which the chain covers the frame alone.
    func keeping(_ isNeeded: (LogPosition) -> Bool) -> [UInt8] {
        var draft = LogFrameDraft(first: first, count: count)
        for place in places {
            for part in [body(at: place), change(at: place)] {
                if isNeeded(place) { draft.writer.append(contentsOf: bytes[part]) }
                draft.endPart()
            }
        }
        return draft.ended(after: 0)
    }
}

/// The head of a frame, before its table.
struct LogFrameHead {
    let length: Int
    let count: Int
    let first: LogPosition
    let chain: UInt64
    let noteLength: Int

    var tableEnd: Int { LogFrame.headLength + 16 * count }
    var next: LogPosition { LogPosition(first.number + Int64(count)) }

    /// - Parameter bytes: at least as many as a head has.
    init(_ bytes: ArraySlice<UInt8>) throws(ByteError) {
        let start = bytes.startIndex
        guard bytes.count >= LogFrame.headLength else {
            throw .truncated(needed: LogFrame.headLength, left: bytes.count)
        }
        length = Int(LittleEndian.word(bytes, at: start))
        count = Int(LittleEndian.word(bytes, at: start + 4))
        first = LogPosition(Int64(bitPattern: LittleEndian.wide(bytes, at: start + 8)))
        chain = LittleEndian.wide(bytes, at: start + 16)
        noteLength = Int(LittleEndian.word(bytes, at: start + 28))
        guard bytes[start + 24] == LogFrame.version else { throw .unknownVersion(bytes[start + 24]) }
        guard count <= LogFrame.countLimit else { throw .tooLong(count, limit: LogFrame.countLimit, of: "frame") }
        guard first.number >= 0, first.number < 1 << 60 else { throw .outOfRange(first.number, of: "place") }
        guard length >= tableEnd + noteLength else { throw .truncated(needed: tableEnd + noteLength, left: length) }
    }

    /// The head at the beginning of some bytes; nil where nothing was written, or no head.
    static func any(in bytes: ArraySlice<UInt8>) -> LogFrameHead? {
        guard bytes.count >= LogFrame.headLength, LittleEndian.word(bytes, at: bytes.startIndex) > 0 else { return nil }
        do throws(ByteError) { return try LogFrameHead(bytes) } catch { return nil }
    }

    /// The length of head and table up to and with the row of an entry.
    static func length(through entry: Int) -> Int { LogFrame.headLength + 16 * (entry + 1) }
}

/// A walk through the table of a frame, from one body that is wanted to the next.
struct LogBodyWalk {
    let head: LogFrameHead
    private let front: ArraySlice<UInt8>
    /// The entry at hand; its body begins at `start`.
    private var entry = 0
    private var start: Int

    /// - Parameter front: head and table, at least up to the last entry that is asked for.
    init(_ front: ArraySlice<UInt8>) throws(ByteError) {
        head = try LogFrameHead(front)
        self.front = front
        start = head.tableEnd
    }

    /// The range of an entry's body in the frame. The entry must not be before the last one that was asked for.
    mutating func body(of entry: Int) throws(ByteError) -> Range<Int> {
        let needed = LogFrameHead.length(through: entry)
        guard front.count >= needed else { throw .truncated(needed: needed, left: front.count) }
        while self.entry < entry {
            let lengths = LittleEndian.wide(front, at: place)
            start += Int(UInt32(truncatingIfNeeded: lengths)) + Int(lengths >> 32)
            self.entry += 1
        }
        let end = start + Int(LittleEndian.word(front, at: place))
        guard end <= head.length else { throw .truncated(needed: end, left: head.length) }
        return start..<end
    }

    private var place: Int { front.startIndex + LogFrame.headLength + 16 * entry }
}

/// A frame while its turn is written.
struct LogFrameDraft {
    let first: LogPosition
    var writer: [UInt8]
    private let count: Int
    private var start: Int
    private var ranges: [Range<Int>] = []

    init(first: LogPosition, count: Int) {
        (self.first, self.count) = (first, count)
        writer = [UInt8](capacity: 128 + 512 * count)
        writer.word(0 as UInt32)
        writer.word(UInt32(count))
        writer.word(UInt64(bitPattern: first.number))
        writer.word(0 as UInt64)
        writer.append(LogFrame.version)
        writer.append(0)
        writer.append(UInt8(truncatingIfNeeded: LogFrame.partition))
        writer.append(UInt8(truncatingIfNeeded: LogFrame.partition >> 8))
        for _ in 0..<2 + 4 * count { writer.word(0 as UInt32) }
        start = writer.count
        ranges.reserveCapacity(2 * count)
    }

    /// Whether there is anything in it.
    var hasContents: Bool { count > 0 || writer.count > start }

    /// Ends a part: the bytes written since the last one are the next body, or the next change.
    mutating func endPart() {
        ranges.append(start..<writer.count)
        start = writer.count
    }

    /// The range of the body of an entry that was written before, in this turn.
    func body(at place: LogPosition) -> Range<Int> { ranges[2 * Int(place.number - first.number)] }
    func change(at place: LogPosition) -> Range<Int> { ranges[2 * Int(place.number - first.number) + 1] }

    /// The bytes of the frame; those behind the last part are the note.
    mutating func ended(after chain: UInt64) -> [UInt8] {
        precondition(ranges.count == 2 * count, "an entry was left out")
        for (part, range) in ranges.enumerated() where !range.isEmpty {
            let place = LogFrame.headLength + 16 * (part / 2) + 4 * (part % 2)
            writer.replaceWord(at: place, with: UInt32(range.count))
            writer.replaceWord(at: place + 8, with: Checksum.of(writer[range]))
        }
        writer.replaceWord(at: 0, with: UInt32(writer.count))
        if start < writer.count {
            writer.replaceWord(at: 28, with: UInt32(writer.count - start))
            writer.replaceWord(at: 32, with: Checksum.of(writer[start...]))
        }
        let sum = LogFrame.chain(after: chain, writer[..<(LogFrame.headLength + 16 * count)])
        writer.replaceWord(at: 16, with: UInt32(truncatingIfNeeded: sum))
        writer.replaceWord(at: 20, with: UInt32(truncatingIfNeeded: sum >> 32))
        return writer
    }
}

/// Little-endian numbers of four and eight bytes, for callers that know that they are there.
enum LittleEndian {
    static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt32 {
        UInt32(littleEndian: number(bytes, at: place))
    }

    static func wide(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt64 {
        UInt64(littleEndian: number(bytes, at: place))
    }

    /// Loads a number in one step, as a frame of an import has a thousand entries, of which all are
    /// gone through for one. The span checks that the bytes are there.
    @inline(__always)
    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: ArraySlice<UInt8>, at place: Int
    ) -> Number {
        unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: place - bytes.startIndex, as: Number.self)
    }
}
