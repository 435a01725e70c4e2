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
    private let database: Database
    package private(set) var trail: AnchorTrail
    package private(set) var keys: [KeyNumber: RecordKey]
    package private(set) var wiped: KeyNumber

    /// Name of its file.
    package static let name = DataFolder.hostRecords

    /// - Parameter base: the anchor of the journal from before any log wrote to it.
    package init(path: String, behind base: LogAnchor = .start) throws(StorageError) {
        var tuning = Database.Tuning()
        tuning.forgets = true
        let database = try Database.open(path: path, .write, tuning)
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS anchor (
                sequence INTEGER PRIMARY KEY, link INTEGER NOT NULL, reign INTEGER NOT NULL, owner BLOB, next INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS turn (first INTEGER PRIMARY KEY, next INTEGER NOT NULL, content BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS key (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS wiped (number INTEGER NOT NULL);
            """)
        let trail = try Self.trail(in: database, path) ?? AnchorTrail(from: base)
        let keys = try Self.keys(in: database, path)
        let wiped = try database.prepare("SELECT coalesce(max(number), 0) FROM wiped").first {
            (row) throws(StorageError) in KeyNumber(try row.number(0, atMost: KeyNumber.most.number, path))
        }
        (self.trail, self.keys) = (trail, keys)
        self.wiped = wiped ?? .zero
        self.database = database
    }

    private static func trail(in database: borrowing Database, _ path: String) throws(StorageError) -> AnchorTrail? {
        var trail: AnchorTrail?
        try database.prepare("SELECT sequence, link, reign, owner, next FROM anchor ORDER BY sequence").run {
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
        in database: borrowing Database, _ path: String
    ) throws(StorageError) -> [KeyNumber: RecordKey] {
        var keys: [KeyNumber: RecordKey] = [:]
        try database.prepare("SELECT number, bytes FROM key").run { (row) throws(StorageError) in
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

    package mutating func commit(_ turn: ReplayedTurn?, _ anchor: LogAnchor) throws(StorageError) {
        precondition(admits(anchor), "a record does not follow")
        let first = trail.first
        let isNew = trail.count == 1
        try database.transaction { () throws(StorageError) in
            if isNew { try put(first) }
            try database.prepare("DELETE FROM anchor WHERE sequence >= ?").run(.number(anchor.sequence.number))
            try put(anchor)
            guard let turn else { return }
            let head = LogRecord.Head(reign: anchor.reign, host: anchor.owner!, link: anchor.link, key: .zero)
            let bytes = LogRecord(head: head, body: .turn(turn.content), next: turn.next).sealedPart
            try database.prepare("INSERT OR REPLACE INTO turn VALUES (?, ?, ?)").run(
                .integer(turn.content.first.number), .integer(turn.next.number), .blob(bytes))
        }
        trail.append(anchor)
    }

    private func put(_ anchor: LogAnchor) throws(StorageError) {
        try database.prepare("INSERT OR REPLACE INTO anchor VALUES (?, ?, ?, ?, ?)").run(
            .number(anchor.sequence.number), .number(anchor.link.number), .number(anchor.reign.number),
            .blob(Array((anchor.owner?.text ?? "").utf8)), .integer(anchor.next.number))
    }

    /// Turns that begin at a place or behind it, in order.
    package func turns(
        from position: LogPosition, atMost limit: Int = .max
    ) throws(StorageError) -> [ReplayedTurn] {
        var turns: [ReplayedTurn] = []
        let path = database.path
        let head = LogRecord.Head(reign: .zero, host: Self.nobody, link: .start, key: .zero)
        try database.prepare("SELECT content FROM turn WHERE first >= ? ORDER BY first LIMIT ?").run(
            .integer(position.number), .integer(Int64(limit))
        ) { (row) throws(StorageError) in
            guard let record = try? LogRecord(head: head, sealedPart: row.blob(0)),
                case .turn(let content) = record.body
            else { throw .corrupt(path: path, "a turn cannot be read") }
            turns.append(ReplayedTurn(content, next: record.next))
        }
        return turns
    }

    /// The end of a journal that has all turns of these records, those that the log has forgotten among them.
    func end() throws(StorageError) -> LogPosition {
        max(trail.last.next, LogPosition(try database.integer("SELECT coalesce(max(next), 0) FROM turn")))
    }

    /// The host in a head that nobody reads.
    private static let nobody: HostID = {
        do { return try HostID("-") } catch { preconditionFailure("a hyphen is a name") }
    }()

    /// Drops everything before the anchor at `sequence`, as the log begins behind it.
    package mutating func drop(before sequence: LogSequence) throws(StorageError) {
        guard sequence > trail.first.sequence, let first = trail.anchor(at: sequence) else { return }
        try database.transaction { () throws(StorageError) in
            try database.prepare("DELETE FROM anchor WHERE sequence < ?").run(.number(sequence.number))
            try database.prepare("DELETE FROM turn WHERE next <= ?").run(.integer(first.next.number))
        }
        trail.drop(before: sequence)
        try emptyLog()
    }

    package mutating func hold(_ number: KeyNumber, _ key: RecordKey) throws(StorageError) {
        try database.prepare("INSERT OR REPLACE INTO key VALUES (?, ?)").run(.number(number.number), .blob(key.bytes))
        keys[number] = key
    }

    package mutating func wipe(through number: KeyNumber) throws(StorageError) {
        let last = max(wiped, number)
        try database.transaction { () throws(StorageError) in
            try database.prepare("DELETE FROM key WHERE number <= ?").run(.number(number.number))
            // One number says which are gone.
            try database.execute("DELETE FROM wiped")
            try database.prepare("INSERT INTO wiped VALUES (?)").run(.number(last.number))
        }
        keys = keys.filter { $0.key > number }
        wiped = last
        try emptyLog()
    }

    /// A copy of the records of a folder as bytes, and the place at which their turns begin; nil
    /// where the folder is of no cluster.
    ///
    /// - Parameter path: the path of a scratch file.
    static func copy(
        of folder: DataFolder, by path: String
    ) throws(StorageError) -> (bytes: [UInt8], first: LogPosition)? {
        guard FileFacts(folder.file(name)) != nil else { return nil }
        let first: LogPosition
        do {
            let source = try Database.open(path: folder.file(name), .read, Database.Tuning())
            let copy = try Database.open(path: path, .write, Database.Tuning(forgets: true, isScratch: true))
            try source.copy(to: copy)
            guard let trail = try trail(in: copy, path) else {
                try FileFacts.remove(path)
                return nil
            }
            first = trail.first.next
        }
        defer { _ = unsafe unlink(path) }
        return try FileFacts.contents(of: path).map { ($0, first) }
    }

    /// Empties the write-ahead log. This is the only connection, so no checkpoint meets a commit.
    private func emptyLog() throws(StorageError) { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
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
