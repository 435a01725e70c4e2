import Bytes
import Names
import Pool
import Wire

/// A reader of a journal that another process may be writing. It changes nothing, and sees all of
/// it as it was at one moment.
struct JournalReader: ~Copyable {
    let tables: JournalTables
    let manifest: FolderManifest
    /// Whether its log is still a table, as in journals of older builds.
    let isOld: Bool
    private let follower: LogFollower
    private let folder: DataFolder

    var progress: [SQLiteJournal.ProgressPlace: ShardProgress] { follower.progress }
    /// The place of the next entry.
    var next: LogPosition { follower.next }

    init(in folder: DataFolder) throws(StorageError) {
        guard !StagedRestore.isUnfinished(in: folder) else {
            throw .unfinishedRestore(path: folder.path)
        }
        let opening = try JournalOpening(folder, JournalSettings())
        let database = try Self.open(in: folder)
        try Self.checkLink(of: database, in: folder)
        let tables = try JournalTables(database)
        (follower, isOld) = try Self.follow(tables, opening, in: folder)
        (self.folder, manifest) = (folder, opening.manifest)
        self.tables = tables
    }

    /// Reads tables and log as of one moment, in a transaction that stays open.
    private static func follow(
        _ tables: borrowing JournalTables, _ opening: JournalOpening, in folder: DataFolder
    ) throws(StorageError) -> (LogFollower, isOld: Bool) {
        let log = folder.file(SegmentName.folder)
        for attempt in 0..<9 {
            try tables.enter()
            let progress = try opening.progress(of: tables)
            guard let place = try LogPlace.read(from: tables.database) else {
                let merged = try opening.state(of: tables).merged
                return (try LogFollower(of: tables.database, in: folder, merged: merged, progress), true)
            }
            do throws(StorageError) {
                var links = try SegmentLinks(in: log, of: place.log)
                try links.check()
                guard links.names.contains(place.cursor.segment) else {
                    throw .brokenLog(path: log, "\(place.cursor.segment.text) is missing")
                }
                let acknowledged = try JournalMark.acknowledged(in: folder, of: tables.database)
                var follower = LogFollower(place, in: folder, progress)
                _ = try follower.advance()
                if follower.next >= acknowledged { return (follower, false) }
                throw .brokenLog(
                    path: log, "entries behind \(follower.next.number) were acknowledged, and cannot be read")
            } catch {
                // The coordinator may have gone on meanwhile.
                if attempt == 8 { throw error }
            }
            try tables.database.rollBack()
        }
        throw .brokenLog(path: log, "what journal.db does not have yet is gone")
    }

    /// Opens the journal of a folder, with its log. One that a coordinator is still making counts as absent.
    static func open(in folder: DataFolder) throws(StorageError) -> Database {
        let path = folder.file(JournalOpening.file)
        // A coordinator writes the manifest once the file has all that a new journal begins with,
        // so the manifest is looked for first.
        let isMade = try FolderManifest.read(in: folder) != nil
        // SQLite would throw away a log that lies beside an empty file.
        if FileFacts(path)?.size == 0 { throw isMade ? .missingJournal(path: path) : .absent(path: path) }
        let hasLog = (FileFacts(path + "-wal")?.size ?? 0) > 0
        do throws(StorageError) {
            let database = try Database.open(path: path, .read)
            if !isMade, try database.integer("PRAGMA user_version") == 0 { throw StorageError.absent(path: path) }
            try checkFormat(of: database)
            return database
        } catch {
            throw hasLog ? JournalLink.explained(error, vfs: nil) : error
        }
    }

    /// Refuses a journal of another version.
    static func checkFormat(of database: borrowing Database) throws(StorageError) {
        let format = try database.integer("PRAGMA user_version")
        guard format == JournalTables.format || format == OldLog.format else {
            throw .foreignFormat(path: database.path, found: format, expected: JournalTables.format)
        }
    }

    /// Refuses a journal with the log of another one. While a coordinator has the folder nothing is
    /// checked: it has done so already, and the file changes under its log.
    static func checkLink(of database: borrowing Database, in folder: DataFolder) throws(StorageError) {
        try FileLock.whileFree(folder.file(JournalOpening.lock)) { () throws(StorageError) in
            let isKnown = try JournalMark.read(path: folder.file(JournalMark.file)) != nil
            try JournalLink.check(database, isKnown: isKnown, vfs: nil)
        }
    }

    func card(_ key: MessageKey) throws(StorageError) -> CardEntry? {
        let stored = CardKey(key)
        if let known = follower.memory.cards[stored] { return known.entry }
        return try tables.card(stored)?.entry
    }

    /// The message that a key leads to, through other ids that it has had.
    func message(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        var key = key
        for _ in 0..<8 {
            switch try card(key) {
            case nil: return nil
            case .message(let card): return card
            case .alias(let other, _): key = MessageKey(key.conversation, other)
            }
        }
        return nil
    }

    /// Whether the body of a message is kept, so that it could be laid out again.
    func isBodyKept(_ card: MessageCard) throws(StorageError) -> Bool {
        guard let place = card.body?.value.at else { return false }
        if isOld {
            return try OldLog.frame(with: place, in: tables.database).map { !$0.body(at: place).isEmpty } ?? false
        }
        var index = LogIndex(in: folder.file(SegmentName.folder))
        try index.refresh()
        return try index.find(place).map { !$0.frame.body(at: place).isEmpty } ?? false
    }

    /// All messages that ever began in the shard, by number.
    func messages(of shard: Shard) throws(StorageError) -> [(number: MessageNumber, key: MessageKey)] {
        var all: [(number: MessageNumber, key: MessageKey)] = []
        let path = tables.database.path
        try tables.database.prepare("SELECT list FROM messages WHERE shard = ? ORDER BY last")
            .run(.integer(Int64(shard.number))) { row throws(StorageError) in
                do throws(ByteError) { all += try FreshList.messages(row.blob(0)) } catch {
                    throw .damaged(path: path, error)
                }
            }
        for one in follower.memory.fresh where one.shard == shard {
            do throws(ByteError) { all.append((one.number, try CardKey.message(one.key.bytes))) } catch {
                throw .damaged(path: path, error)
            }
        }
        return all
    }
}
