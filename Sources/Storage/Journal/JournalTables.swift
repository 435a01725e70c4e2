import Bytes
import Pool
import Wire

/// The connection to the journal's file, and all that is ever asked through it.
struct JournalTables: ~Copyable {
    static let format: Int64 = 3

    static let schema = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1), term INTEGER NOT NULL, merged INTEGER NOT NULL,
            next INTEGER NOT NULL, latest BLOB NOT NULL, swept INTEGER NOT NULL, expired INTEGER NOT NULL,
            boot TEXT NOT NULL, service TEXT NOT NULL);
        CREATE TABLE log (first INTEGER PRIMARY KEY, segment BLOB NOT NULL);
        CREATE TABLE lingering (first INTEGER PRIMARY KEY);
        CREATE TABLE days (day INTEGER PRIMARY KEY, position INTEGER NOT NULL);
        CREATE TABLE cards (key BLOB PRIMARY KEY, card BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE messages (
            shard INTEGER NOT NULL, last INTEGER NOT NULL, list BLOB NOT NULL, PRIMARY KEY (shard, last));
        CREATE TABLE jobs (
            shard INTEGER NOT NULL, job INTEGER NOT NULL, lane INTEGER NOT NULL, key BLOB NOT NULL,
            PRIMARY KEY (shard, job)) WITHOUT ROWID;
        CREATE TABLE progress (
            edition TEXT NOT NULL, shard INTEGER NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY (edition, shard)) WITHOUT ROWID;
        CREATE TABLE shelf (
            edition TEXT NOT NULL, shard INTEGER NOT NULL, job INTEGER NOT NULL, number INTEGER NOT NULL,
            key BLOB NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (edition, shard, job)) WITHOUT ROWID;
        """

    /// Journals of before have none of it, and need not.
    static let additions = """
        CREATE INDEX IF NOT EXISTS shelved ON shelf (number);
        CREATE TABLE IF NOT EXISTS added (
            target TEXT PRIMARY KEY, demand INTEGER NOT NULL, by_hand INTEGER NOT NULL) WITHOUT ROWID;
        """ + ForgottenContent.schema + ConversationTables.schema

    let database: Database
    let begin: Statement
    let append: Statement
    let findSegment: Statement
    let nextSegments: Statement
    let dropSegment: Statement
    let findCard: Statement
    let nextCard: Statement
    let putCard: Statement
    let putMessages: Statement
    let nextMessages: Statement
    let putJob: Statement
    let dropJobs: Statement
    let putProgress: Statement
    let putShelved: Statement
    let dropShelved: Statement
    let forgetShelved: Statement
    let unshelve: Statement
    let setMerged: Statement
    let findMerged: Statement
    let findVersion: Statement
    let newSegments: Statement

    init(_ database: consuming Database) throws(StorageError) {
        let begin = try database.prepare("BEGIN")
        let append = try database.prepare("REPLACE INTO log VALUES (?, ?)")
        let findSegment = try database.prepare(
            "SELECT first, segment FROM log WHERE first <= ? ORDER BY first DESC LIMIT 1")
        let nextSegments = try database.prepare(
            "SELECT first, segment FROM log WHERE first > ? AND first <= ? ORDER BY first")
        let dropSegment = try database.prepare("DELETE FROM log WHERE first = ?")
        let findCard = try database.prepare("SELECT card FROM cards WHERE key = ?")
        let nextCard = try database.prepare("SELECT key FROM cards WHERE key >= ? ORDER BY key LIMIT 1")
        let putCard = try database.prepare("REPLACE INTO cards VALUES (?, ?)")
        let putMessages = try database.prepare("REPLACE INTO messages VALUES (?, ?, ?)")
        let nextMessages = try database.prepare(
            "SELECT list FROM messages WHERE shard = ? AND last > ? ORDER BY last LIMIT 1")
        let putJob = try database.prepare("REPLACE INTO jobs VALUES (?, ?, ?, ?)")
        let dropJobs = try database.prepare("DELETE FROM jobs WHERE shard = ? AND job <= ?")
        let putProgress = try database.prepare("REPLACE INTO progress VALUES (?, ?, ?)")
        let putShelved = try database.prepare("REPLACE INTO shelf VALUES (?, ?, ?, ?, ?, ?)")
        let dropShelved = try database.prepare("DELETE FROM shelf WHERE edition = ? AND shard = ? AND job = ?")
        let forgetShelved = try database.prepare("DELETE FROM shelf WHERE key = ?")
        let unshelve = try database.prepare("DELETE FROM shelf WHERE number = ?")
        let setMerged = try database.prepare("UPDATE meta SET merged = ?, next = ?, latest = ?")
        let findMerged = try database.prepare("SELECT merged FROM meta")
        let findVersion = try database.prepare("PRAGMA data_version")
        let newSegments = try database.prepare(
            """
            SELECT first, segment FROM log
            WHERE first >= ifnull((SELECT max(first) FROM log WHERE first <= ?1), 0) ORDER BY first
            """)
        self.begin = begin
        self.append = append
        self.findSegment = findSegment
        self.nextSegments = nextSegments
        self.dropSegment = dropSegment
        self.findCard = findCard
        self.nextCard = nextCard
        self.putCard = putCard
        self.putMessages = putMessages
        self.nextMessages = nextMessages
        self.putJob = putJob
        self.dropJobs = dropJobs
        self.putProgress = putProgress
        self.putShelved = putShelved
        self.dropShelved = dropShelved
        self.forgetShelved = forgetShelved
        self.unshelve = unshelve
        self.setMerged = setMerged
        self.findMerged = findMerged
        self.findVersion = findVersion
        self.newSegments = newSegments
        self.database = database
    }

    /// Begins a transaction unless one is open: a turn looks cards up in the one that it then writes in, as each by itself would
    /// ask the kernel for locks. Nobody else writes, so a reader can always turn writer.
    func enter() throws(StorageError) {
        if !database.isInTransaction { try begin.run() }
    }

    /// A number that is another one whenever somebody else has written since. Where it is asked for first in a transaction, what is read
    /// after it is of that version.
    func version() throws(StorageError) -> Int64 { try findVersion.first { row in row.integer(0) } ?? 0 }

    /// Up to which entry the log is in the cards.
    func merged() throws(StorageError) -> LogPosition {
        guard let merged = try findMerged.first({ row in row.integer(0) }) else {
            throw .corrupt(path: database.path, "its meta row is missing")
        }
        return LogPosition(merged)
    }

    func card(_ key: CardKey) throws(StorageError) -> StoredCard? {
        try enter()
        findCard.bind(key.bytes, at: 1)
        guard let bytes = try findCard.first({ row in row.blob(0) }) else { return nil }
        do throws(ByteError) {
            return try StoredCard(decoding: bytes)
        } catch {
            throw .damaged(path: database.path, error)
        }
    }

    /// Whether the key of any card begins so.
    func hasCard(from start: [UInt8]) throws(StorageError) -> Bool {
        nextCard.bind(start, at: 1)
        return try nextCard.first { row in row.blob(0) }?.starts(with: start) ?? false
    }

    /// The segment that has the place; nil where it is gone.
    func segment(with place: LogPosition) throws(StorageError) -> LogSegment? {
        findSegment.bind(place.number, at: 1)
        guard let (first, bytes) = try findSegment.first({ row in (row.integer(0), row.blob(1)) }) else { return nil }
        let segment = try segment(bytes, first: first)
        return segment.contains(place) ? segment : nil
    }

    func segment(_ bytes: [UInt8], first: Int64) throws(StorageError) -> LogSegment {
        do throws(ByteError) {
            return try LogSegment(bytes, first: LogPosition(first))
        } catch {
            throw .damaged(path: database.path, error)
        }
    }

    /// What an entry changed; nil where that was dropped.
    func change(at place: LogPosition, in segment: LogSegment) throws(StorageError) -> LogChange? {
        let range = segment.change(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogChange(decoding: segment.bytes[range])
        } catch {
            throw .damaged(path: database.path, error)
        }
    }

    func put(_ bytes: [UInt8], first: LogPosition) throws(StorageError) {
        append.bind(first.number, at: 1)
        append.bind(bytes, at: 2)
        try append.run()
    }
}
