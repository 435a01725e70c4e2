package import Bytes
import Pool
import Wire

/// A record as an engine keeps it: its head in the clear, the rest sealed, and a checksum of all of it.
///
/// ```text
///  0      4         5       13      21      29
///  ┌──────┬─────────┬───────┬───────┬───────┬──────────┬────────────────┬──────────┐
///  │ FRML │ version │ reign │ link  │ key   │ host     │ sealed         │ checksum │
///  │      │ 1       │ 8     │ 8     │ 8     │ 4 + 1…255│ 4 + …          │ 4        │
///  └──────┴─────────┴───────┴───────┴───────┴──────────┴────────────────┴──────────┘
/// ```
///
/// The seal is bound to the head, to the cluster, to the partition and to the place: a record that was put elsewhere
/// does not open.
package struct SealedRecord: Equatable, Sendable {
    package var head: LogRecord.Head
    package var sealed: [UInt8]

    private static let magic = Array("FRML".utf8)
    /// The version that is written. A later version is refused, and not guessed at.
    package static let version: UInt8 = 1

    package init(head: LogRecord.Head, sealed: [UInt8]) { (self.head, self.sealed) = (head, sealed) }

    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.integer(Self.version)
        head.write(to: &writer)
        writer.block(sealed)
        writer.integer(Checksum.of(writer.bytes))
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(ByteError) {
        guard bytes.count <= LogBounds.record else {
            throw .tooLong(bytes.count, limit: LogBounds.record, of: "record")
        }
        var reader = ByteReader(bytes)
        guard try reader.bytes(4).elementsEqual(Self.magic) else { throw .notForme }
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        head = try LogRecord.Head(from: &reader)
        sealed = Array(try reader.block(atMost: LogBounds.record, of: "sealed part"))
        let sum = try reader.integer(UInt32.self)
        try reader.end()
        guard sum == Checksum.of(bytes.dropLast(4)) else { throw .outOfRange(Int64(sum), of: "checksum of a record") }
    }
}

extension LogRecord.Head {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.value(reign)
        writer.integer(link.number)
        writer.value(key)
        writer.value(host)
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteError) {
        let (reign, link) = (try reader.value(Reign.self), ChainLink(try reader.integer()))
        let key = try reader.value(KeyNumber.self)
        self.init(reign: reign, host: try reader.value(), link: link, key: key)
    }

    /// Returns the bytes that the seal of a record is bound to, beside its contents.
    fileprivate func bound(to cluster: ClusterID, _ partition: Partition, _ sequence: LogSequence) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(cluster.number)
        writer.integer(partition.number)
        writer.integer(sequence.number)
        write(to: &writer)
        return writer.bytes
    }
}

/// The number that tells clusters apart that share an engine: a hash of the cluster's name.
package struct ClusterID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }

    /// A host with another number of partitions opens no record: it would take events of others' partitions for those
    /// of its own.
    package init(named name: String, partitions: Int = 1) {
        var hash = StableHash()
        hash.add(name.utf8)
        if partitions > 1 { hash.add(UInt64(partitions)) }
        number = hash.value
    }
}

/// A record at its place in the log, with the link behind it.
package struct LogEntry: Equatable, Sendable {
    package var sequence: LogSequence
    package var record: LogRecord
    /// The link of all records up to this one.
    package var link: ChainLink

    package init(sequence: LogSequence, record: LogRecord, link: ChainLink) {
        (self.sequence, self.record, self.link) = (sequence, record, link)
    }
}

/// The reason why a record cannot be taken from the log.
package enum RecordFault: Error, Equatable, Sendable {
    /// It is no record, or one of a later version.
    case unreadable(ByteError)
    /// The key that it is sealed with is not here; another host may have it.
    case lacksKey(KeyNumber)
    /// It was sealed for another place or without the key, or was changed since.
    case doesNotOpen
}

/// A codec between records and sealed bytes.
package struct RecordCodec<Cipher: RecordCipher>: Sendable {
    package let cluster: ClusterID
    package let partition: Partition
    private let cipher: Cipher

    package init(_ cluster: ClusterID, _ partition: Partition, _ cipher: Cipher) {
        (self.cluster, self.partition, self.cipher) = (cluster, partition, cipher)
    }

    package func seal(_ record: LogRecord, at sequence: LogSequence, under key: RecordKey) -> [UInt8] {
        let bound = record.head.bound(to: cluster, partition, sequence)
        return SealedRecord(head: record.head, sealed: cipher.seal(record.sealedPart, under: key, bound: bound))
            .encoded()
    }

    package func open(
        _ bytes: [UInt8], at sequence: LogSequence, with keys: (KeyNumber) -> RecordKey?
    ) throws(RecordFault) -> LogEntry {
        let sealed: SealedRecord
        do throws(ByteError) { sealed = try SealedRecord(decoding: bytes) } catch { throw .unreadable(error) }
        guard let key = keys(sealed.head.key) else { throw .lacksKey(sealed.head.key) }
        let bound = sealed.head.bound(to: cluster, partition, sequence)
        guard let plain = cipher.open(sealed.sealed[...], under: key, bound: bound) else { throw .doesNotOpen }
        let record: LogRecord
        do throws(ByteError) { record = try LogRecord(head: sealed.head, sealedPart: plain) } catch {
            throw .unreadable(error)
        }
        return LogEntry(sequence: sequence, record: record, link: ChainLink(behind: bytes))
    }
}
