import Bytes
import Names
import Pool
import Wire

/// Looks into a journal that somebody else may be writing, and changes nothing: all of it as it was at one moment.
struct JournalReader: ~Copyable {
    let tables: JournalTables
    let manifest: FolderManifest
    let progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    private let memory: CardMemory

    init(in folder: DataFolder) throws(StorageError) {
        guard !StagedRestore.isUnfinished(in: folder) else {
            throw .unfinishedRestore(path: folder.path)
        }
        let opening = try JournalOpening(folder, JournalSettings())
        let database = try Self.open(in: folder)
        try Self.checkLink(of: database, in: folder)
        let tables = try JournalTables(database)
        try tables.enter()
        var memory = CardMemory(after: try opening.state(of: tables).merged)
        try opening.entries(of: tables, after: memory.through, isWhole: true) { memory.take($0, at: $1) }
        progress = try opening.progress(of: tables)
        manifest = opening.manifest
        self.memory = memory
        self.tables = tables
    }

    /// The journal of a folder, with its log. One that a coordinator is making is not there yet.
    static func open(in folder: DataFolder) throws(StorageError) -> Database {
        let path = folder.file(JournalOpening.file)
        // A coordinator writes the manifest when all that a new journal begins with is in the file: it is looked for first.
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
        guard format == JournalTables.format else {
            throw .foreignFormat(path: database.path, found: format, expected: JournalTables.format)
        }
    }

    /// Refuses a journal with the log of another one. While a coordinator has the folder, it has looked already, and the file changes
    /// under its log.
    static func checkLink(of database: borrowing Database, in folder: DataFolder) throws(StorageError) {
        try FileLock.whileFree(folder.file(JournalOpening.lock)) { () throws(StorageError) in
            let isKnown = try JournalMark.read(path: folder.file(JournalMark.file)) != nil
            try JournalLink.check(database, isKnown: isKnown, vfs: nil)
        }
    }

    func card(_ key: MessageKey) throws(StorageError) -> CardEntry? {
        let stored = CardKey(key)
        if let known = memory.cards[stored] { return known.entry }
        return try tables.card(stored)?.entry
    }

    /// The message that a key leads to, over other ids that it has had.
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

    /// Whether it could be laid out again.
    func isBodyKept(_ card: MessageCard) throws(StorageError) -> Bool {
        guard let body = card.body, let segment = try tables.segment(with: body.value.at) else { return false }
        return !segment.body(at: body.value.at).isEmpty
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
        for one in memory.fresh where one.shard == shard {
            do throws(ByteError) { all.append((one.number, try CardKey.message(one.key.bytes))) } catch {
                throw .damaged(path: path, error)
            }
        }
        return all
    }
}
