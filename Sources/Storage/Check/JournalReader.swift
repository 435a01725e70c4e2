import Pool
import Wire

/// Looks into a journal that somebody else may be writing, and changes nothing: all of it as it was at one moment.
struct JournalReader: ~Copyable {
    let tables: JournalTables
    let manifest: FolderManifest
    let progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    private let memory: CardMemory

    init(in folder: DataFolder) throws(StorageError) {
        let opening = try JournalOpening(folder, JournalSettings())
        let database = try Database.open(path: folder.file(JournalOpening.file), .read)
        let format = try database.integer("PRAGMA user_version")
        guard format == JournalTables.format else {
            throw .foreignFormat(path: database.path, found: format, expected: JournalTables.format)
        }
        let tables = try JournalTables(database)
        try tables.enter()
        var memory = CardMemory(after: try opening.state(of: tables).merged)
        try opening.entries(of: tables, after: memory.through) { memory.take($0, at: $1) }
        progress = try opening.progress(of: tables)
        manifest = opening.manifest
        self.memory = memory
        self.tables = tables
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

    /// All messages that ever began in the shard, by number.
    func messages(of shard: Shard) throws(StorageError) -> [(number: MessageNumber, key: MessageKey)] {
        var all: [(number: MessageNumber, key: MessageKey)] = []
        let path = tables.database.path
        try tables.database.prepare("SELECT list FROM messages WHERE shard = ? ORDER BY last")
            .run(.integer(Int64(shard.number))) { row throws(StorageError) in
                do throws(WireError) { all += try FreshList.messages(row.blob(0)) } catch {
                    throw .damaged(path: path, error)
                }
            }
        for one in memory.fresh where one.shard == shard {
            do throws(WireError) { all.append((one.number, try CardKey.message(one.key.bytes))) } catch {
                throw .damaged(path: path, error)
            }
        }
        return all
    }
}
