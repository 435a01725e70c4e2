import CSQLite
import Glibc
package import Replication

/// The log of a cluster whose hosts are processes of one machine: a file of SQLite, which is the
/// only thing that they share.
///
/// An append is one transaction that is on the disk when it ends. It is as durable as its one machine, so it is
/// no engine for separate hosts. A service without a cluster has no log beside its journal's, and needs none.
@safe package struct LocalLog: AwaitedLog, ~Copyable {
    package typealias Failure = StorageError

    private let database: Database
    private let events = Events()
    /// The most bytes that all records may have together.
    package var quota = Int.max
    private var lastTicket: UInt64 = 0

    /// Events that have come and are not taken yet.
    private final class Events { var all: [LogEvent] = [] }

    private init(_ database: consuming Database) { self.database = database }

    package static func open(path: String) throws(StorageError) -> LocalLog {
        let database = try Database.open(path: path, .write)
        try database.transaction { () throws(StorageError) in try database.execute(schema) }
        return LocalLog(database)
    }

    private static let schema = """
        CREATE TABLE IF NOT EXISTS log (
            partition INTEGER PRIMARY KEY, last INTEGER NOT NULL, trimmed INTEGER NOT NULL, bytes INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS record (
            partition INTEGER NOT NULL, sequence INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (partition, sequence)) WITHOUT ROWID
        """

    private struct Extent {
        var last: UInt64
        var trimmed: UInt64
    }

    private func extent(of partition: Partition) throws(StorageError) -> Extent? {
        let statement = try database.prepare("SELECT last, trimmed FROM log WHERE partition = ?")
        statement.bind(Int64(partition.number), at: 1)
        return try statement.first { row in Extent(last: UInt64(row.integer(0)), trimmed: UInt64(row.integer(1))) }
    }

    package mutating func append(_ records: [LogAppend]) throws(StorageError) -> AppendTicket {
        lastTicket += 1
        let ticket = AppendTicket(lastTicket)
        // A reference of its own: the thread sanitizer stops at a change in place through a class that a value holds.
        let events = events
        events.all.append(try database.transaction { () throws(StorageError) in try put(records, ticket) })
        return ticket
    }

    private func put(_ records: [LogAppend], _ ticket: AppendTicket) throws(StorageError) -> LogEvent {
        var refused: [Partition] = []
        for record in records where try extent(of: record.partition)?.last != record.behind.number {
            refused.append(record.partition)
        }
        guard refused.isEmpty else { return .overtaken(ticket, refused) }
        let kept = try database.integer("SELECT coalesce(sum(bytes), 0) FROM log")
        guard records.reduce(Int(kept), { $0 + $1.bytes.count }) <= quota else { return .full(ticket) }
        for record in records {
            let (partition, sequence) = (Int64(record.partition.number), Int64(record.behind.next.number))
            try database.prepare("INSERT INTO record VALUES (?, ?, ?)").run(
                .integer(partition), .integer(sequence), .blob(record.bytes))
            try database.prepare("UPDATE log SET last = ?, bytes = bytes + ? WHERE partition = ?").run(
                .integer(sequence), .integer(Int64(record.bytes.count)), .integer(partition))
        }
        return .appended(ticket)
    }

    package mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(StorageError) {
        let events = events
        guard let extent = try extent(of: partition) else { return events.all.append(.reset(partition)) }
        let statement = try database.prepare(
            "SELECT sequence, bytes FROM record WHERE partition = ? AND sequence > ? ORDER BY sequence LIMIT ?")
        try statement.run(
            .integer(Int64(partition.number)), .integer(Int64(after.number)), .integer(Int64(limit))
        ) { row in
            events.all.append(.entry(partition, LogSequence(UInt64(row.integer(0))), row.blob(1)))
        }
        let (last, trimmed) = (LogSequence(extent.last), LogSequence(extent.trimmed))
        events.all.append(.end(partition, LogExtent(last: last, trimmed: trimmed)))
    }

    package mutating func trim(_ partition: Partition, to place: LogSequence) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            guard let extent = try extent(of: partition) else { return }
            let trimmed = Int64(max(extent.trimmed, min(place.number, extent.last)))
            let partition = Int64(partition.number)
            try database.prepare("DELETE FROM record WHERE partition = ? AND sequence <= ?").run(
                .integer(partition), .integer(trimmed))
            try database.prepare(
                """
                UPDATE log SET trimmed = ?2, bytes = (
                    SELECT coalesce(sum(length(bytes)), 0) FROM record WHERE partition = ?1) WHERE partition = ?1
                """
            ).run(.integer(partition), .integer(trimmed))
        }
    }

    package mutating func begin(
        _ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?
    ) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            guard try extent(of: partition)?.last == end?.number else { return }
            let number = Int64(partition.number)
            try database.prepare("DELETE FROM record WHERE partition = ?").run(.integer(number))
            try database.prepare("REPLACE INTO log VALUES (?1, ?2, ?2, 0)").run(
                .integer(number), .integer(Int64(place.number)))
        }
    }

    package mutating func takeEvents() throws(StorageError) -> [LogEvent] {
        defer { events.all = [] }
        return events.all
    }
    /// Waits for the descriptors alone, as each question is answered when it is asked.
    package mutating func wait(atMost time: Duration, orFor descriptors: [Int32]) throws(StorageError) {
        var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = events.all.isEmpty ? Int32(clamping: Int((time / .milliseconds(1)).rounded(.up))) : 0
        _ = unsafe poll(&waited, nfds_t(waited.count), max(0, milliseconds))
    }

    package mutating func takeWords() -> [String] { [] }
}
