import Pool

/// The place up to which the log is in the tables: a frame of a log. It is written in the
/// transaction that ends a merge.
struct LogPlace: Equatable {
    static let schema = """
        CREATE TABLE IF NOT EXISTS log_place (
            id INTEGER PRIMARY KEY CHECK (id = 1), log INTEGER NOT NULL, segment INTEGER NOT NULL, first INTEGER NOT NULL,
            place INTEGER NOT NULL, chain INTEGER NOT NULL);
        """

    /// The number of the log, which all of its segments have.
    var log: UInt64
    /// The end of that frame: the next entry is the first that is not in the tables.
    var cursor: LogCursor

    /// Nil in a journal that has no segments yet.
    static func read(from database: borrowing Database) throws(StorageError) -> LogPlace? {
        guard try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'log_place'") > 0 else {
            return nil
        }
        return try database.prepare(
            "SELECT log, segment, first, place, chain, (SELECT merged FROM meta) FROM log_place"
        ).first {
            row in
            let name = SegmentName(
                number: UInt64(bitPattern: row.integer(1)), first: LogPosition(row.integer(2)))
            return LogPlace(
                log: UInt64(bitPattern: row.integer(0)),
                cursor: LogCursor(
                    segment: name, offset: Int(row.integer(3)), chain: UInt64(bitPattern: row.integer(4)),
                    next: LogPosition(row.integer(5) &+ 1)))
        }
    }

    /// Writes the place, in the caller's transaction.
    func write(to database: borrowing Database) throws(StorageError) {
        try database.prepare("REPLACE INTO log_place VALUES (1, ?, ?, ?, ?, ?)").run(
            .integer(Int64(bitPattern: log)), .integer(Int64(bitPattern: cursor.segment.number)),
            .integer(cursor.segment.first.number), .integer(Int64(cursor.offset)),
            .integer(Int64(bitPattern: cursor.chain)))
    }
}
