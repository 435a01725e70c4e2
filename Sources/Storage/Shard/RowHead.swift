import Bytes
import Names
import Pool
import Wire

/// The head of a row, in front of its layout: the message, the facts and place of the row, and the
/// key that it was made under; and the checksums of head, layout and measured texts.
///
/// | bytes | |
/// |---|---|
/// | 1 | version: 3, or 2 without heights |
/// | 4 | checksum of number, job and all that follows here |
/// | 4, 4 | checksums of layout and measured texts |
/// | number | conversation |
/// | block | message's id |
/// | signed | order |
/// | block | sender |
/// | signed | time |
/// | number | revision |
/// | byte, block | 1 and the status, or 0 |
/// | block | key |
/// | number | role |
/// | block | in version 3: the list of heights (`HeightPlan`) |
struct RowHead: Equatable {
    var conversation: Int64
    var message: MessageID
    var facts: StoredFacts
    var key: ArraySlice<UInt8>
    /// The number of the role in this file.
    var role: Int64
    var layoutSum: UInt32
    var measuredSum: UInt32
    /// The list of heights; empty where only the record tells them.
    var heights: ArraySlice<UInt8>

    /// The version of heads with heights, and the one before.
    private static let version: UInt8 = 3
    private static let previousVersion: UInt8 = 2
    private static let versions = previousVersion...version

    init(conversation: Int64, message: MessageID, role: Int64, row: ShardRow) {
        (self.conversation, self.message, self.role) = (conversation, message, role)
        (facts, key, heights) = (row.facts, row.key[...], row.heights[...])
        layoutSum = Checksum.of(row.layout)
        measuredSum = Checksum.of(row.measured)
    }

    func encoded(_ number: MessageNumber, _ job: JobNumber) -> [UInt8] {
        var writer = [UInt8](capacity: 96 + key.count + heights.count)
        writer.append(heights.isEmpty ? Self.previousVersion : Self.version)
        writer.word(0 as UInt32)
        writer.word(layoutSum)
        writer.word(measuredSum)
        writer.number(UInt64(bitPattern: conversation))
        writer.name(message)
        writer.signed(facts.order)
        writer.name(facts.sender)
        writer.signed(facts.time.milliseconds)
        writer.number(facts.revision.number)
        writer.append(facts.status == nil ? 0 : 1)
        if let status = facts.status { writer.block(status) }
        writer.block(key)
        writer.number(UInt64(bitPattern: role))
        if !heights.isEmpty { writer.block(heights) }
        writer.replaceWord(at: 1, with: Self.sum(number, job, writer[5...]))
        return writer
    }

    init(_ bytes: [UInt8], _ number: MessageNumber, _ job: JobNumber) throws(ByteError) {
        self = try unsafe bytes.withUnsafeBufferPointer { (all) throws(ByteError) in
            try unsafe RowHead(all, of: bytes, number, job)
        }
    }

    private init(
        _ all: UnsafeBufferPointer<UInt8>, of bytes: [UInt8], _ number: MessageNumber, _ job: JobNumber
    ) throws(ByteError) {
        var reader = unsafe NumberReader(all)
        let version = reader.byte()
        guard Self.versions ~= version else { throw reader.fault ?? .unknownVersion(version) }
        let sum = reader.word(UInt32.self)
        guard reader.fault == nil, sum == Self.sum(number, job, bytes[reader.place...]) else {
            throw reader.fault ?? .outOfRange(Int64(sum), of: "checksum of a row's head")
        }
        (layoutSum, measuredSum) = (reader.word(), reader.word())
        conversation = Int64(bitPattern: reader.wideNumber())
        message = try unsafe reader.name(in: all)
        let order = reader.wideSigned()
        let sender = try unsafe reader.name(Sender.self, in: all)
        let time = reader.wideSigned()
        let revision = reader.wideNumber()
        let hasStatus = reader.byte() != 0
        let status = hasStatus ? Array(bytes[reader.block(atMost: Limits.status, of: "status")]) : nil
        facts = StoredFacts(
            order: order, sender: sender, time: Timestamp(milliseconds: time), revision: Revision(revision),
            status: status)
        key = bytes[reader.block(atMost: 1 << 12, of: "key")]
        role = Int64(bitPattern: reader.wideNumber())
        heights = version == Self.version ? bytes[reader.block(atMost: 1 << 12, of: "heights")] : []
        try reader.finish()
    }

    /// The checksum of the measured texts, read without a check of the head: a comparison with it
    /// finds a damaged head, too.
    static func measuredSum(in head: borrowing Span<UInt8>) -> UInt32? {
        guard head.count >= 13, versions ~= head[0] else { return nil }
        return word(9, of: head)
    }

    /// The checksums of layout and measured texts; nil where the head is damaged. The rest of it stays unread.
    static func sums(
        in head: borrowing Span<UInt8>, _ number: MessageNumber, _ job: JobNumber
    ) -> (layout: UInt32, measured: UInt32)? {
        guard isIntact(head, number, job), let measured = measuredSum(in: head) else { return nil }
        return (word(5, of: head), measured)
    }

    static func isIntact(_ head: borrowing Span<UInt8>, _ number: MessageNumber, _ job: JobNumber) -> Bool {
        head.count >= 13 && versions ~= head[0]
            && word(1, of: head) == Checksum.of(head.extracting(5...), seed: seed(number, job))
    }

    /// Whether a sender wrote the message, in a head that is intact.
    static func isFrom(_ sender: [UInt8], _ head: borrowing Span<UInt8>) -> Bool {
        unsafe head.withUnsafeBufferPointer { bytes in
            var reader = unsafe NumberReader(bytes, from: 13)
            // The conversation, the message's id, and the order.
            _ = reader.wideNumber()
            reader.pass(reader.count(of: "id"))
            _ = reader.wideNumber()
            let count = reader.count(of: "sender")
            return unsafe reader.fault == nil && reader.rest.prefix(count).elementsEqual(sender)
        }
    }

    private static func word(_ place: Int, of head: borrowing Span<UInt8>) -> UInt32 {
        UInt32(head[place]) | UInt32(head[place + 1]) << 8 | UInt32(head[place + 2]) << 16
            | UInt32(head[place + 3]) << 24
    }

    private static func sum(_ number: MessageNumber, _ job: JobNumber, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        Checksum.of(bytes, seed: seed(number, job))
    }

    private static func seed(_ number: MessageNumber, _ job: JobNumber) -> UInt64 {
        UInt64(bitPattern: number.number) &* 0xFF51_AFD7_ED55_8CCD ^ job.number
    }
}

extension RowHead {
    var position: Position { Position(order: facts.order, message: message) }

    /// Whether a block with the row would be the same under either head.
    func isSealedLike(_ other: RowHead) -> Bool {
        conversation == other.conversation && position == other.position && role == other.role
            && facts.sender == other.facts.sender && facts.time == other.facts.time
            && facts.status == other.facts.status
    }
}
