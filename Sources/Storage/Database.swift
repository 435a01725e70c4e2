import CSQLite
import Glibc

/// One connection to one SQLite file, used by the thread that opened it.
///
/// It never checkpoints by itself, not even when it closes. SQLite before 3.51.3 can lose commits when a checkpoint
/// overlaps a commit of another connection, so checkpoints are made only by a writer that holds the file's lock.
@safe struct Database: ~Copyable {
    enum Mode {
        case write
        case read
    }

    let path: String
    private let raw: OpaquePointer

    static func open(path: String, _ mode: Mode) throws(StorageError) -> Database {
        if mode == .read, unsafe access(path, F_OK) != 0 { throw .absent(path: path) }
        var raw: OpaquePointer?
        let flags = mode == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let status = unsafe sqlite3_open_v2(path, &raw, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let raw = unsafe raw else {
            let reason = unsafe String(cString: sqlite3_errmsg(raw))
            unsafe sqlite3_close_v2(raw)
            throw .sqlite(path: path, code: status, message: reason)
        }
        let database = unsafe Database(path: path, raw: raw)
        if mode == .write {
            try database.execute(
                "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864")
        }
        // Debian's build would otherwise checkpoint every 1000 pages. FULL: what was committed is on disk.
        try database.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384")
        return database
    }

    private init(path: String, raw: OpaquePointer) {
        self.path = path
        unsafe self.raw = unsafe raw
        unsafe sqlite3_extended_result_codes(raw, 1)
        unsafe sqlite3_busy_timeout(raw, 5000)
        unsafe forme_sqlite_no_checkpoint_on_close(raw)
    }

    // Statements that outlive this value keep the connection open until they are finalized.
    deinit { unsafe sqlite3_close_v2(raw) }

    /// Makes the tables of a new file, or refuses one that another version made.
    func adopt(format: Int64, schema: String) throws(StorageError) {
        let found = try integer("PRAGMA user_version")
        if found == 0 {
            try transaction { () throws(StorageError) in try execute(schema + "; PRAGMA user_version = \(format)") }
        } else if found != format {
            throw .foreignFormat(path: path, found: found, expected: format)
        }
    }

    func execute(_ sql: String) throws(StorageError) {
        let status = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    func prepare(_ sql: String) throws(StorageError) -> Statement {
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement = unsafe statement else { throw failure(status) }
        return unsafe Statement(statement, path: path)
    }

    /// The first column of the first row; 0 when there is none.
    func integer(_ sql: String) throws(StorageError) -> Int64 {
        var value: Int64 = 0
        try prepare(sql).run { row throws(StorageError) in value = row.integer(0) }
        return value
    }

    /// All of `body`, on disk when this returns, or nothing of it.
    func transaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        // IMMEDIATE: a reader that turns writer half-way is refused at once, whatever the timeout.
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back already, and then refuses to do it again.
            if unsafe sqlite3_get_autocommit(raw) == 0 { try execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies the log into the file and empties it, once it has grown past so many pages.
    func checkpoint(pastPages limit: Int64) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path + "-wal", &status) == 0, Int64(status.st_size) > limit * 8192 else { return }
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func failure(_ status: Int32) -> StorageError {
        unsafe .sqlite(path: path, code: status, message: String(cString: sqlite3_errmsg(raw)))
    }
}
