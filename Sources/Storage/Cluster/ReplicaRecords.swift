import CSQLite
import Glibc
import Names
package import Pool
package import Replication

/// Records of one partition's log that a host keeps beside its journal (`replica.db`): anchors and
/// turns that the log may still have, and keys.
///
/// A turn and its anchor are stored here before the journal has the turn, in one transaction that
/// is on the disk when it ends; the next start brings the journal up to it. Turns that the log no
/// longer has are overwritten here, and so are wiped keys.
@safe package struct ReplicaRecords: ~Copyable {
    private let file: RecordsFile
    private let tables: RecordsFile.Tables
    package private(set) var trail: AnchorTrail
    package private(set) var keys: [KeyNumber: RecordKey]
    package private(set) var wiped: KeyNumber

    /// Name of its file.
    package static let name = DataFolder.hostRecords

    /// Opens the records of a journal that has a single log.
    ///
    /// - Parameter base: the anchor of the journal from before any log wrote to it.
    package init(path: String, behind base: LogAnchor = .start) throws(StorageError) {
        let file = try RecordsFile(path: path, behind: base)
        try self.init(of: Partition(0), in: file, behind: base)
    }

    /// Opens the records of one log of those that a journal has.
    package init(of partition: Partition, in file: RecordsFile, behind base: LogAnchor) throws(StorageError) {
        let (tables, path) = (RecordsFile.Tables(partition), file.path)
        try file.database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(tables.anchor) (
                sequence INTEGER PRIMARY KEY, link INTEGER NOT NULL, reign INTEGER NOT NULL, owner BLOB, next INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS \(tables.turn) (first INTEGER PRIMARY KEY, next INTEGER NOT NULL, content BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS \(tables.key) (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS \(tables.wiped) (number INTEGER NOT NULL);
            """)
        let known = try Self.trail(in: file.database, tables, path)
        let keys = try Self.keys(in: file.database, tables, path)
        let wiped = try file.database.prepare("SELECT coalesce(max(number), 0) FROM \(tables.wiped)").first {
            (row) throws(StorageError) in KeyNumber(try row.number(0, atMost: KeyNumber.most.number, path))
        }
        // Other logs may bring entries before this one does, and then nobody could tell where it began.
        if known == nil, file.isShared { try Self.put(base, in: file, tables) }
        (trail, self.keys) = (known ?? AnchorTrail(from: base), keys)
        self.wiped = wiped ?? .zero
        (self.file, self.tables) = (file, tables)
    }

    private static func trail(
        in database: borrowing Database, _ tables: RecordsFile.Tables, _ path: String
    ) throws(StorageError) -> AnchorTrail? {
        var trail: AnchorTrail?
        try database.prepare("SELECT sequence, link, reign, owner, next FROM \(tables.anchor) ORDER BY sequence").run {
            (row) throws(StorageError) in
            let owner = row.blob(3)
            let host = owner.isEmpty ? nil : try? HostID(String(decoding: owner, as: UTF8.self))
            // The records may be another host's, whose journal took the place of this one's.
            let sequence = LogSequence(try row.number(0, atMost: LogSequence.most.number, path))
            let reign = Reign(try row.number(2, atMost: Reign.most.number, path))
            let next = try row.number(4, atMost: UInt64(LogPosition.most.number), path)
            let anchor = LogAnchor(
                sequence: sequence, link: ChainLink(row.number(1)), reign: reign, owner: host,
                next: LogPosition(Int64(next)))
            guard let last = trail?.last else { return trail = AnchorTrail(from: anchor) }
            guard anchor.sequence == last.sequence.next else { throw .corrupt(path: path, "anchors have a gap") }
            trail?.append(anchor)
        }
        return trail
    }

    private static func keys(
        in database: borrowing Database, _ tables: RecordsFile.Tables, _ path: String
    ) throws(StorageError) -> [KeyNumber: RecordKey] {
        var keys: [KeyNumber: RecordKey] = [:]
        try database.prepare("SELECT number, bytes FROM \(tables.key)").run { (row) throws(StorageError) in
            let bytes = row.blob(1)
            guard bytes.count == RecordKey.length else { throw .corrupt(path: path, "a key has another length") }
            keys[KeyNumber(try row.number(0, atMost: KeyNumber.most.number, path))] = RecordKey(bytes)
        }
        return keys
    }

    /// Whether an anchor is that of the next record, or takes the place of one that the log forgot.
    package func admits(_ anchor: LogAnchor) -> Bool {
        anchor.sequence > trail.first.sequence && anchor.sequence <= trail.last.sequence.next
    }

    /// - Parameter place: the place that the turn gets in a journal with several logs.
    package mutating func commit(
        _ turn: ReplayedTurn?, _ anchor: LogAnchor, at place: LogPosition? = nil
    ) throws(StorageError) {
        precondition(admits(anchor), "a record does not follow")
        let first = trail.first
        let isNew = trail.count == 1
        try file.database.transaction { () throws(StorageError) in
            if isNew { try Self.put(first, in: file, tables) }
            try file.database.prepare("DELETE FROM \(tables.anchor) WHERE sequence >= ?").run(
                .number(anchor.sequence.number))
            try Self.put(anchor, in: file, tables)
            guard let turn else { return }
            let head = LogRecord.Head(reign: anchor.reign, host: anchor.owner!, link: anchor.link, key: .zero)
            let bytes = LogRecord(head: head, body: .turn(turn.content), next: turn.next).sealedPart
            try file.database.prepare("INSERT OR REPLACE INTO \(tables.turn) VALUES (?, ?, ?)").run(
                .integer(turn.content.first.number), .integer(turn.next.number), .blob(bytes))
            if let place { try file.note(turn, at: place, tables) }
        }
        trail.append(anchor)
    }

    private static func put(
        _ anchor: LogAnchor, in file: RecordsFile, _ tables: RecordsFile.Tables
    ) throws(StorageError) {
        try file.database.prepare("INSERT OR REPLACE INTO \(tables.anchor) VALUES (?, ?, ?, ?, ?)").run(
            .number(anchor.sequence.number), .number(anchor.link.number), .number(anchor.reign.number),
            .blob(Array((anchor.owner?.text ?? "").utf8)), .integer(anchor.next.number))
    }

    /// Turns that begin at a place or behind it, in order.
    package func turns(
        from position: LogPosition, atMost limit: Int = .max
    ) throws(StorageError) -> [ReplayedTurn] {
        var turns: [ReplayedTurn] = []
        let path = file.path
        try file.database.prepare("SELECT content FROM \(tables.turn) WHERE first >= ? ORDER BY first LIMIT ?").run(
            .integer(position.number), .integer(Int64(limit))
        ) { (row) throws(StorageError) in turns.append(try RecordsFile.turn(row.blob(0), path)) }
        return turns
    }

    /// The end of all turns of these records, those that the log has forgotten among them, by places of the log. A
    /// journal that has no other log ends there.
    package func end() throws(StorageError) -> LogPosition {
        let last = try file.database.integer("SELECT coalesce(max(next), 0) FROM \(tables.turn)")
        return max(trail.last.next, LogPosition(last))
    }

    /// Drops everything before the anchor at `sequence`, as the log begins behind it.
    package mutating func drop(before sequence: LogSequence) throws(StorageError) {
        guard sequence > trail.first.sequence, let first = trail.anchor(at: sequence) else { return }
        try file.database.transaction { () throws(StorageError) in
            try file.database.prepare("DELETE FROM \(tables.anchor) WHERE sequence < ?").run(.number(sequence.number))
            if file.isShared { try file.forget(before: first.next, tables) }
            try file.database.prepare("DELETE FROM \(tables.turn) WHERE next <= ?").run(.integer(first.next.number))
        }
        trail.drop(before: sequence)
        try emptyLog()
    }

    package mutating func hold(_ number: KeyNumber, _ key: RecordKey) throws(StorageError) {
        try file.database.prepare("INSERT OR REPLACE INTO \(tables.key) VALUES (?, ?)").run(
            .number(number.number), .blob(key.bytes))
        keys[number] = key
    }

    package mutating func wipe(through number: KeyNumber) throws(StorageError) {
        let last = max(wiped, number)
        try file.database.transaction { () throws(StorageError) in
            try file.database.prepare("DELETE FROM \(tables.key) WHERE number <= ?").run(.number(number.number))
            // One number says which are gone.
            try file.database.execute("DELETE FROM \(tables.wiped)")
            try file.database.prepare("INSERT INTO \(tables.wiped) VALUES (?)").run(.number(last.number))
        }
        keys = keys.filter { $0.key > number }
        wiped = last
        try emptyLog()
    }

    /// The place at which the turns begin in a copy of records; nil where no log has written to them.
    static func first(in copy: borrowing Database, _ path: String) throws(StorageError) -> LogPosition? {
        guard let trail = try trail(in: copy, RecordsFile.Tables(Partition(0)), path) else { return nil }
        return try RecordsFile.shared(in: copy)?.start ?? trail.first.next
    }

    /// Empties the write-ahead log. This is the only connection, so no checkpoint meets a commit.
    private func emptyLog() throws(StorageError) { try file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
}

extension Statement.Value {
    /// A value with all 64 bits of a number.
    fileprivate static func number(_ number: UInt64) -> Self { .integer(Int64(bitPattern: number)) }
}

extension Statement.Row {
    fileprivate func number(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    /// A number that is counted up from zero; throws where it is above `most`.
    fileprivate func number(_ column: Int32, atMost most: UInt64, _ path: String) throws(StorageError) -> UInt64 {
        let number = number(column)
        guard number <= most else { throw .corrupt(path: path, "\(number) is more than was ever counted") }
        return number
    }
}
