import Bytes
import Names
import Pool
import Replication
import Wire

/// Words on the line between two hosts, in one frame each.
///
/// | bytes | |
/// |---|---|
/// | 2 | `FH` |
/// | 1 | version: 1; 2 where the log of the cluster has several partitions |
/// | text | host that speaks |
/// | 2 | in version 2 the number of partitions |
/// | 1 | kind of word |
/// | rest | fields of the kind |
///
/// Integers are big-endian; a text or block stands behind its length in four bytes. The kinds, with their fields:
///
/// 1. a mark: partition (2), sequence, link, reign (8 each), owner (text, empty before the first claim), next (8),
///    wiped (8), lost (1: 0 no, 1 yes, and where there are several logs 2, it makes way), number of keys (2), and these
///    (8 each)
/// 2. a key: partition (2), number (8), bytes (block)
/// 3. events that a producer posted there: serial (8), name of the key that they came under (text, empty where there
///    are no keys), request (block)
/// 4. their answer: serial (8), JSON (block)
/// 5. a copy is wanted: its number, and the byte from which on (8 each)
/// 6. a piece of it: number, byte, size of all (8 each), bytes (block); none of these while it is being made
/// 7. rows are wanted: batch (term, number, 8 each), edition, digest of the engine (texts), list of jobs, each place
///   in
///    the batch, shard (2 each), message, number (8 each)
/// 8. rows: batch, block of them as workers elsewhere send it (`MadeRow`)
/// 9. the owner waits for a claim of the host that hears this: partition (2), last record of the log (8)
/// 10. an operator wants another owner: partition (2), host (text)
/// 11. a sum over all rows is wanted: its number (8)
/// 12. the sum: number (8), edition (text), whether rows could be read (1), and then their count and digest (8 each)
/// 13. in version 2 alone: rows are wanted, as in 7, and behind that the conversation and the id of each message
///    (texts), as the hosts have several logs in a journal, and number messages differently
///
/// A build that knows a single log refuses every word of version 2, and says so in its program log. Hosts with a single
/// log go on to speak version 1, so that they can be replaced by another build one after the other.
struct LinkWord: Equatable, Sendable {
    var host: HostID
    /// The number of partitions of the log. The words of hosts with different numbers would mean different things.
    var partitions = 1
    var body: Body

    enum Body: Equatable, Sendable {
        case word(HostWord)
        /// Events that a producer posted at the host that speaks.
        case post(serial: UInt64, payer: String, request: [UInt8])
        case answer(serial: UInt64, json: [UInt8])
        /// A copy of the other's journal is wanted, from a byte on. Another number is another copy.
        case copy(number: UInt64, offset: UInt64)
        case piece(number: UInt64, offset: UInt64, size: UInt64, bytes: [UInt8])
        /// Rows are wanted that the other host has.
        case question(RowQuestion)
        case named(NamedRowQuestion)
        case rows(BatchID, [UInt8])
        /// A sum over all rows of the other host is wanted, under a number.
        case count(UInt64)
        case counted(UInt64, RowCount)
    }

    /// The most bytes of a request or an answer.
    static let longest = 16 << 20
    private static let (first, second): (UInt8, UInt8) = (0x46, 0x48)

