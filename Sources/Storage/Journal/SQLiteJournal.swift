package import Pool
import Wire

/// The source of truth: a log in segments, and `journal.db`, written by one coordinator under a lock that it keeps.
///
/// Entries are appended to the log and to nothing else. What they make of cards is kept in memory, and merged into the table of
/// cards every some ten thousand entries, in the order of keys: so a page is written once for many messages. At an opening the
/// log since the last merge is read once more. `Storage.docc/Journal.md` has the bytes and the tables.
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
    var log: SegmentedLog
    /// Behind which frame the log is not in the tables.
    var mergedTo: LogCursor
    var latest: [JobNumber]
    var progress: [ProgressPlace: ShardProgress]
    var memory: CardMemory
    var merge: CardMerge?
    /// The room of a memory that was merged.
    var spare: CardMemory?
    var cache = CardCache(limit: 16_384)
    var care: JournalCare
    var frames = FrameCache()
    /// Gives chores to another thread, which brings back what came of them; nil where this one does them.
    package var givesAway: (@Sendable (JournalChore) -> Void)?
    /// Why what is beside the log could not be brought up to it, if it could not; the log has all.
    var trouble: StorageError?
    /// Entries whose words are still to be written over.
    var wipes: [LogPosition] = []
    /// The same of entries that an opening would read once more: they are written over when they are merged.
    var laterWipes: [LogPosition] = []
    var laterSince: ContinuousClock.Instant?
    /// What entries of the log have still to take off the shelf.
    var errands: [ShelfErrand] = []
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
        self.init(try Self.opened(in: folder, settings))
    }

    /// The same one: a value that cannot be copied does not throw half-way through its own beginning.
    private init(_ other: consuming SQLiteJournal) {
        (term, nextPosition, era, shardCount) = (other.term, other.nextPosition, other.era, other.shardCount)
        (news, settings, mergedTo, latest) = (other.news, other.settings, other.mergedTo, other.latest)
        (progress, memory, care, stale) = (other.progress, other.memory, other.care, other.stale)
        (forgottenContent, hasShelf) = (other.forgottenContent, other.hasShelf)
        lock = other.lock
        tables = other.tables
        identity = other.identity
        log = other.log
    }

    private static func opened(in folder: DataFolder, _ settings: JournalSettings) throws(StorageError) -> SQLiteJournal
    {
        try folder.create()
        let lock = try FileLock.open(path: folder.file(JournalOpening.lock))
        try lock.keep()
        let asides = try StagedRestore.finish(in: folder)
        var opening = try JournalOpening(folder, settings)
        opening.note(asides: asides)
        var frames: [LogFrame] = []
        let opened = try opening.open { (frame) throws(StorageError) in frames.append(frame) }
        let progress = try opening.progress(of: opened.tables)
        let hasShelf = try opened.tables.database.integer("SELECT EXISTS (SELECT 1 FROM shelf)") != 0
        var journal = SQLiteJournal(opened, opening, lock, settings, progress: progress, hasShelf: hasShelf)
        try journal.replay(frames)
        return journal
    }

    /// As the tables have it.
    private init(
        _ opened: consuming JournalOpening.Opened, _ opening: JournalOpening, _ lock: consuming FileLock,
        _ settings: JournalSettings, progress: [ProgressPlace: ShardProgress], hasShelf: Bool
    ) {
        let state = opened.state
        memory = CardMemory(after: state.merged)
        nextPosition = LogPosition(state.merged.number + 1)
        stale = StaleBodies(knownFrom: opened.log.end.next)
        (term, era, shardCount) = (opening.term, opening.manifest.era, opening.manifest.shards)
        (latest, mergedTo) = (state.latest, opened.mergedTo)
        forgottenContent = ForgottenContent(shards: opening.manifest.shards)
        care = JournalCare(swept: state.swept, expired: state.expired)
        news = opening.news
        (self.settings, self.progress, self.hasShelf) = (settings, progress, hasShelf)
        tables = opened.tables
        identity = opened.identity
        log = opened.log
        self.lock = lock
    }

    /// Brings everything to the disk and says so: a start of the machine that follows finds that nothing was lost. The log of SQLite
    /// is empty then, unless a reader does not let go of it for five seconds, or the disk is full.
    /// Nothing is written after it.
    package mutating func close() throws(StorageError) {
        try log.sync()
        try tables.leave()
        try identity.lock.transaction(tables.database) { () throws(StorageError) in
            try tables.database.execute("UPDATE meta SET boot = ''")
        }
        do throws(StorageError) {
            _ = try identity.lock.emptyLog(of: tables.database, patience: 5000)
        } catch .full {
            try tables.database.syncLog()
        }
        identity.close()
    }
}
