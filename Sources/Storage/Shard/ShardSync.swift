package import Wire

/// A syncer that brings the commits of all writers of a shard to the disk, and empties its log.
///
/// It has connections of its own, so that another thread can do it while the next batch is laid
/// out: both are waits for the disk, in which a processor has nothing to do. A sync takes no lock,
/// and writes nothing but the note of how far it came. Where it fails, the files are put aside, as damaged ones are.
package struct ShardSync: ~Copyable {
    /// News since this was last emptied, for the operator's log.
    package var news: [ShardNews] = []

    private let place: ShardPlace
    private let settings: ShardSettings
    private var lock: ShardLock
    private var connection: Connection
    private var writer: Writer?
    /// Bytes by which the log may grow past its limit before it is emptied, as a reader stood in the way last.
    private var stuckAt: Int64 = 0
    /// The point that this value has written into the lock file.
    private var noted: ShardPoint?
    /// The error of a sync of the files that are open, after which nobody knows what of them is on the disk.
    private var loss: StorageError?

    private struct Connection: ~Copyable {
        let files: ShardFiles
        let database: Database
        let standing: Statement

        init(_ place: ShardPlace, _ settings: ShardSettings) throws(StorageError) {
            let tuning = Database.Tuning(synchronous: .normal, cache: 1 << 16, patience: 250, vfs: settings.vfs)
            let database = try Database.open(path: place.path, .read, tuning)
            // A file whose first commit failed, or is on its way.
            if try database.integer("PRAGMA user_version") == 0 { throw .absent(path: place.path) }
            let standing = try database.prepare(ShardTables.standing)
            files = ShardFiles(place)
            self.standing = standing
            self.database = database
        }
    }

    /// A connection that writes, opened for the first log that is too long.
    private final class Writer {
        let database: Database
        init(_ database: consuming Database) { self.database = database }
    }

    /// Throws `.absent` where nothing was ever stored.
    package init(
        _ shard: Shard, of edition: EditionID, in folder: DataFolder, settings: ShardSettings = ShardSettings()
    ) throws(StorageError) {
        try self.init(ShardPlace(shard, of: edition, in: folder), settings)
    }

    init(_ place: ShardPlace, _ settings: ShardSettings) throws(StorageError) {
        let connection = try Connection(place, settings)
        lock = try ShardLock(place)
        self.connection = connection
        (self.place, self.settings) = (place, settings)
    }

    /// Syncs the log, and returns the point up to which everything is on the disk now.
    package mutating func sync() throws(StorageError) -> ShardPoint {
        try whileKept { (disk) throws(StorageError) in
            // Commits that are in the log by now get to the disk, and those that left it before are there already.
            let standing = try ShardTables.standing(disk.connection.standing, of: disk.place.path)
            let point = ShardPoint(origin: standing.origin, stamp: standing.stamp)
            if let code = disk.lock.failure(of: point.origin) { throw .notSynced(path: disk.place.path, code: code) }
            try disk.connection.database.syncLog()
            guard disk.areFilesInPlace else { throw .absent(path: disk.place.path) }
            if disk.noted.map({ $0.origin != point.origin || $0.stamp < point.stamp }) ?? true {
                try disk.lock.noteSynced(point.origin, point.stamp)
                disk.noted = point
            }
            return point
        }
    }

    /// Empties the log when it has grown long. Its content by now is copied ahead, some pages at a time, and commits
    /// go on between them; the lock is held no longer than for a few pages, nor while the disk takes most of it.
    package mutating func tidy() throws(StorageError) {
        let size = connection.database.logSize
        guard size >= settings.checkpoint + stuckAt else { return }
        stuckAt = try emptyLog() ? 0 : size - settings.checkpoint / 2
    }

    /// Empties the log however short it is, as `tidy` does: content that was deleted is in it.
    package mutating func purge() throws(StorageError) {
        if try emptyLog(patience: 100) { stuckAt = 0 }
    }

    /// - Parameter patience: milliseconds that readers are waited for.
    /// - Returns: false where a reader stands in the way.
    private mutating func emptyLog(patience: Int32 = 10) throws(StorageError) -> Bool {
        try whileKept { (disk) throws(StorageError) in
            try disk.copyAhead()
            return try disk.locked { (lock, writer, _) throws(StorageError) in
                try lock.emptyLog(of: writer, patience: patience)
            }
        }
    }

    /// Runs `body` over the files that lie there now. Where a sync fails in it, the kernel may have thrown away what it
    /// could not write, and says nothing of it when it is asked again: the rows of the files are to be made again.
    private mutating func whileKept<Result>(
        _ body: (inout ShardSync) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        if !areFilesInPlace { try reopen() }
        do throws(StorageError) {
            if let loss { throw loss }
            return try body(&self)
        } catch .notSynced(let path, let code) {
            loss = .notSynced(path: path, code: code)
            note(code)
            try putAside(for: StorageError.reason(unsynced: code))
            throw .notSynced(path: path, code: code)
        }
    }

    /// Notes the failure for others: this process may end before the files are out of the way, as somebody holds their
    /// lock. Where that cannot be noted, they are put aside all the same.
    private mutating func note(_ code: Int32) {
        do throws(StorageError) {
            let origin = try ShardTables.standing(connection.standing, of: place.path).origin
            try lock.noteFailure(of: origin, code)
        } catch {}
    }

    /// Puts the files aside, unless somebody has done so: the next transaction of the worker begins others, of another
    /// origin.
    private mutating func putAside(for reason: String) throws(StorageError) {
        try lock.take(waiting: settings.lockWait)
        defer { lock.release() }
        guard areFilesInPlace else { return }
        news.append(try ShardOpening.putAside(place, reason, &lock))
    }

    /// Copies the log as it is now into the file, in steps, and syncs it, log first, without the lock.
    private mutating func copyAhead() throws(StorageError) {
        var steps = try locked { (_, _, reader) throws(StorageError) in try LogSteps(reader) }
        guard steps.isWorthwhile else { return }
        try connection.database.syncLog()
        while try locked({ (_, writer, reader) throws(StorageError) in
            try steps.copySome(into: writer, besides: reader)
        }) { LogSteps.pause() }
        if steps.hasCopied { try connection.database.syncFile() }
    }

    /// Runs `body` under the lock, over the connection that writes and the one that reads.
    private mutating func locked<Result>(
        _ body: (inout ShardLock, borrowing Database, borrowing Database) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try lock.take(waiting: settings.lockWait)
        defer { lock.release() }
        if !areFilesInPlace { try reopen() }
        let writer = if let open = self.writer { open } else { Writer(try ShardOpening.database(at: place, settings)) }
        self.writer = writer
        return try body(&lock, writer.database, connection.database)
    }

    private mutating func reopen() throws(StorageError) {
        connection = try Connection(place, settings)
        writer = nil
        loss = nil
    }

    /// Whether the files that are open are those that others find: one that is damaged is put aside.
    private var areFilesInPlace: Bool { connection.files.areIn(place) }
}
