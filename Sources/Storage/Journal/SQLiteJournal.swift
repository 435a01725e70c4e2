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
    package var damaged: Int { cards.damaged }
    /// Of each shard, messages whose content is no longer kept.
    package var forgotten: [Int] { care.forgotten.counts }

    package var settings: JournalSettings
    let lock: FileLock
    var identity: JournalIdentity
    var cards: JournalCards
    /// The room of a memory that was merged.
    var spare: CardMemory?
    var care: JournalCare
    /// Gives chores to another thread, which brings back what came of them; nil where this one does them.
    package var givesAway: (@Sendable (JournalChore) -> Void)?
    /// Why what is beside the log could not be brought up to it, if it could not; the log has all.
    var trouble: StorageError?
    var wiping = WordWiping()
    /// What entries of the log have still to take off the shelf.
    var errands: [ShelfErrand] = []

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
        (news, settings, care) = (other.news, other.settings, other.care)
        (wiping, errands, trouble) = (other.wiping, other.errands, other.trouble)
        lock = other.lock
        identity = other.identity
        cards = other.cards
    }

    private static func opened(in folder: DataFolder, _ settings: JournalSettings) throws(StorageError) -> SQLiteJournal
    {
        // Before anything of it is changed.
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

    /// As the tables have it.
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

    /// Brings everything to the disk and says so: a start of the machine that follows finds that nothing was lost. The log of SQLite
    /// is empty then, unless a reader does not let go of it for five seconds, or the disk is full.
    /// Nothing is written after it.
    package mutating func close() throws(StorageError) {
        try cards.log.sync()
        try cards.tables.leave()
        try cards.tables.noteEnd(under: identity.lock)
        identity.close()
    }
}

extension JournalTables {
    /// Nothing is lost when the machine starts anew.
    fileprivate func noteEnd(under lock: JournalLock) throws(StorageError) {
        try lock.transaction(database) { () throws(StorageError) in
            try database.execute("UPDATE meta SET boot = ''")
        }
        do throws(StorageError) { _ = try lock.emptyLog(of: database, patience: 5000) } catch .full {
            try database.syncLog()
        }
    }
}
