package import Pool
import Wire

/// The source of truth in one file, `journal.db`, written by one coordinator under a lock that it keeps.
///
/// Entries are appended to a log and to nothing else. What they make of cards is kept in memory, and merged into the table of
/// cards every some ten thousand entries, in the order of keys: so a page is written once for many messages. At an opening the
/// log since the last merge is read once more. `Storage.docc/Journal.md` has the tables.
package struct SQLiteJournal: ~Copyable {
    package let term: UInt64
    package internal(set) var nextPosition: LogPosition
    /// What shards of this journal are made for; see `FolderManifest`.
    package let era: UInt64
    /// How many shards conversations belong to.
    package let shardCount: Int
    /// What happened at the opening, for the log of the operator.
    package var news: [JournalNews]
    /// Bodies whose bytes were not what was stored; each was treated as not retained.
    package internal(set) var damaged = 0
    /// Of each shard, messages whose content is no longer kept.
    package var forgotten: [Int] { forgottenContent.counts }

    package var settings: JournalSettings
    let lock: FileLock
    let tables: JournalTables
    var identity: JournalIdentity
    var latest: [JobNumber]
    var progress: [ProgressPlace: ShardProgress]
    var memory: CardMemory
    var merge: CardMerge?
    /// The room of a memory that was merged.
    var spare: CardMemory?
    var cache = CardCache(limit: 16_384)
    var care: JournalCare
    var segments = SegmentCache()
    var forgottenContent: ForgottenContent
    var stale: StaleBodies
    /// Whether anything was ever given up: most journals need not look.
    var hasShelf: Bool

    struct ProgressPlace: Hashable {
        var edition: EditionID
        var shard: Shard
    }

    package init(
        in folder: DataFolder, settings: JournalSettings = JournalSettings()
    ) throws(StorageError) {
        try folder.create()
        let lock = try FileLock.open(path: folder.file(JournalOpening.lock))
        try lock.keep()
        let asides = try StagedRestore.finish(in: folder)
        var opening = try JournalOpening(folder, settings)
        opening.note(asides: asides)
        var identity: JournalIdentity?
        let tables = try opening.open(&identity)
        let state = try opening.state(of: tables)
        var memory = CardMemory(after: state.merged)
        var latest = state.latest
        var next = max(state.next, state.merged.number + 1)
        try opening.entries(of: tables, after: state.merged, isWhole: true) { change, place in
            memory.take(change, at: place)
            for job in change.jobs {
                latest[Int(change.shard.number)] = max(latest[Int(change.shard.number)], job.number)
            }
            next = place.number + 1
        }
        let progress = try opening.progress(of: tables)
        let forgotten = try ForgottenContent.opened(
            opening.term, shards: opening.manifest.shards, memory: memory, expired: state.expired, in: tables)
        hasShelf = try tables.database.integer("SELECT EXISTS (SELECT 1 FROM shelf)") != 0
        nextPosition = LogPosition(next)
        stale = StaleBodies(knownFrom: nextPosition)
        (term, era, shardCount) = (opening.term, opening.manifest.era, opening.manifest.shards)
        self.progress = progress
        forgottenContent = forgotten
        care = JournalCare(swept: state.swept, expired: state.expired)
        news = opening.news
        (self.settings, self.memory, self.latest) = (settings, memory, latest)
        self.identity = identity.take()!
        self.tables = tables
        self.lock = lock
    }

    /// Brings everything to the disk and says so: a start of the machine that follows finds that nothing was lost. The log of SQLite
    /// is empty then, unless a reader does not let go of it for five seconds, or the disk is full.
    /// Nothing is written after it.
    package mutating func close() throws(StorageError) {
        try tables.enter()
        do throws(StorageError) {
            try tables.database.execute("UPDATE meta SET boot = ''")
            try identity.commit(tables.database, next: nextPosition)
        } catch {
            try tables.database.rollBack()
            throw error
        }
        do throws(StorageError) {
            _ = try identity.emptyLog(of: tables.database, patience: 5000)
        } catch .full {
            try tables.database.syncLog()
        }
        identity.close()
    }
}
