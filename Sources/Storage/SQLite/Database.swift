import CSQLite
import CScrub
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
    /// Bytes of a page, which stay the same for as long as a file lives.
    let pageSize: Int
    private let raw: OpaquePointer
    private let patience: Int32
    /// The number of frames in the log after the last transaction of this connection that wrote something.
    private let frames: UnsafeMutablePointer<Int32>
    /// Statements of which every transaction runs two: prepared once, they cost a third of what their texts do.
    private let beginning: Statement
    private let beginningToRead: Statement
    private let ending: Statement

    /// The use of a file by one connection.
    struct Tuning {
        var synchronous = Synchronous.full
        /// Bytes of pages that are kept in memory.
        var cache = 16 << 20
        /// The time to wait for another connection, in milliseconds.
        var patience: Int32 = 5000
        /// Bytes of a page in a new file.
        var pageSize = Database.usualPageSize
        /// Whether deleted content is overwritten.
        var forgets = false
        /// Whether pages that become free can be given back step by step. For that, a new file gets a list that
        /// says which page belongs to which, and each transaction that needs more pages writes a page of that list.
        var shrinks = false
        /// Whether the file is only filled, and thrown away where that fails: it has no log, and the caller syncs it.
        var isScratch = false
        /// The VFS to open it with; nil for the usual one.
        var vfs: String?
    }

    enum Synchronous: String {
        /// Commits are on disk.
        case full = "FULL"
        /// Commits reach the disk with the next checkpoint or sync; the file is never torn.
        case normal = "NORMAL"
    }

    static func open(path: String, _ mode: Mode, _ tuning: Tuning = Tuning()) throws(StorageError) -> Database {
        if mode == .read { try requireFile(path) }
        var raw: OpaquePointer?
        let flags = mode == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let vfs = tuning.vfs ?? (unsafe tuning.forgets ? String(cString: forme_scrub_vfs()) : nil)
        let status = unsafe sqlite3_open_v2(path, &raw, flags | SQLITE_OPEN_NOMUTEX, vfs)
        guard status == SQLITE_OK, let raw = unsafe raw else {
            let kernel = unsafe raw.map { unsafe sqlite3_system_errno($0) } ?? 0
            let error = StorageError.sqlite(path, status, raw)
            unsafe sqlite3_close_v2(raw)
            throw mode == .read && kernel == EACCES ? .notReadable(path: path, code: kernel) : error
        }
        let database = try unsafe connected(to: path, raw, patience: tuning.patience, newPages: tuning.pageSize)
        if tuning.isScratch {
            try database.execute(
                "PRAGMA page_size = \(tuning.pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            return database
        }
        if mode == .write {
            // For an existing file it would be written into the log again, at each opening.
            let isNew = FileFacts(path)?.size ?? 0 == 0
            let vacuum = tuning.shrinks && isNew ? "PRAGMA auto_vacuum = INCREMENTAL;" : ""
            let deletion = tuning.forgets ? "PRAGMA secure_delete = ON;" : ""
            try database.execute("PRAGMA page_size = \(tuning.pageSize); \(vacuum) \(deletion)")
            try database.beginLog(patience: tuning.patience)
            try database.execute("PRAGMA journal_size_limit = 67108864; PRAGMA mmap_size = 0")
        }
        // Debian's build would otherwise checkpoint every 1000 pages.
        try database.execute(
            """
            PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = \(tuning.synchronous.rawValue);
            PRAGMA cache_size = -\(tuning.cache / 1024)
            """)
        if mode == .write { try database.openIndex() }
        // After these pragmas, as one of them sets the same hook.
        unsafe forme_sqlite_count_frames(database.raw, database.frames)
        return database
    }

    /// Opens the file by itself, as if there were no log beside it; the caller knows that nobody writes it.
    static func openAlone(path: String, vfs: String? = nil) throws(StorageError) -> Database {
        try requireFile(path)
        var uri = "file:"
        for byte in path.utf8 {
            let isPlain = byte >= 0x80 ? false : Character(Unicode.Scalar(byte)).isLetter || byte == 0x2F
            let digits = String(byte, radix: 16)
            uri += isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
        var raw: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let status = unsafe sqlite3_open_v2(uri + "?immutable=1", &raw, flags, vfs)
        guard status == SQLITE_OK, let raw = unsafe raw else {
            let error = StorageError.sqlite(path, status, raw)
            unsafe sqlite3_close_v2(raw)
            throw error
        }
        return try unsafe connected(to: path, raw, patience: 0, newPages: usualPageSize)
    }

    /// Gives a file its write-ahead log. Of several connections that do so to one new file, SQLite refuses all but one
    /// at once, whatever the timeout; the others find the log at a later try.
    private func beginLog(patience: Int32) throws(StorageError) {
        let end = ContinuousClock.now + .milliseconds(patience)
        while true {
            do throws(StorageError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch {
                guard case .blocked = error, .now < end else { throw error }
                poll(nil, 0, 1)
            }
        }
    }

    /// Lets the group write the index (`-shm`), which SQLite gives the mode of the file at the first read.
    private func openIndex() throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o040 != 0 else { return }
        try execute("PRAGMA schema_version")
        unsafe chmod(path + "-shm", DataFolder.indexMode)
    }

    private static func requireFile(_ path: String) throws(StorageError) {
        guard unsafe access(path, R_OK) != 0 else { return }
        throw errno == ENOENT ? .absent(path: path) : .notReadable(path: path, code: errno)
    }

    /// Bytes of a page in new files: most commits have a few rows, and the log gets a whole page of
    /// each table that they touch.
    static let usualPageSize = 4096

    /// The page size in the header of a file; nil for an empty file.
    private static func pageSize(of raw: OpaquePointer) -> Int? {
        var bytes: (UInt8, UInt8) = (0, 0)
        guard unsafe forme_sqlite_read(raw, 0, &bytes, 2, 16) == SQLITE_OK else { return nil }
        let size = Int(bytes.0) << 8 | Int(bytes.1)
        return size == 0 ? nil : size == 1 ? 65_536 : size
    }

    private static func connected(
        to path: String, _ raw: OpaquePointer, patience: Int32, newPages: Int
    ) throws(StorageError) -> Database {
        do throws(StorageError) {
            return unsafe Database(
                path: path, pageSize: pageSize(of: raw) ?? newPages, raw: raw, patience: patience,
                beginning: try prepare("BEGIN IMMEDIATE", in: raw, path),
                beginningToRead: try prepare("BEGIN", in: raw, path), ending: try prepare("COMMIT", in: raw, path))
        } catch {
            unsafe sqlite3_close_v2(raw)
            throw error
        }
    }

    private init(
        path: String, pageSize: Int, raw: OpaquePointer, patience: Int32, beginning: consuming Statement,
        beginningToRead: consuming Statement, ending: consuming Statement
    ) {
        (self.path, self.pageSize, self.patience) = (path, pageSize, patience)
        self.beginning = beginning
        self.beginningToRead = beginningToRead
        self.ending = ending
        unsafe self.raw = unsafe raw
        unsafe frames = .allocate(capacity: 1)
        unsafe frames.initialize(to: 0)
        unsafe sqlite3_extended_result_codes(raw, 1)
        unsafe sqlite3_busy_timeout(raw, patience)
        unsafe forme_sqlite_no_checkpoint_on_close(raw)
    }

    // Statements that outlive this value keep the connection open until they are finalized.
    deinit {
        unsafe sqlite3_wal_hook(raw, nil, nil)
        unsafe sqlite3_close_v2(raw)
        unsafe frames.deallocate()
    }

    /// Makes the tables of a new file, or refuses one that another version made.
    /// - Parameter older: an earlier format that the caller can turn into this one.
    func adopt(format: Int64, schema: String, or older: Int64? = nil) throws(StorageError) {
        let found = try integer("PRAGMA user_version")
        if found == 0 {
            try transaction { () throws(StorageError) in try execute(schema + "; PRAGMA user_version = \(format)") }
        } else if found != format && found != older {
            throw .foreignFormat(path: path, found: found, expected: format)
        }
    }

    func execute(_ sql: String) throws(StorageError) {
        let status = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    func prepare(_ sql: String) throws(StorageError) -> Statement { try unsafe Self.prepare(sql, in: raw, path) }

    private static func prepare(_ sql: String, in raw: OpaquePointer, _ path: String) throws(StorageError) -> Statement
    {
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(raw, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement = unsafe statement else {
            throw StorageError.sqlite(path, status, raw)
        }
        return unsafe Statement(statement, path: path)
    }

    /// The first column of the first row; 0 when there is none.
    func integer(_ sql: String) throws(StorageError) -> Int64 {
        var value: Int64 = 0
        try prepare(sql).run { row throws(StorageError) in value = row.integer(0) }
        return value
    }

    /// Runs `body` in a transaction: all of it takes effect, or nothing. With `full` it is on the
    /// disk when this returns.
    func transaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            try rollBack()
            throw error
        }
    }

    /// Copies the log into the file and empties it. False where a reader stands in the way, which
    /// is waited for so many milliseconds. The caller holds the file's lock.
    func emptyLog(patience: Int32 = 10) throws(StorageError) -> Bool {
        try copyLog(patience: patience) == .emptied
    }

    /// Has the next checkpoint copy all of the log once more: a sync of the file may have failed since it was copied, and
    /// the index of the log, which readers keep, knows nothing of that.
    func copyAnew() throws(StorageError) {
        let status = unsafe forme_sqlite_copy_anew(raw)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    /// The outcome of a checkpoint.
    enum Checkpoint {
        /// The file has everything, and the log nothing.
        case emptied
        /// The file has everything; readers still use the log, so it is begun anew with a later commit.
        case copied
        /// Readers need the file as it is.
        case incomplete
    }

    /// Empties the log as `emptyLog` does, and returns how far that came.
    func copyLog(patience: Int32 = 10) throws(StorageError) -> Checkpoint {
        unsafe sqlite3_busy_timeout(raw, patience)
        defer { unsafe sqlite3_busy_timeout(raw, self.patience) }
        var (frames, copied): (Int32, Int32) = (-1, -1)
        switch unsafe sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_TRUNCATE, &frames, &copied)
        {
        case SQLITE_OK: return .emptied
        case SQLITE_BUSY: return frames >= 0 && frames == copied ? .copied : .incomplete
        case let status: throw failure(status)
        }
    }

    /// Frames of the log after the transaction that this connection began last; 0 where it has written nothing.
    var logFrames: Int { unsafe Int(frames.pointee) }

    /// Bytes of the file itself or of its log; zeros behind the end. The log is known from the first read on.
    func stored(inLog: Bool = false, at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let status = unsafe forme_sqlite_read(raw, inLog ? 1 : 0, &bytes, Int32(count), offset)
        guard status == SQLITE_OK || status == Int32(forme_sqlite_short_read) else { throw failure(status) }
        return bytes
    }

    /// Bytes of the write-ahead log.
    var logSize: Int64 { FileFacts(path + "-wal")?.size ?? 0 }

    /// Syncs the commits of all connections. Commits that have left the log are on the disk: a
    /// checkpoint copies them into the file and syncs that.
    func syncLog() throws(StorageError) {
        let status = unsafe forme_sqlite_sync_log(raw)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    /// The standing of a log; it changes under the file's lock alone.
    struct LogStanding: Equatable {
        /// Frames that are committed.
        var frames: UInt32 = 0
        /// The frames up to this one are in the file.
        var copied: UInt32 = 0
        /// Another number each time that the log is begun anew.
        var salt: UInt64 = 0
    }

    /// The standing of the log. The connection has read before.
    func logStanding() throws(StorageError) -> LogStanding {
        var standing = LogStanding()
        var salt: (UInt32, UInt32) = (0, 0)
        let status = unsafe withUnsafeMutablePointer(to: &salt) { salt in
            unsafe salt.withMemoryRebound(to: UInt32.self, capacity: 2) { salt in
                unsafe forme_sqlite_log_standing(raw, &standing.frames, &standing.copied, salt)
            }
        }
        guard status == SQLITE_OK else { throw failure(status) }
        standing.salt = UInt64(salt.0) << 32 | UInt64(salt.1)
        return standing
    }

    /// Copies the log into the file up to a frame, or as far as readers allow, and waits for nobody, nor for the disk:
    /// the caller has synced the log up to there, syncs the file before the log is emptied or begun anew, and holds the
    /// file's lock.
    /// - Parameter reader: another connection to the file, in no transaction.
    func copySome(upTo frame: UInt32, besides reader: borrowing Database) throws(StorageError) {
        var slot: Int32 = 0
        let held = unsafe forme_sqlite_hold_log(reader.raw, frame, &slot)
        guard held == SQLITE_OK else { throw reader.failure(held) }
        // Readers have all marks: another time.
        guard slot > 0 else { return }
        defer { unsafe forme_sqlite_let_log_go(reader.raw, slot) }
        let usual = try integer("PRAGMA synchronous")
        try execute("PRAGMA synchronous = OFF")
        let status = unsafe sqlite3_wal_checkpoint_v2(raw, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        let error = status == SQLITE_OK || status == SQLITE_BUSY ? nil : failure(status)
        try execute("PRAGMA synchronous = \(usual)")
        if let error { throw error }
    }

    /// Syncs the file, with what was copied into it.
    func syncFile() throws(StorageError) {
        let status = unsafe forme_sqlite_sync_file(raw)
        guard status == SQLITE_OK else { throw failure(status) }
    }

    /// Begins a writing transaction. It is IMMEDIATE, as a reader that turns writer half-way is
    /// refused at once, whatever the timeout.
    func begin() throws(StorageError) {
        unsafe frames.pointee = 0
        try beginning.run()
    }

    /// Begins a reading transaction: until the commit all reads see the file as it is at the first.
    func beginToRead() throws(StorageError) { try beginningToRead.run() }

    func commit() throws(StorageError) { try ending.run() }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(raw) == 0 }

    /// Whether the transaction that is open has written anything.
    var isWriting: Bool { unsafe sqlite3_txn_state(raw, "main") == SQLITE_TXN_WRITE }

    /// Rolls a transaction back, which is the one way to end it when its work is not wanted.
    func rollBack() throws(StorageError) {
        // SQLite may have rolled back already, and then refuses to do it again.
        if isInTransaction { try execute("ROLLBACK") }
    }

    /// Overwrites a stretch of a blob in place: nothing moves in the file, and no copy stays behind.
    func overwrite(
        _ table: String, _ column: String, row: Int64, at offset: Int, with bytes: [UInt8]
    ) throws(StorageError) {
        var blob: OpaquePointer?
        var status = unsafe sqlite3_blob_open(raw, "main", table, column, row, 1, &blob)
        if status == SQLITE_OK {
            status = unsafe sqlite3_blob_write(blob, bytes, Int32(bytes.count), Int32(offset))
        }
        let closed = unsafe sqlite3_blob_close(blob)
        guard status == SQLITE_OK, closed == SQLITE_OK else { throw failure(status == SQLITE_OK ? closed : status) }
    }

    /// Copies this file, as it is at one moment, over another one.
    ///
    /// - Parameters:
    ///   - begun: called at the same moment.
    ///   - progress: called now and then with the number of pages that are there, and that of all.
    func copy(
        to other: borrowing Database, begun: () throws(StorageError) -> Void = {},
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(StorageError) {
        // A reader's transaction holds the moment, however much is written meanwhile.
        try beginToRead()
        defer { unsafe sqlite3_exec(raw, "COMMIT", nil, nil, nil) }
        _ = try integer("SELECT count(*) FROM sqlite_master")
        try begun()
        guard let backup = unsafe sqlite3_backup_init(other.raw, "main", raw, "main") else {
            throw other.failure(SQLITE_ERROR)
        }
        var status = SQLITE_OK
        while status == SQLITE_OK {
            status = unsafe sqlite3_backup_step(backup, 1024)
            let whole = unsafe Int(sqlite3_backup_pagecount(backup))
            let left = unsafe Int(sqlite3_backup_remaining(backup))
            progress(whole - left, whole)
        }
        let ended = unsafe sqlite3_backup_finish(backup)
        guard status == SQLITE_DONE, ended == SQLITE_OK else {
            throw other.failure(status == SQLITE_DONE ? ended : status)
        }
    }

    /// The first fault that SQLite finds; nil when the file is sound.
    func quickCheck() throws(StorageError) -> String? {
        var found: String?
        do throws(StorageError) {
            try prepare("PRAGMA quick_check(1)").run { row throws(StorageError) in found = row.text(0) }
        } catch .corrupt(_, let message) {
            found = message
        }
        return found == "ok" ? nil : found
    }

    private func failure(_ status: Int32) -> StorageError {
        unsafe .sqlite(path, status, raw)
    }
}
