import Pool
package import Wire

/// The file of one shard, as the worker that has its lease writes it.
///
/// Each transaction and each checkpoint holds the lock file, and begins with a look at the epoch in the file, so that a worker
/// that was stopped and wakes up late writes nothing. The lock is not held between them: who has an older lease can always be
/// overtaken. Commits reach the disk with `ShardSync`, everybody's at once.
///
/// The file is derived. One that is damaged is put aside and begun anew under another `origin`, which tells the coordinator
/// that all of it is to be laid out again. `Storage.docc/Shards.md` has the tables.
package struct SQLiteShard: ~Copyable {
    package let place: ShardPlace
    /// What happened since this was last emptied, for the log of the operator.
    package var news: [ShardNews]

    let folder: DataFolder
    let settings: ShardSettings
    let boot: String
    var lock: ShardLock
    var tables: ShardTables
    var conversations = ConversationNumbers()
    var roles: [RowRole: Int64] = [:]
    var sealing = SealingCare()
    var extended = ShardExtension()
    /// How the file stood when this value last looked.
    var standing: ShardTables.Standing
    /// The epoch under which this value took the shard over, and in which file.
    var adopted: LeaseEpoch?
    var adoptedOrigin: ShardOrigin?
    var care = ShardCare()
    /// How many messages are unavailable; nil where that is to be counted.
    var lostRows: Int?

    package var origin: ShardOrigin { standing.origin }
    package var generation: Generation { standing.generation }
    /// Bytes of the log that are not in the file yet.
    package var logBytes: Int64 { tables.database.logSize }
    /// Whether some reader does not come to an end.
    package var isLogAlarming: Bool { logBytes >= settings.logAlarm }

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
        standing = try tables.readStanding()
        news = opening.news
        self.tables = tables
        (self.place, self.folder, self.settings, self.boot) = (place, folder, settings, boot)
        self.lock = lock
    }

    /// Marks the file as closed with everything on the disk, so that readers can go on where they were when the machine is
    /// started again.
    package mutating func close() throws(StorageError) {
        guard let adopted else { return }
        try locked { (shard) throws(StorageError) in
            let isOurs = try shard.inTransaction { (shard) throws(StorageError) in
                guard shard.standing.epoch == adopted else { return false }
                try shard.tables.set(adopted, boot: "")
                return true
            }
            if isOurs { try shard.tables.database.syncLog() }
        }
    }

    /// Runs `body` under the lock, on the file that lies there now: another worker may have begun it anew.
    mutating func locked<Result>(
        _ body: (inout SQLiteShard) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try lock.take(waiting: settings.lockWait)
        defer { lock.release() }
        do throws(StorageError) {
            if try !isWhole() { try reopen(puttingAsideFor: nil) }
            return try body(&self)
        } catch .corrupt(let path, let reason) {
            // The next call finds a new file, of another origin.
            try reopen(puttingAsideFor: reason)
            throw .corrupt(path: path, reason)
        }
    }

    /// Whether the files that are open are those that others find.
    var areFilesInPlace: Bool { tables.files.areIn(place) }

    /// Whether they are, and hold what was noted last. To be asked under the lock.
    private func isWhole() throws(StorageError) -> Bool {
        guard areFilesInPlace else { return false }
        guard let mark = lock.mark else { return true }
        guard mark.origin == standing.origin else { return false }
        return try tables.database.holds(mark)
    }

    private mutating func reopen(puttingAsideFor reason: String?) throws(StorageError) {
        var opening = ShardOpening(place: place, settings: settings, boot: boot)
        if let reason {
            try opening.putAside(reason, &lock)
        } else if let mark = newest() {
            try opening.copy(tables.database, mark, &lock)
        }
        tables = try opening.open(&lock)
        try FileFacts.sync(place.directory)
        news += opening.news
        forgetNumbers()
        standing = try tables.readStanding()
    }

    /// What was noted, where this connection still has all of it, under whatever name: then nothing is lost.
    private func newest() -> ShardMark? {
        guard let mark = lock.mark, mark.isOf(boot: boot) else { return nil }
        do throws(StorageError) {
            let own = try tables.readStanding()
            guard own.origin == mark.origin, own.stamp == mark.stamp, try tables.database.holds(mark) else {
                return nil
            }
            return mark
        } catch {
            return nil
        }
    }

    /// All of `body`, or nothing of it; `standing` is how the file stands at its beginning.
    mutating func inTransaction<Result>(
        _ body: (inout SQLiteShard) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try tables.database.begin()
        do throws(StorageError) {
            standing = try tables.readStanding()
            try tables.recent.follow(tables.database, standing.origin, standing.generation, standing.stamp)
            try tables.recent.settleAll()
            let result = try body(&self)
            try lock.beginLog()
            try tables.database.commit()
            tables.recent.note(standing.stamp)
            try lock.noteCommit(tables.database, standing.origin, standing.stamp)
            return result
        } catch {
            // Conversations and roles that were new in it have no number.
            forgetNumbers()
            try tables.database.rollBack()
            throw error
        }
    }

    private mutating func forgetNumbers() {
        tables.recent.forget()
        lostRows = nil
        conversations.removeAll()
        roles.removeAll()
        sealing.forgetEnds()
        extended.forget()
    }
}
