/// The link that ties the file of a journal to its log, and both to one life of the journal, by
/// random numbers of our own.
///
/// SQLite replays any log that lies beside a file, also that of another file. So the first commit
/// after each checkpoint writes two names into the log: that of the file that it builds on, and
/// that which the file gets once the log has been copied into it:
///
/// ```text
/// journal.db   base 5 │ log: base 6 on 5, entries … │ checkpoint │ journal.db   base 6 │ log: base 7 on 6, entries …
/// ```
///
/// The file alone has one base, or none (0) in a journal of an older build. Beside a log it must
/// have the base that the log was written on, or, where a checkpoint was interrupted, the one that
/// the log gives it. Any other pair is refused before a byte of the log reaches the file.
struct JournalLink: Equatable {
    /// The number of one life of the journal, in which it lost nothing; a new era has a new one.
    var lineage: UInt64
    /// The name of the file that has everything.
    var base: UInt64
    /// The name of the file that the log was begun on.
    var previous: UInt64

    /// - Parameter shards: the number of shards, from which a journal without its manifest has it.
    static func create(shards: Int, in database: borrowing Database) throws(StorageError)
        -> JournalLink
    {
        // Blobs, as they have one size and are written in place: a page that is half old and half
        // new still has one of the two.
        let link = JournalLink(lineage: .random(in: 1 ... .max), base: .random(in: 1 ... .max), previous: 0)
        return try database.transaction { () throws(StorageError) in
            try database.execute(
                """
                CREATE TABLE link (
                    id INTEGER PRIMARY KEY CHECK (id = 1), lineage BLOB NOT NULL, base BLOB NOT NULL,
                    previous BLOB NOT NULL, shards INTEGER NOT NULL)
                """)
            try database.prepare("INSERT INTO link VALUES (1, ?, ?, ?, ?)").run(
                .blob(bytes(link.lineage)), .blob(bytes(link.base)), .blob(bytes(link.previous)),
                .integer(Int64(shards)))
            return link
        }
    }

    /// Nil in a journal of an older build.
    static func read(from database: borrowing Database) throws(StorageError) -> JournalLink? {
        guard try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'link'") > 0 else {
            return nil
        }
        return try database.prepare("SELECT lineage, base, previous FROM link").first { row in
            JournalLink(
                lineage: number(row.blob(0)), base: number(row.blob(1)), previous: number(row.blob(2)))
        }
    }

    /// Begins a new lineage: copies that were made of this journal before are of another one from now on.
    static func beginLineage(in database: borrowing Database) throws(StorageError) -> UInt64 {
        let lineage = UInt64.random(in: 1 ... .max)
        try database.prepare("UPDATE link SET lineage = ?").run(.blob(bytes(lineage)))
        return lineage
    }

    /// Notes the file that the log builds on, in the first transaction of a log.
    static func tie(in database: borrowing Database) throws(StorageError) {
        try database.prepare("UPDATE link SET previous = base, base = ?")
            .run(.blob(bytes(.random(in: 1 ... .max))))
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the log may be replayed on a file with this base.
    private func fits(base alone: UInt64) -> Bool { alone == base || alone == previous }

    /// Refuses a log that is not of the file beside it. Nobody else writes the file meanwhile.
    ///
    /// - Parameter isKnown: whether a build that ties journals has had this folder before.
    static func check(
        _ database: borrowing Database, isKnown: Bool, vfs: String?
    ) throws(StorageError) {
        guard database.logSize > 0 else { return }
        let alone: UInt64
        do throws(StorageError) {
            alone = try read(from: try Database.openAlone(path: database.path, vfs: vfs))?.base ?? 0
        } catch .corrupt {
            // A power failure during a checkpoint may leave the file in pieces; its own log mends
            // it, and no other could.
            return
        }
        do throws(StorageError) {
            guard let link = try read(from: database) else {
                // An older build made both; or it made a copy of the file, which was put under the log of a newer one.
                guard alone == 0, !isKnown, try isOfOneTerm(database, vfs) else {
                    throw .foreignLog(path: database.path)
                }
                return
            }
            guard link.fits(base: alone) else { throw .foreignLog(path: database.path) }
        } catch .corrupt {
            // The file by itself can be read.
            throw .foreignLog(path: database.path)
        }
    }

    /// Explains the error of a file with its log: where the file can be read by itself, the log is
    /// that of another one.
    static func explained(_ error: StorageError, vfs: String?) -> StorageError {
        guard case .corrupt(let path, _) = error else { return error }
        do throws(StorageError) {
            _ = try Database.openAlone(path: path, vfs: vfs).integer("SELECT count(*) FROM sqlite_master")
            return .foreignLog(path: path)
        } catch {
            return .corrupt(path: path, "neither the file nor its log can be read")
        }
    }

    /// Whether file and log are of one term, as an older build writes its term with each opening,
    /// right after it has emptied the log.
    private static func isOfOneTerm(
        _ database: borrowing Database, _ vfs: String?
    ) throws(StorageError) -> Bool {
        guard try database.integer("PRAGMA user_version") != 0 else { return true }
        let term = try database.integer("SELECT term FROM meta")
        let alone = try Database.openAlone(path: database.path, vfs: vfs)
        guard try alone.integer("PRAGMA user_version") != 0 else { return true }
        let before = try alone.integer("SELECT term FROM meta")
        return before == term || before == term - 1
    }
}
