import Pool
import Wire

/// An opening of the file of a shard, whatever lies there. The caller holds its lock.
struct ShardOpening: ~Copyable {
    let place: ShardPlace
    let settings: ShardSettings
    let boot: String
    private(set) var news: [ShardNews] = []

    init(place: ShardPlace, settings: ShardSettings, boot: String) {
        (self.place, self.settings, self.boot) = (place, settings, boot)
    }

    mutating func open(_ lock: inout ShardLock) throws(StorageError) -> ShardTables {
        // Without its file a log is of no use, and would be taken for the log of the next file.
        if FileFacts(place.path) == nil {
            try place.remove()
            try lock.forgetMark()
        }
        do throws(StorageError) {
            return try openKnown(&lock)
        } catch .corrupt(_, let reason) {
            try putAside(reason, &lock)
            return try openKnown(&lock)
        }
    }

    mutating func putAside(_ reason: String, _ lock: inout ShardLock) throws(StorageError) {
        news.append(try Self.putAside(place, reason, &lock))
    }

    /// Puts a file aside, and returns the news of it. The caller holds its lock.
    static func putAside(
        _ place: ShardPlace, _ reason: String, _ lock: inout ShardLock
    ) throws(StorageError) -> ShardNews {
        let news = ShardNews.putAside(try place.putAside(), reason: reason)
        // Only when the file is out of the way: until then the mark tells whether it is whole.
        try lock.forgetMark()
        return news
    }

    private mutating func openKnown(_ lock: inout ShardLock) throws(StorageError) -> ShardTables {
        if let reason = try reasonToReplace() {
            try putAside(reason, &lock)
            return try openKnown(&lock)
        }
        let known = lock.mark
        try judge(known, lock)
        var tables = try openTables(&lock)
        if let known, known.isOf(boot: boot), known.log != 0, !tables.files.has(log: known.log, index: known.index) {
            // Others may have them open still, under no name, and would see nothing of what is written into new ones.
            try copy(tables.database, known, &lock)
            tables = try openTables(&lock)
        }
        try begin(tables, try tables.readStanding())
        try note(tables, &lock)
        return tables
    }

    private func openTables(_ lock: inout ShardLock) throws(StorageError) -> ShardTables {
        let database = try Self.database(at: place, settings)
        let format = try database.integer("PRAGMA user_version")
        if format < settings.format {
            try lock.beginLog()
            try database.transaction { () throws(StorageError) in
                if format < 3 { try database.execute(PlaceMerge.schema) }
                try database.execute("PRAGMA user_version = \(settings.format)")
            }
        }
        try database.execute(ExtensionTable.schema)
        try database.execute(LostRows.schema)
        try database.execute(RangeChanges.schema)
        return try ShardTables(database, place)
    }

    /// Throws where the files are not those that were written last, or lack something of them;
    /// before anything is written into them.
    private func judge(_ known: ShardMark?, _ lock: borrowing ShardLock) throws(StorageError) {
        let database = try Self.database(at: place, settings)
        let standing = try ShardTables.standing(try database.prepare(ShardTables.standing), of: place.path)
        if let synced = lock.synced, synced.origin == standing.origin, standing.stamp < synced.stamp {
            throw .corrupt(path: place.path, "commits are gone that were on the disk")
        }
        if let code = lock.failure(of: standing.origin) {
            throw .corrupt(path: place.path, StorageError.reason(unsynced: code))
        }
        guard let known else { return }
        guard known.origin == standing.origin else {
            throw .corrupt(path: place.path, "it is not the file that was written last")
        }
        // A power failure may have taken what nobody promised to keep.
        guard known.isOf(boot: boot) else { return }
        guard standing.stamp >= known.stamp, try database.holds(known) else {
            throw .corrupt(path: place.path, "it or its log is gone, or is an older copy")
        }
    }

