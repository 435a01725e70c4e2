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
        CREATE TABLE log (position INTEGER PRIMARY KEY, body BLOB, change BLOB NOT NULL);
        CREATE TABLE lingering (position INTEGER PRIMARY KEY);
        CREATE TABLE days (day INTEGER PRIMARY KEY, position INTEGER NOT NULL);
        CREATE TABLE cards (key BLOB PRIMARY KEY, card BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE messages (
            shard INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB NOT NULL,
            PRIMARY KEY (shard, number)) WITHOUT ROWID;
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

    let database: Database
    let append: Statement
    let findBody: Statement
    let findChange: Statement
    let wipe: Statement
    let drop: Statement
    let findCard: Statement
    let putCard: Statement
    let putMessage: Statement
    let putJob: Statement
    let dropJobs: Statement
    let putProgress: Statement
    let putShelved: Statement
    let dropShelved: Statement
    let forgetShelved: Statement
    let setMerged: Statement

    init(_ database: consuming Database) throws(StorageError) {
        let append = try database.prepare("INSERT INTO log VALUES (?, ?, ?)")
        let findBody = try database.prepare("SELECT body FROM log WHERE position = ?")
        let findChange = try database.prepare("SELECT change, length(body) FROM log WHERE position = ?")
        let wipe = try database.prepare("UPDATE log SET body = ?2, change = ?3 WHERE position = ?1")
        let drop = try database.prepare("DELETE FROM log WHERE position = ?")
        let findCard = try database.prepare("SELECT card FROM cards WHERE key = ?")
        let putCard = try database.prepare("REPLACE INTO cards VALUES (?, ?)")
        let putMessage = try database.prepare("REPLACE INTO messages VALUES (?, ?, ?)")
        let putJob = try database.prepare("REPLACE INTO jobs VALUES (?, ?, ?, ?)")
        let dropJobs = try database.prepare("DELETE FROM jobs WHERE shard = ? AND job <= ?")
        let putProgress = try database.prepare("REPLACE INTO progress VALUES (?, ?, ?)")
        let putShelved = try database.prepare("REPLACE INTO shelf VALUES (?, ?, ?, ?, ?, ?)")
        let dropShelved = try database.prepare("DELETE FROM shelf WHERE edition = ? AND shard = ? AND job = ?")
        let forgetShelved = try database.prepare("DELETE FROM shelf WHERE key = ?")
        let setMerged = try database.prepare("UPDATE meta SET merged = ?, next = ?, latest = ?")
        self.append = append
        self.findBody = findBody
        self.findChange = findChange
        self.wipe = wipe
        self.drop = drop
        self.findCard = findCard
        self.putCard = putCard
        self.putMessage = putMessage
        self.putJob = putJob
        self.dropJobs = dropJobs
        self.putProgress = putProgress
        self.putShelved = putShelved
        self.dropShelved = dropShelved
        self.forgetShelved = forgetShelved
        self.setMerged = setMerged
        self.database = database
    }

    func card(_ key: [UInt8]) throws(StorageError) -> StoredCard? {
        findCard.bind(key, at: 1)
        guard let bytes = try findCard.first({ row in row.blob(0) }) else { return nil }
        do throws(WireError) {
            return try StoredCard(decoding: bytes)
        } catch {
            throw .damaged(path: database.path, error)
        }
    }

    func change(at place: LogPosition) throws(StorageError) -> (change: LogChange, length: Int, body: Int)? {
        findChange.bind(place.number, at: 1)
        let found = try findChange.first { row in (row.blob(0), Int(row.integer(1))) }
        guard let (bytes, body) = found else { return nil }
        do throws(WireError) {
            return (try LogChange(decoding: bytes), bytes.count, body)
        } catch {
            throw .damaged(path: database.path, error)
        }
    }
}
