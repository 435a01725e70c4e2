import Bytes
package import Names
package import Wire

/// A reader of the file that has a shard, which writes nothing. Writers are never kept waiting, and
/// every answer is of one moment.
///
/// Where it finds damage, or less than was noted with the last commit, it marks the file as suspect
/// (`ShardPlace`), and the file's worker checks it.
///
/// The file may be put aside and begun anew while this reads. That is noticed at the next question,
/// and answered from the new file; a question for changes is then answered with `resync`.
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
        let place = try ShardPlace(with: shard, of: edition, in: folder)
        let tables = try Self.open(place, cache)
        (self.place, self.cache) = (place, cache)
        self.tables = tables
    }

    private static func open(_ place: ShardPlace, _ cache: Int) throws(StorageError) -> ReadTables {
        do throws(StorageError) {
            for _ in 0..<Self.attempts {
                // The mark is written after each commit: files that are whole hold at least so much.
                let mark = ShardLock.mark(of: place)
                let tables = try ReadTables.open(place, cache: cache)
                // Where log or index is gone, later commits may not be seen: the worker makes them anew.
                if !tables.files.areComplete { place.suspect() }
                guard let mark else { return tables }
                let standing = try tables.standing()
                if standing.origin == mark.origin, standing.stamp >= mark.stamp, try tables.database.holds(mark) {
                    return tables
                }
                // Or a worker wrote meanwhile.
            }
            throw .corrupt(path: place.path, "commits are gone, until all is laid out again")
        } catch {
            if case .corrupt = error { place.suspect() }
            // The mark says that the file was there.
            guard case .absent = error, ShardLock.isKnown(place) else { throw error }
            place.suspect()
            throw .corrupt(path: place.path, "it is gone, until all is laid out again")
        }
    }

    private static let attempts = 3

    /// Runs `body`, all of whose reads see the file as it was at the first of them.
    mutating func atOneMoment<Result>(
        _ body: (inout ShardReader, ReadTables.Standing) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        if !tables.areInPlace(place) { try reopen() }
        let damagedBefore = damaged
        do throws(StorageError) {
            try tables.database.beginToRead()
            let result = try body(&self, try tables.standing())
            try tables.database.commit()
            if damaged > damagedBefore { place.suspect() }
            return result
        } catch {
            if case .corrupt = error { place.suspect() }
            tables.recent.forget()
            try tables.database.rollBack()
            throw error
        }
    }

    private mutating func reopen() throws(StorageError) {
        tables = try Self.open(place, cache)
        numbers.removeAll()
        names.removeAll()
    }

    /// The origin of the file: another one when the shard was lost and begun anew.
    package mutating func origin() throws(StorageError) -> ShardOrigin {
        try atOneMoment { _, standing in standing.origin }
    }

    /// The origin of the file, and whether it has a row of the message, sound or not.
    package mutating func file(
        with message: MessageNumber
    ) throws(StorageError) -> (origin: ShardOrigin, hasRow: Bool) {
        try atOneMoment { (reader, standing) throws(StorageError) in
            reader.tables.row.bind(message.number, at: 1)
            return (standing.origin, try reader.tables.row.first { _ in true } ?? false)
        }
    }

    /// The place of a reader that has read everything.
    package mutating func cursor() throws(StorageError) -> Cursor {
        try atOneMoment { _, standing in standing.cursor }
    }

    /// The place of a reader that has read nothing.
    package mutating func start() throws(StorageError) -> Cursor {
        try atOneMoment { _, standing in Cursor(generation: standing.generation, stamp: .zero) }
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
        do throws(ByteError) {
            let name = try ConversationID(bytes ?? "")
            if names.count >= 8192 { names.removeAll() }
            names[number] = name
            return name
        } catch {
            throw .damaged(path: place.path, error)
        }
    }
}