    /// Notes what the files hold, and their inodes.
    private func note(_ tables: borrowing ShardTables, _ lock: inout ShardLock) throws(StorageError) {
        let standing = try tables.readStanding()
        let isKnown = lock.mark?.isOf(boot: boot) ?? false
        // One commit says how long the log is, where nobody has noted it.
        if !isKnown, tables.database.logFrames == 0 { try tables.setBoot(boot) }
        let number = try tables.database.fileNumber()
        var mark = ShardMark(boot: boot, origin: standing.origin, stamp: standing.stamp, number: number)
        if let known = lock.mark, isKnown { mark = known }
        mark.stamp = standing.stamp
        (mark.log, mark.index) = (tables.files.log?.inode ?? 0, tables.files.index?.inode ?? 0)
        if tables.database.logFrames > 0 {
            mark.frames = tables.database.logFrames
            mark.sum = try tables.database.frameSum(mark.frames)
            mark.phase = .steady
        }
        if mark != lock.mark { try lock.note(mark) }
    }

    /// Replaces the file with one of the same content, with a log and an index of its own: all
    /// processes that have an old one open notice, and open the new ones.
    func copy(
        _ database: borrowing Database, _ known: ShardMark, _ lock: inout ShardLock
    ) throws(StorageError) {
        try place.removeDraft()
        let number = Database.number(after: max(known.number, known.next))
        do {
            let draft = try Self.database(at: place, settings, path: place.draftPath, pageSize: database.pageSize)
            try database.copy(to: draft)
            try draft.setNumber(number)
            guard try draft.emptyLog(patience: 1000) else { throw StorageError.blocked(path: draft.path, by: nil) }
        }
        try place.takeDraft()
        var mark = ShardMark(boot: boot, origin: known.origin, stamp: known.stamp, number: number)
        mark.phase = .beginning
        try lock.note(mark)
    }

    /// The reason to put the file aside; nil when it can be used.
    private func reasonToReplace() throws(StorageError) -> String? {
        let database = try Self.database(at: place, settings)
        let format = try database.integer("PRAGMA user_version")
        if format == 0 {
            try create(database)
            return nil
        }
        guard ShardTables.knownFormats.contains(format) else {
            return "it has format \(format), not \(ShardTables.format)"
        }
        guard UInt64(bitPattern: try database.integer("SELECT era FROM meta")) == settings.era else {
            return "it belongs to another journal, or to one that has lost entries since"
        }
        return nil
    }

    static func database(
        at place: ShardPlace, _ settings: ShardSettings, path: String? = nil, pageSize: Int = Database.usualPageSize
    ) throws(StorageError) -> Database {
        try Database.open(
            path: path ?? place.path, .write,
            Database.Tuning(
                synchronous: .normal, cache: settings.cache, patience: 250, pageSize: pageSize, forgets: true,
                shrinks: settings.shrinks, vfs: settings.vfs))
    }

    private func create(_ database: borrowing Database) throws(StorageError) {
        try database.begin()
        do {
            try database.execute(ShardTables.schema)
            try database.prepare("INSERT INTO meta VALUES (1, ?, ?, ?, 0, ?, 0)").run(
                .integer(Int64(bitPattern: .random(in: 1 ... .max))), .integer(Int64(bitPattern: settings.era)),
                .integer(Int64(bitPattern: Generation.random().number)), .text(boot))
            try database.execute("PRAGMA user_version = \(settings.format)")
            try database.commit()
        } catch {
            try database.rollBack()
            throw error
        }
    }

    /// Marks the file as open: from here on commits may be lost, unless it is closed. Where it was open
    /// when the machine went down, some may have been lost: readers must not take up where they were.
    private mutating func begin(
        _ tables: borrowing ShardTables, _ standing: ShardTables.Standing
    ) throws(StorageError) {
        guard standing.boot != boot else { return }
        var generation = standing.generation
        if !standing.boot.isEmpty {
            if let problem = try tables.database.quickCheck() { throw .corrupt(path: place.path, problem) }
            generation = .random()
            news.append(.uncleanStart)
        }
        try tables.database.prepare("UPDATE meta SET generation = ?, boot = ?").run(
            .integer(Int64(bitPattern: generation.number)), .text(boot))
        // The next opening would not sync it again.
        do throws(StorageError) { try tables.database.syncLog() } catch { throw error.damage(of: place.path) }
    }
}
