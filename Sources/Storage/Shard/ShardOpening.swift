import Pool
import Wire

/// Opens the file of a shard, whatever lies there; whoever calls holds its lock.
struct ShardOpening: ~Copyable {
    let place: ShardPlace
    let settings: ShardSettings
    let boot: String
    private(set) var news: [ShardNews] = []

    init(place: ShardPlace, settings: ShardSettings, boot: String) {
        (self.place, self.settings, self.boot) = (place, settings, boot)
    }

    /// - Parameter synced: what the lock file says is safely on the disk.
    mutating func open(synced: (origin: ShardOrigin, stamp: Stamp)?) throws(StorageError) -> ShardTables {
        // Without its file a log is of no use, and would be taken for the log of the next file.
        if FileFacts(place.path) == nil { try place.remove() }
        do throws(StorageError) {
            return try openKnown(synced)
        } catch .corrupt(_, let reason) {
            try putAside(reason)
            return try openKnown(nil)
        }
    }

    mutating func putAside(_ reason: String) throws(StorageError) {
        news.append(.putAside(try place.putAside(), reason: reason))
    }

    private mutating func openKnown(
        _ synced: (origin: ShardOrigin, stamp: Stamp)?
    ) throws(StorageError) -> ShardTables {
        if let reason = try reasonToReplace() {
            try place.remove()
            news.append(.replaced(reason: reason))
            return try openKnown(nil)
        }
        let database = try Self.database(at: place, settings)
        try database.execute(ExtensionTable.schema)
        let tables = try ShardTables(database)
        let standing = try tables.readStanding()
        if let synced, synced.origin == standing.origin, standing.stamp < synced.stamp {
            throw .corrupt(path: place.path, "commits are gone that were on the disk")
        }
        try begin(tables, standing)
        return tables
    }

    /// Nil when the file is one that can be gone on with.
    private func reasonToReplace() throws(StorageError) -> String? {
        let database = try Self.database(at: place, settings)
        let format = try database.integer("PRAGMA user_version")
        if format == 0 {
            try create(database)
            return nil
        }
        guard format == ShardTables.format else { return "it has format \(format), not \(ShardTables.format)" }
        guard UInt64(bitPattern: try database.integer("SELECT era FROM meta")) == settings.era else {
            return "it belongs to another journal, or to one that has lost entries since"
        }
        return nil
    }

    static func database(at place: ShardPlace, _ settings: ShardSettings) throws(StorageError) -> Database {
        try Database.open(
            path: place.path, .write,
            Database.Tuning(
                synchronous: .normal, cache: settings.cache, patience: 250, forgets: true,
                vfs: settings.vfs))
    }

    private func create(_ database: borrowing Database) throws(StorageError) {
        try database.begin()
        do {
            try database.execute(ShardTables.schema)
            try database.prepare("INSERT INTO meta VALUES (1, ?, ?, ?, 0, ?, 0)").run(
                .integer(Int64(bitPattern: .random(in: 1 ... .max))), .integer(Int64(bitPattern: settings.era)),
                .integer(Int64(bitPattern: Generation.random().number)), .text(boot))
            try database.execute("PRAGMA user_version = \(ShardTables.format)")
            try database.commit()
        } catch {
            try database.rollBack()
            throw error
        }
    }

    /// From here on commits may be lost, unless the file is closed. If it was not, before the machine went down, some were
    /// perhaps: readers must not take up where they were.
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
        try tables.database.syncLog()
    }
}
