import Bytes
import Pool
import Wire

/// The connection to the journal's file, with its prepared statements.
struct JournalTables: ~Copyable {
    static let format = StoredFormat.journal.newest

    static let schema = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1), term INTEGER NOT NULL, merged INTEGER NOT NULL,
            next INTEGER NOT NULL, latest BLOB NOT NULL, swept INTEGER NOT NULL, expired INTEGER NOT NULL,
            boot TEXT NOT NULL, service TEXT NOT NULL);
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

    /// Additions to the schema, which journals of earlier builds get with their next opening.
    static let additions = """
        CREATE INDEX IF NOT EXISTS shelved ON shelf (number);
        CREATE TABLE IF NOT EXISTS added (
            target TEXT PRIMARY KEY, demand INTEGER NOT NULL, by_hand INTEGER NOT NULL) WITHOUT ROWID;
        """ + ForgottenContent.schema + ConversationTables.schema + LogPlace.schema
        + "CREATE TABLE IF NOT EXISTS wiping (place INTEGER PRIMARY KEY);"

    let database: Database
    let begin: Statement
    let findCard: Statement
    let nextCard: Statement
    let cardsBefore: Statement
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

    init(_ database: consuming Database) throws(StorageError) {
        let begin = try database.prepare("BEGIN")
        let findCard = try database.prepare("SELECT card FROM cards WHERE key = ?")
        let nextCard = try database.prepare("SELECT key FROM cards WHERE key >= ? ORDER BY key LIMIT 1")
        let cardsBefore = try database.prepare("SELECT key, card FROM cards WHERE key < ? ORDER BY key DESC")
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
        let unshelve = try database.prepare("DELETE FROM shelf WHERE number = ? AND job < ?")
        let setMerged = try database.prepare("UPDATE meta SET merged = ?, next = ?, latest = ?")
        let findMerged = try database.prepare("SELECT merged FROM meta")
        let findVersion = try database.prepare("PRAGMA data_version")
        self.begin = begin
        self.findCard = findCard
        self.nextCard = nextCard
        self.cardsBefore = cardsBefore
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
        self.database = database
    }

    /// Begins a transaction unless one is open: a turn looks up all of its cards in one, as each
    /// lookup by itself would ask the kernel for locks.
    func enter() throws(StorageError) {
        if !database.isInTransaction { try begin.run() }
    }

    /// Ends the transaction where one is open: later reads see the file as it is then, and others
    /// may empty the write-ahead log.
    func leave() throws(StorageError) {
        if database.isInTransaction { try database.commit() }
    }

    func put(_ progress: ShardProgress) throws(StorageError) {
        putProgress.bind(utf8: progress.edition.text, at: 1)
        putProgress.bind(Int64(progress.shard.number), at: 2)
        putProgress.bind(progress.encoded(), at: 3)
        try putProgress.run()
    }

    /// A number that changes whenever another connection has written. Where it is asked for first
    /// in a transaction, all later reads are of that version.
    func version() throws(StorageError) -> Int64 { try findVersion.first { row in row.integer(0) } ?? 0 }

    /// The last entry that is in the table of cards.
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

    /// Whether the key of any card begins with these bytes.
    func hasCard(from start: [UInt8]) throws(StorageError) -> Bool {
        nextCard.bind(start, at: 1)
        return try nextCard.first { row in row.blob(0) }?.starts(with: start) ?? false
    }
}
