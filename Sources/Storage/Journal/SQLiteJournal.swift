package import Pool
import Wire

/// The source of truth: a log in segments, and `journal.db`, written by one coordinator under a lock that it keeps.
///
/// Entries are appended to the log and to nothing else. The cards that they change are kept in
/// memory, and are merged into the table of cards every some ten thousand entries, in the order of
/// keys: so a page is written once for many messages. An opening reads the log since the last merge
/// once more. `Storage.docc/Journal.md` has the bytes and the tables.
package struct SQLiteJournal: ~Copyable {
    package let term: UInt64
    package internal(set) var nextPosition: LogPosition
    /// The era that shards of this journal are made for; see `FolderManifest`.
    package let era: UInt64
    /// The number of shards among which conversations are divided.
    package let shardCount: Int
    /// News of the opening, for the operator's log.
    package var news: [JournalNews]
    /// Bodies whose bytes were not what was stored; each was treated as not retained.
    package var damaged: Int { cards.damaged }
    /// The number of messages of each shard whose content is no longer kept.
    package var forgotten: [Int] { care.forgotten.counts }

    package internal(set) var times = JournalTimes()
    package var settings: JournalSettings
    let lock: FileLock
    var identity: JournalIdentity
    var cards: JournalCards
    /// A memory that was merged, for its storage.
    var spare: CardMemory?
    var care: JournalCare
    /// Gives chores to another thread, which brings back their outcomes; nil where this thread does them.
    package var givesAway: (@Sendable (JournalChore) -> Void)?
    var upkeep = JournalUpkeep()

    struct ProgressPlace: Hashable {
        var edition: EditionID
        var shard: Shard
    }

    package init(
        in folder: DataFolder, settings: JournalSettings = JournalSettings()
    ) throws(StorageError) {
        self.init(try Self.opened(in: folder, settings))
    }

    /// Takes over another value whole: a noncopyable one must not throw half-way through its own initializer.
    private init(_ other: consuming SQLiteJournal) {
        (term, nextPosition, era, shardCount) = (other.term, other.nextPosition, other.era, other.shardCount)
        (news, settings, care) = (other.news, other.settings, other.care)
        upkeep = other.upkeep
        lock = other.lock
        identity = other.identity
        cards = other.cards
    }

    private static func opened(in folder: DataFolder, _ settings: JournalSettings) throws(StorageError) -> SQLiteJournal
    {
        // A newer format is refused before anything of the folder is changed.
        _ = try FolderFormats.read(in: folder, known: settings.formats)
        try folder.create()
        let lock = try FileLock.open(path: folder.file(JournalOpening.lock))
        try lock.keep()
        let asides = try StagedRestore.finish(in: folder)
        var opening = try JournalOpening(folder, settings)
        opening.note(asides: asides)
        var frames: [LogFrame] = []
        let opened = try opening.open { (frame) throws(StorageError) in frames.append(frame) }
        let progress = try opening.progress(of: opened.tables)
        var journal = try SQLiteJournal(opened, opening, lock, settings, progress: progress)
        try journal.replay(frames)
        return journal
    }

    /// Begins with the state that the tables have.
    private init(
        _ opened: consuming JournalOpening.Opened, _ opening: JournalOpening, _ lock: consuming FileLock,
        _ settings: JournalSettings, progress: [ProgressPlace: ShardProgress]
    ) throws(StorageError) {
        let (state, next) = (opened.state, opened.log.end.next)
        let identity = opened.identity
        let cards = try JournalCards(
            opened.tables, opened.log, state, mergedTo: opened.mergedTo, progress: progress)
        nextPosition = LogPosition(state.merged.number + 1)
        (term, era, shardCount) = (opening.term, opening.manifest.era, opening.manifest.shards)
        care = JournalCare(state, shards: opening.manifest.shards, next: next)
        (news, self.settings) = (opening.news, settings)
        self.identity = identity
        self.cards = cards
        self.lock = lock
    }

    /// Brings everything to the disk and notes that, so that the next start of the machine finds
    /// that nothing was lost. The log of SQLite is empty then, unless a reader does not let go of
    /// it for five seconds, or the disk is full. Nothing is written after it.
    package mutating func close() throws(StorageError) {
        try cards.log.sync()
        try cards.tables.leave()
        try cards.tables.noteEnd(under: identity.lock)
        identity.close()
    }
}

extension JournalTables {
    /// Notes that nothing is lost when the machine starts anew.
    fileprivate func noteEnd(under lock: JournalLock) throws(StorageError) {
        try lock.transaction(database) { () throws(StorageError) in
            try database.execute("UPDATE meta SET boot = ''")
        }
        do throws(StorageError) { _ = try lock.emptyLog(of: database, patience: 5000) } catch .full {
            try database.syncLog()
        }
    }
}
