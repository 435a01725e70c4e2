package import Wire

/// Finished layouts on their way into the cache.
///
/// Any number of workers write one file. Each transaction and each checkpoint holds the lock file, so no two overlap,
/// and a waiting writer is woken by the kernel rather than by a timer. When `store` returns, its rows are on disk.
package struct LayoutCache: ~Copyable {
    package struct Row: Equatable, Sendable {
        package var event: Event
        /// The bytes of a `LayoutRecord`.
        package var record: [UInt8]

        package init(event: Event, record: [UInt8]) {
            self.event = event
            self.record = record
        }
    }

    static let file = "cache.db"
    static let format: Int64 = 2

    private let lock: FileLock
    private let database: Database
    private let upsert: Statement

    package init(in folder: DataFolder) throws(StorageError) {
        try folder.create()
        let lock = try FileLock.open(path: folder.file("cache.lock"))
        let database = try lock.during { () throws(StorageError) in
            let database = try Database.open(path: folder.file(Self.file), .write)
            try database.adopt(
                format: Self.format,
                schema: """
                    CREATE TABLE layouts (
                        id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, message TEXT NOT NULL,
                        position INTEGER NOT NULL, revision INTEGER NOT NULL, record BLOB NOT NULL,
                        UNIQUE (conversation, message));
                    CREATE INDEX reading ON layouts (conversation, position, message)
                    """)
            return database
        }
        // The newest revision stays, whatever the order of arrival.
        let upsert = try database.prepare(
            """
            INSERT INTO layouts (conversation, message, position, revision, record) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (conversation, message) DO UPDATE
            SET position = excluded.position, revision = excluded.revision, record = excluded.record
            WHERE excluded.revision >= revision
            """)
        self.upsert = upsert
        self.lock = lock
        self.database = database
    }

    /// Writes all rows, or none.
    package func store(_ rows: [Row]) throws(StorageError) {
        try lock.during { () throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for row in rows {
                    try upsert.run(
                        .text(row.event.conversation.text), .text(row.event.message.text), .integer(row.event.order),
                        .integer(Int64(row.event.revision)), .blob(row.record))
                }
            }
            try database.checkpoint(pastPages: 2048)
        }
    }
}
