package import Wire

/// Reads the file of one shard, and writes nothing. Writers are never kept waiting, and every answer is of one moment.
///
/// Where it finds damage it leaves word for whoever writes the file (`ShardPlace`), which then is looked over.
///
/// The file may be put aside and begun anew while this reads. That is noticed at the next question, and answered from the new
/// file; who asks for changes is then told to start anew.
package struct ShardReader: ~Copyable {
    package let place: ShardPlace
    /// Rows whose bytes were not what was stored; each was treated as missing.
    package internal(set) var damaged = 0

    let cache: Int
    var tables: ReadTables
    var numbers = ConversationNumbers()
    var names: [Int64: ConversationID] = [:]

    /// Throws `.absent` while no worker has stored anything.
    package init(
        _ shard: Shard, of edition: EditionID, in folder: DataFolder, cache: Int = 2 << 20
    ) throws(StorageError) {
        place = ShardPlace(shard, of: edition, in: folder)
        self.cache = cache
        tables = try Self.open(place, cache)
    }

    private static func open(_ place: ShardPlace, _ cache: Int) throws(StorageError) -> ReadTables {
        do throws(StorageError) {
            return try ReadTables.open(place, cache: cache)
        } catch {
            if case .corrupt = error { place.suspect() }
            throw error
        }
    }

    /// All reads of `body` see the file as it was at the first of them.
    mutating func atOneMoment<Result>(
        _ body: (inout ShardReader, ReadTables.Standing) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        if !tables.isInPlace(place) { try reopen() }
        let damagedBefore = damaged
        do throws(StorageError) {
            try tables.database.execute("BEGIN")
            let result = try body(&self, try tables.standing())
            try tables.database.commit()
            if damaged > damagedBefore { place.suspect() }
            return result
        } catch {
            if case .corrupt = error { place.suspect() }
            try tables.database.rollBack()
            throw error
        }
    }

    private mutating func reopen() throws(StorageError) {
        tables = try Self.open(place, cache)
        numbers.removeAll()
        names.removeAll()
    }

    /// Where a reader stands that has read everything.
    package mutating func cursor() throws(StorageError) -> Cursor {
        try atOneMoment { _, standing in standing.cursor }
    }

    func number(of conversation: ConversationID) throws(StorageError) -> Int64? {
        if let known = numbers[conversation] { return known }
        tables.findConversation.bind(utf8: conversation.text, at: 1)
        return try tables.findConversation.first { row in row.integer(0) }
    }

    mutating func name(of number: Int64) throws(StorageError) -> ConversationID {
        if let known = names[number] { return known }
        tables.nameConversation.bind(number, at: 1)
        let bytes = try tables.nameConversation.first { row in row.text(0) }
        do throws(WireError) {
            let name = try ConversationID(bytes ?? "")
            if names.count >= 8192 { names.removeAll() }
            names[number] = name
            return name
        } catch {
            throw .damaged(path: place.path, error)
        }
    }
}
