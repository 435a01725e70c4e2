package import Pool
import Wire

/// Looks up messages by their names in a journal that somebody else writes, and changes nothing.
///
/// What was not merged yet is remembered from one look to the next, so that each reads only what has come since.
package struct CardReader: ~Copyable {
    private let opening: JournalOpening
    private let tables: JournalTables
    private var memory: CardMemory
    private var merged: LogPosition

    /// Throws `.absent` where there is no journal.
    package init(in folder: DataFolder) throws(StorageError) {
        let path = folder.file(JournalOpening.file)
        let database = try Database.open(path: path, .read)
        let format = try database.integer("PRAGMA user_version")
        guard format == JournalTables.format else {
            throw .foreignFormat(path: path, found: format, expected: JournalTables.format)
        }
        let opening = try JournalOpening(folder, JournalSettings())
        let tables = try JournalTables(database)
        let merged = try opening.state(of: tables).merged
        self.opening = opening
        self.tables = tables
        self.merged = merged
        memory = CardMemory(after: merged)
    }

    /// The message that a key leads to, over other ids that it has had; nil where there is none.
    package mutating func message(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        try tables.enter()
        do throws(StorageError) {
            try catchUp()
            let found = try find(key)
            try tables.database.commit()
            return found
        } catch {
            try tables.database.rollBack()
            throw error
        }
    }

    private mutating func catchUp() throws(StorageError) {
        let now = try opening.state(of: tables).merged
        if now != merged { memory = CardMemory(after: now) }
        merged = now
        // Entries are added to the last segment, so it is read again from where it begins.
        let through = memory.through.number
        let start = try tables.database.integer(
            "SELECT ifnull(max(first) - 1, \(through)) FROM log WHERE first <= \(through)")
        var own = CardMemory(after: memory.through)
        swap(&own, &memory)
        defer { swap(&own, &memory) }
        try opening.entries(of: tables, after: LogPosition(start)) { change, place in
            if place.number > own.through.number { own.take(change, at: place) }
        }
    }

    private func find(_ key: MessageKey) throws(StorageError) -> MessageCard? {
        var key = key
        for _ in 0..<8 {
            switch try entry(CardKey(key)) {
            case nil: return nil
            case .message(let card): return card
            case .alias(let other, _): key = MessageKey(key.conversation, other)
            }
        }
        return nil
    }

    private func entry(_ key: CardKey) throws(StorageError) -> CardEntry? {
        if let known = memory.cards[key] { return known.entry }
        return try tables.card(key)?.entry
    }
}
