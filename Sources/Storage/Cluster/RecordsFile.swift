import Glibc
import Names
import Pool
package import Replication

/// The file with the records of all logs that one journal has (`replica.db`), each in tables of its own. Where there
/// are several, it also has the place of each turn in the journal, in which their turns lie as they came.
package final class RecordsFile {
    let database: Database
    /// The number of logs of which the journal has the turns.
    package let partitions: Int

    package var path: String { database.path }
    /// Whether the journal has several logs.
    package var isShared: Bool { partitions > 1 }

    /// The names of a partition's tables.
    struct Tables {
        let (anchor, turn, key, wiped, place): (String, String, String, String, String)

        init(_ partition: Partition) {
            let end = partition.number == 0 ? "" : "_\(partition.number)"
            (anchor, turn, key, wiped, place) = (
                "anchor" + end, "turn" + end, "key" + end, "wiped" + end, "place" + end
            )
        }
    }

    /// - Parameters:
    ///   - partitions: the number of logs, which stays as it was when the file was made.
    ///   - base: the anchor of the journal from before any log wrote to it.
    package init(path: String, partitions: Int = 1, behind base: LogAnchor = .start) throws(StorageError) {
        try Self.refuseForeign(path)
        var tuning = Database.Tuning()
        tuning.forgets = true
        let database = try Database.open(path: path, .write, tuning)
        let isNew = try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'anchor'") == 0
        let known = try Self.shared(in: database)?.partitions ?? (isNew ? partitions : 1)
        guard known == partitions else { throw .otherPartitions(path: path, own: known, asked: partitions) }
        if isNew, partitions > 1 { try Self.share(database, partitions, behind: base) }
        let format = partitions > 1 ? StoredFormat.replica.newest : StoredFormat.replica.oldest
        // The first builds with a cluster gave it no number.
        if try database.integer("PRAGMA user_version") != format {
            try database.execute("PRAGMA user_version = \(format)")
        }
        self.partitions = partitions
        self.database = database
    }

    /// Refuses a file of a format that is not known, before a byte of it changes.
    private static func refuseForeign(_ path: String) throws(StorageError) {
        guard FileFacts(path)?.size ?? 0 > 0 else { return }
        // With a write-ahead log SQLite finds the format in that, and the file alone may have an older one.
        let hasLog = FileFacts(path + "-wal")?.size ?? 0 > 0
        guard hasLog else { return try checkFormat(of: Database.openAlone(path: path)) }
        try checkFormat(of: Database.open(path: path, .read))
    }

    private static func checkFormat(of database: borrowing Database) throws(StorageError) {
        let found = try database.integer("PRAGMA user_version")
        guard found == 0 || StoredFormat.replica.reads ~= found else {
            throw .foreignFormat(path: database.path, found: found, expected: StoredFormat.replica.newest)
        }
    }

    /// Makes the tables for several logs, all at once.
    private static func share(
        _ database: borrowing Database, _ partitions: Int, behind base: LogAnchor
    ) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            for number in 0..<partitions {
                let place = Tables(Partition(UInt16(number))).place
                try database.execute(
                    "CREATE TABLE IF NOT EXISTS \(place) (first INTEGER PRIMARY KEY, at INTEGER NOT NULL)")
            }
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS journal (
                    partitions INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL)
                """)
            guard try database.integer("SELECT count(*) FROM journal") == 0 else { return }
            try database.prepare("INSERT INTO journal VALUES (?1, ?2, ?2)").run(
                .integer(Int64(partitions)), .integer(base.next.number))
        }
    }

    /// The number of logs, and the places of the journal between which it has turns of these records; nil where the
    /// journal has a single log.
    static func shared(
        in database: borrowing Database
    ) throws(StorageError) -> (partitions: Int, start: LogPosition, end: LogPosition)? {
        guard try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'journal'") > 0 else { return nil }
        return try database.prepare("SELECT partitions, start, \"end\" FROM journal").first { row in
            (Int(row.integer(0)), LogPosition(row.integer(1)), LogPosition(row.integer(2)))
        }
    }

    /// The end of a journal that has all turns of these records.
    func end() throws(StorageError) -> LogPosition? { try Self.shared(in: database)?.end }

    /// Notes the place that a turn gets in the journal, in the transaction that writes the turn.
    func note(_ turn: ReplayedTurn, at place: LogPosition, _ tables: Tables) throws(StorageError) {
        try database.prepare("INSERT OR REPLACE INTO \(tables.place) VALUES (?, ?)").run(
            .integer(turn.content.first.number), .integer(place.number))
        let count = turn.next.number - turn.content.first.number
        try database.prepare("UPDATE journal SET \"end\" = ?").run(.integer(place.number + count))
    }

    /// Notes that turns go that end at a place of their log or before it, in the transaction that drops them.
    func forget(before next: LogPosition, _ tables: Tables) throws(StorageError) {
        let last = try database.prepare(
            """
            SELECT coalesce(max(at + next - turn.first), 0) FROM \(tables.turn) AS turn
            JOIN \(tables.place) AS place ON place.first = turn.first WHERE next <= ?
            """)
        last.bind(next.number, at: 1)
        let start = try last.first { row in row.integer(0) } ?? 0
        try database.prepare("UPDATE journal SET start = max(start, ?)").run(.integer(start))
        try database.prepare("DELETE FROM \(tables.place) WHERE first < ?").run(.integer(next.number))
    }

    /// Turns of all logs that lie in the journal from a place on, in their order there.
    func turns(from place: LogPosition) throws(StorageError) -> [(at: LogPosition, turn: ReplayedTurn)] {
        var turns: [(at: LogPosition, turn: ReplayedTurn)] = []
        let path = path
        for number in 0..<partitions {
            let tables = Tables(Partition(UInt16(number)))
            try database.prepare(
                """
                SELECT place.at, turn.content FROM \(tables.place) AS place
                JOIN \(tables.turn) AS turn ON turn.first = place.first WHERE place.at >= ?
                """
            ).run(.integer(place.number)) { (row) throws(StorageError) in
                turns.append((LogPosition(row.integer(0)), try Self.turn(row.blob(1), path)))
            }
        }
        return turns.sorted { $0.at < $1.at }
    }

    /// Reads a turn as it is stored.
    static func turn(_ bytes: [UInt8], _ path: String) throws(StorageError) -> ReplayedTurn {
        let head = LogRecord.Head(reign: .zero, host: nobody, link: .start, key: .zero)
        guard let record = try? LogRecord(head: head, sealedPart: bytes), case .turn(let content) = record.body else {
            throw .corrupt(path: path, "a turn cannot be read")
        }
        return ReplayedTurn(content, next: record.next)
    }

    /// The host in a head that nobody reads.
    private static let nobody: HostID = {
        do { return try HostID("-") } catch { preconditionFailure("a hyphen is a name") }
    }()

    /// A copy of the records of a folder as bytes, and the place of the journal at which their turns begin; nil where
    /// the folder is of no cluster.
    ///
    /// - Parameter path: the path of a scratch file.
    static func copy(
        of folder: DataFolder, by path: String
    ) throws(StorageError) -> (bytes: [UInt8], first: LogPosition)? {
        guard FileFacts(folder.file(ReplicaRecords.name)) != nil else { return nil }
        let first: LogPosition
        do {
            let source = try Database.open(path: folder.file(ReplicaRecords.name), .read, Database.Tuning())
            try checkFormat(of: source)
            let copy = try Database.open(path: path, .write, Database.Tuning(forgets: true, isScratch: true))
            try source.copy(to: copy)
            guard let place = try ReplicaRecords.first(in: copy, path) else {
                try FileFacts.remove(path)
                return nil
            }
            first = place
        }
        defer { _ = unsafe unlink(path) }
        return try FileFacts.contents(of: path).map { ($0, first) }
    }
}