    init(_ host: HostID, of partitions: Int = 1, _ body: Body) {
        (self.host, self.partitions, self.body) = (host, partitions, body)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in [Self.first, Self.second, partitions > 1 ? 2 : 1] { writer.integer(byte) }
        writer.text(host.text)
        if partitions > 1 { writer.integer(UInt16(partitions)) }
        switch body {
        case .word(.mark(let mark)):
            writer.integer(1 as UInt8)
            mark.write(to: &writer)
        case .word(.key(let partition, let number, let key)):
            writer.integer(2 as UInt8)
            writer.integer(partition.number)
            writer.value(number)
            writer.block(key.bytes)
        case .word(.call(let partition, let end)):
            writer.integer(9 as UInt8)
            writer.integer(partition.number)
            writer.value(end)
        case .word(.move(let partition, let heir)):
            writer.integer(10 as UInt8)
            writer.integer(partition.number)
            writer.text(heir.text)
        case .post(let serial, let payer, let request):
            writer.integer(3 as UInt8)
            writer.integer(serial)
            writer.text(payer)
            writer.block(request)
        case .answer(let serial, let json):
            writer.integer(4 as UInt8)
            writer.integer(serial)
            writer.block(json)
        case .copy(let number, let offset):
            writer.integer(5 as UInt8)
            writer.integer(number)
            writer.integer(offset)
        case .piece(let number, let offset, let size, let bytes):
            writer.integer(6 as UInt8)
            writer.integer(number)
            writer.integer(offset)
            writer.integer(size)
            writer.block(bytes)
        case .question(let question):
            writer.integer(7 as UInt8)
            writer.value(question)
        case .named(let question):
            writer.integer(13 as UInt8)
            writer.value(question)
        case .rows(let batch, let bytes):
            writer.integer(8 as UInt8)
            writer.value(batch)
            writer.block(bytes)
        case .count(let number):
            writer.integer(11 as UInt8)
            writer.integer(number)
        case .counted(let number, let count):
            writer.integer(12 as UInt8)
            writer.integer(number)
            writer.text(count.edition.text)
            writer.integer(count.rows == nil ? 0 : 1 as UInt8)
            guard let rows = count.rows else { break }
            writer.integer(rows)
            writer.integer(count.digest)
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ByteError) {
        var reader = ByteReader(bytes)
        for expected in [Self.first, Self.second] {
            guard try reader.integer(UInt8.self) == expected else { throw .notForme }
        }
        let version = try reader.integer(UInt8.self)
        guard 1...2 ~= version else { throw .unknownVersion(version) }
        host = try HostID(reader.text(atMost: Limits.name, of: "host"))
        if version == 2 { partitions = Int(try reader.integer(in: 2...UInt16.max, of: "partitions")) }
        switch try reader.integer(UInt8.self) {
        case 1: body = .word(.mark(try Mark(of: host, from: &reader)))
        case 2:
            let partition = Partition(try reader.integer())
            let number = try reader.value(KeyNumber.self)
            let key = try reader.block(atMost: RecordKey.length, of: "key")
            guard key.count == RecordKey.length else { throw .truncated(needed: RecordKey.length, left: key.count) }
            body = .word(.key(partition, number, RecordKey(Array(key))))
        case 3:
            let serial = try reader.integer(UInt64.self)
            let payer = try reader.text(atMost: Limits.name, of: "payer")
            body = .post(
                serial: serial, payer: payer, request: Array(try reader.block(atMost: Self.longest, of: "request")))
        case 4:
            let serial = try reader.integer(UInt64.self)
            body = .answer(serial: serial, json: Array(try reader.block(atMost: Self.longest, of: "answer")))
        case 5: body = .copy(number: try reader.integer(), offset: try reader.integer())
        case 6:
            let (number, offset) = (try reader.integer(UInt64.self), try reader.integer(UInt64.self))
            let size = try reader.integer(UInt64.self)
            let bytes = Array(try reader.block(atMost: JournalCopies.piece, of: "piece"))
            body = .piece(number: number, offset: offset, size: size, bytes: bytes)
        case 7: body = .question(try reader.value())
        case 8:
            let batch = try reader.value(BatchID.self)
            body = .rows(batch, Array(try reader.block(atMost: Limits.madeRows, of: "rows")))
        case 9: body = .word(.call(Partition(try reader.integer()), end: try reader.value()))
        case 10:
            let partition = Partition(try reader.integer())
            body = .word(.move(partition, to: try HostID(reader.text(atMost: Limits.name, of: "host"))))
        case 11: body = .count(try reader.integer())
        case 12: body = .counted(try reader.integer(), try RowCount(from: &reader))
        case 13 where version == 2: body = .named(try reader.value())
        case let kind: throw .unknownKind(kind)
        }
        try reader.end()
    }
}

extension RowCount {
    fileprivate init(from reader: inout ByteReader) throws(ByteError) {
        let edition = try EditionID(reader.text(atMost: Limits.name, of: "edition"))
        let isRead = try reader.integer(in: 0...1 as ClosedRange<UInt8>, of: "whether rows could be read") == 1
        self.init(
            edition: edition, rows: isRead ? try reader.integer() : nil, digest: isRead ? try reader.integer() : 0)
    }
}
