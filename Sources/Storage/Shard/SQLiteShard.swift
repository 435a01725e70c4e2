import Pool
package import Wire

/// The file of one shard, as the worker that has its lease writes it.
///
/// Each transaction and each checkpoint holds the lock file, and begins with a look at the epoch in the file, so
/// that a worker that was stopped and wakes up late writes nothing. The lock is not held between them: the holder of
/// an older lease can always be overtaken. Commits reach the disk with `ShardSync`, those of all writers at once.
///
/// The file is derived. One that is damaged is put aside and begun anew under another `origin`, which
/// tells the coordinator that all of it is to be laid out again. `Storage.docc/Shards.md` has the tables.
package struct SQLiteShard: ~Copyable {
    package let place: ShardPlace
    /// News since this was last emptied, for the operator's log.
    package var news: [ShardNews]

    let folder: DataFolder
    let settings: ShardSettings
    var lock: ShardLock
    var rows: ShardRows
    var asides: AsideFiles
    /// Has another thread empty the log (`ShardSync.purge`), as it has content that was deleted; nil where this thread
    /// does it. Once the log is empty, whoever made it so, this value finds out.
    package var purges: (@Sendable () -> Void)?
    /// The epoch under which this value took the shard over, nil also once another is known to have it; `adoptedOrigin`
    /// is that of the file.
    var adopted: LeaseEpoch?
    var adoptedOrigin: ShardOrigin?

    package var origin: ShardOrigin { rows.standing.origin }
    package var generation: Generation { rows.standing.generation }
    /// Bytes of the log that are not in the file yet.
    package var logBytes: Int64 { rows.tables.database.logSize }

    package init(
        _ shard: Shard, of edition: EditionID, in folder: DataFolder, settings: ShardSettings = ShardSettings()
    ) throws(StorageError) {
        let place = ShardPlace(shard, of: edition, in: folder)
        try place.create(in: folder)
        var lock = try ShardLock(place)
        let boot: String
        if let given = settings.boot { boot = given } else { boot = try FileFacts.bootID() }
        var opening = ShardOpening(place: place, settings: settings, boot: boot)
        let tables = try lock.during(waiting: settings.lockWait) { (lock) throws(StorageError) in
            try opening.open(&lock)
        }
        try FileFacts.sync(place.directory)
        rows = try ShardRows(tables, place, settings, boot: boot)
        news = opening.news
        (self.place, self.folder, self.settings) = (place, folder, settings)
        asides = AsideFiles(of: place, settings)
        self.lock = lock
    }

    /// Marks the file as closed with everything on the disk, so that readers can go on where they
    /// were when the machine is started again.
    package mutating func close() throws(StorageError) {
        guard let adopted else { return }
        try locked { (shard) throws(StorageError) in
            let isOurs = try shard.inTransaction { (rows) throws(StorageError) in
                guard rows.standing.epoch == adopted else { return false }
                try rows.tables.set(adopted, boot: "")
                return true
            }
            if isOurs { try shard.rows.tables.database.syncLog() }
        }
    }

    /// Runs `body` under the lock, on the file that lies there now: another worker may have begun it anew.
    mutating func locked<Result>(
        _ body: (inout SQLiteShard) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try lock.take(waiting: settings.lockWait)
        defer { lock.release() }
        do throws(StorageError) {
            if lock.tellsFailure, let code = lock.failure(of: origin), areFilesInPlace {
                try reopen(puttingAsideFor: StorageError.reason(unsynced: code))
            } else if try !isWhole() {
                try reopen(puttingAsideFor: nil)
            }
            do throws(StorageError) { return try body(&self) } catch { throw error.damage(of: place.path) }
        } catch .corrupt(let path, let reason) {
            // The next call finds a new file, of another origin.
            try reopen(puttingAsideFor: reason)
            throw .corrupt(path: path, reason)
        }
    }

    /// Whether the files that are open are those that others find.
    var areFilesInPlace: Bool { rows.tables.files.areIn(place) }

    /// Whether the open files are in place, and hold what was noted last. To be asked under the lock.
    private func isWhole() throws(StorageError) -> Bool {
        guard areFilesInPlace else { return false }
        guard let mark = lock.mark else { return true }
        guard mark.origin == rows.standing.origin else { return false }
        return try rows.tables.database.holds(mark)
    }

    private mutating func reopen(puttingAsideFor reason: String?) throws(StorageError) {
        var opening = ShardOpening(place: place, settings: settings, boot: rows.boot)
        if let reason {
            try opening.putAside(reason, &lock)
        } else if let mark = newest() {
            try opening.copy(rows.tables.database, mark, &lock)
        }
        let tables = try opening.open(&lock)
        try FileFacts.sync(place.directory)
        news += opening.news
        try rows.turn(to: tables)
    }

    /// The mark, where this connection still has everything that was noted, under whatever name: then nothing is lost.
    private func newest() -> ShardMark? {
        guard let mark = lock.mark, mark.isOf(boot: rows.boot) else { return nil }
        do throws(StorageError) {
            let own = try rows.tables.readStanding()
            guard own.origin == mark.origin, own.stamp == mark.stamp, try rows.tables.database.holds(mark) else {
                return nil
            }
            return mark
        } catch {
            return nil
        }
    }

    /// Runs `body` in a transaction: all of it takes effect, or nothing.
    mutating func inTransaction<Result>(
        _ body: (inout ShardRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try rows.tables.database.begin()
        do throws(StorageError) {
            try rows.look()
            let result = try body(&rows)
            try lock.beginLog()
            try rows.commit()
            try lock.noteCommit(rows.tables.database, rows.standing.origin, rows.standing.stamp)
            return result
        } catch {
            try rows.rollBack()
            throw error
        }
    }
}
