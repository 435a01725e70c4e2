package import Wire

/// The source of truth: every event that was ever acknowledged, and whether its layouts are in the cache.
///
/// One coordinator writes it, under a lock that it keeps. Whatever one turn of its loop brought is one transaction, so that
/// a hundred producers cost one wait for the disk, and nobody is told "posted" before the disk has it.
package struct Journal: ~Copyable {
    /// What became of one post.
    package enum Entry: Equatable, Sendable {
        case appended([Job], repeated: Int)
        /// A revision came again with other bytes; nothing of the post was kept.
        case conflict
    }

    /// Rises with every opening.
    package let term: UInt64

    private let lock: FileLock
    private let database: Database
    private let insert: Statement
    private let find: Statement
    private let setState: Statement

    private enum State: Int64 {
        case pending = 0
        case laidOut = 1
        case givenUp = 2
    }

    package init(in folder: DataFolder) throws(StorageError) {
        try folder.create()
        let lock = try FileLock.open(path: folder.file("journal.lock"))
        try lock.keep()
        let database = try Database.open(path: folder.file("journal.db"), .write)
        try database.adopt(
            format: 2,
            schema: """
                CREATE TABLE events (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT NOT NULL, message TEXT NOT NULL,
                    revision INTEGER NOT NULL, event BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0,
                    UNIQUE (conversation, message, revision));
                CREATE INDEX pending ON events (id) WHERE state = 0;
                CREATE TABLE terms (term INTEGER NOT NULL);
                INSERT INTO terms VALUES (0)
                """)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE); UPDATE terms SET term = term + 1")
        let term = UInt64(try database.integer("SELECT term FROM terms"))
        let insert = try database.prepare(
            "INSERT INTO events (conversation, message, revision, event) VALUES (?, ?, ?, ?) RETURNING id")
        let find = try database.prepare(
            "SELECT event FROM events WHERE conversation = ? AND message = ? AND revision = ?")
        let setState = try database.prepare("UPDATE events SET state = ? WHERE id = ?")
        self.term = term
        self.lock = lock
        self.database = database
        self.insert = insert
        self.find = find
        self.setState = setState
    }

    /// Jobs that were acknowledged and not finished, oldest first: what a coordinator starts with.
    package func pending() throws(StorageError) -> [Job] {
        var jobs: [Job] = []
        try database.prepare("SELECT id, event FROM events WHERE state = 0 ORDER BY id").run {
            row throws(StorageError) in
            do throws(WireError) {
                jobs.append(Job(id: JobID(row.integer(0)), event: try Event(decoding: row.blob(1))))
            } catch {
                throw .damaged(path: database.path, error)
            }
        }
        return jobs
    }

    /// Keeps what one turn of the loop brought: new posts, jobs whose layouts are on disk, jobs that were given up.
    package func commit(
        posts: [[Event]], laidOut: [Job] = [], givenUp: [Job] = []
    ) throws(StorageError) -> [Entry] {
        let entries = try database.transaction { () throws(StorageError) in
            for job in laidOut { try setState.run(.integer(State.laidOut.rawValue), .integer(job.id.number)) }
            for job in givenUp { try setState.run(.integer(State.givenUp.rawValue), .integer(job.id.number)) }
            var entries: [Entry] = []
            for post in posts { entries.append(try append(post)) }
            return entries
        }
        try database.checkpoint(pastPages: 2048)
        return entries
    }

    private func append(_ events: [Event]) throws(StorageError) -> Entry {
        var jobs: [Job] = []
        try database.execute("SAVEPOINT post")
        for event in events {
            let bytes = event.encoded()
            if let known = try known(event) {
                guard known == bytes else {
                    try database.execute("ROLLBACK TO post; RELEASE post")
                    return .conflict
                }
            } else {
                try insert.run(
                    .text(event.conversation.text), .text(event.message.text), .integer(Int64(event.revision)),
                    .blob(bytes)
                ) { row throws(StorageError) in jobs.append(Job(id: JobID(row.integer(0)), event: event)) }
            }
        }
        try database.execute("RELEASE post")
        return .appended(jobs, repeated: events.count - jobs.count)
    }

    private func known(_ event: Event) throws(StorageError) -> [UInt8]? {
        var bytes: [UInt8]?
        try find.run(.text(event.conversation.text), .text(event.message.text), .integer(Int64(event.revision))) {
            row throws(StorageError) in bytes = row.blob(0)
        }
        return bytes
    }
}
