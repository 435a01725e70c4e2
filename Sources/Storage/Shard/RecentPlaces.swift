import Bytes
import Names
import Wire

/// The places of new rows, which are not in the table `places` yet: in the memory of each connection, as its table `temp.recent`, so that
/// one query finds both. It is made of the change log, which has them anyway, and follows it; what was read of other conversations than those
/// that are asked for waits, as it costs the most to put it into the table.
struct RecentPlaces: ~Copyable {
    private static let schema = """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP TABLE recent (
            number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, position INTEGER NOT NULL, message BLOB NOT NULL,
            UNIQUE (conversation, position, message))
        """

    /// What the table stands for.
    private struct Standing: Equatable {
        var origin: ShardOrigin
        var generation: Generation
        var stamp: Stamp
        var merge: PlaceMerge
    }

    private let path: String
    private let isMerged: Statement
    /// Nil for a file of before, which has all places in its table.
    private var merge: Statement?
    private let changes: Statement
    private let put: Statement
    private let drop: Statement
    private let dropPlace: Statement
    private let dropPlaced: Statement
    private let clear: Statement
    /// Nil where all is to be read anew.
    private var standing: Standing?
    /// By conversation, which a message stays in, changes that are not in the table yet.
    private var waiting: [Int64: [ChangeEntry]] = [:]

    /// How far places were merged at the last look, or by this connection since.
    var merged: PlaceMerge { standing?.merge ?? .complete }

    /// To be made before any query is prepared that names the table.
    static func create(in database: borrowing Database) throws(StorageError) { try database.execute(schema) }

    init(_ database: borrowing Database) throws(StorageError) {
        let isMerged = try database.prepare("SELECT count(*) FROM main.sqlite_master WHERE name = 'placing'")
        let changes = try database.prepare("SELECT stamp, list FROM changes WHERE stamp > ? ORDER BY stamp")
        let put = try database.prepare("REPLACE INTO temp.recent VALUES (?4, ?1, ?2, ?3)")
        let drop = try database.prepare("DELETE FROM temp.recent WHERE number = ?")
        let dropPlace = try database.prepare(
            "DELETE FROM temp.recent WHERE conversation = ?1 AND position = ?2 AND message = ?3 RETURNING number")
        let dropPlaced = try database.prepare(
            "DELETE FROM temp.recent WHERE number <= ?1 OR number <= ?2 AND conversation <= ?3")
        let clear = try database.prepare("DELETE FROM temp.recent")
        path = database.path
        self.isMerged = isMerged
        merge = nil
        self.changes = changes
        self.put = put
        self.drop = drop
        self.dropPlace = dropPlace
        self.dropPlaced = dropPlaced
        self.clear = clear
    }

    /// Reads what came since the last look. The table is what it is at this moment for conversations that are settled then.
    mutating func follow(
        _ database: borrowing Database, _ origin: ShardOrigin, _ generation: Generation, _ stamp: Stamp
    ) throws(StorageError) {
        // Whoever writes an older file may bring it to this format while it is read.
        if merge == nil, try isMerged.first({ row in row.integer(0) }) == 1 {
            merge = try database.prepare(PlaceMerge.query)
        }
        let merge = try merge?.first { row in PlaceMerge(row) } ?? .complete
        let now = Standing(origin: origin, generation: generation, stamp: stamp, merge: merge)
        guard now != standing else { return }
        var start: Int64?
        if let standing, standing.origin == origin, standing.generation == generation, standing.stamp <= stamp,
            standing.merge.placed == merge.placed
        {
            start = Int64(bitPattern: standing.stamp.number)
            if standing.merge != merge { try dropPlaced(by: merge) }
        }
        // Whatever fails from here on leaves a table that stands for nothing.
        standing = nil
        if start == nil {
            waiting.removeAll(keepingCapacity: true)
            try clear.run()
        }
        if merge.placed != .max { try read(after: start ?? merge.since.stamp) }
        standing = now
    }

    /// Nothing is known of the table any more: a transaction that changed it came to nothing.
    mutating func forget() { standing = nil }

    private mutating func read(after stamp: Int64) throws(StorageError) {
        var read: [ChangeEntry] = []
        changes.bind(stamp, at: 1)
        try changes.each { (row) throws(StorageError) in
            do throws(ByteError) {
                read += try ChangeEntry.list(row.blob(1))
            } catch {
                throw .corrupt(path: path, "its change log cannot be read: \(error)")
            }
            return true
        }
        for entry in read { waiting[entry.conversation, default: []].append(entry) }
    }

    /// Puts into the table what is known of a conversation.
    mutating func settle(_ conversation: Int64) throws(StorageError) {
        guard let entries = waiting.removeValue(forKey: conversation) else { return }
        // Whatever fails leaves some of them in neither.
        let known = standing
        standing = nil
        for entry in entries { try take(entry, known?.merge ?? .complete) }
        standing = known
    }

    mutating func settleAll() throws(StorageError) {
        for conversation in Array(waiting.keys) { try settle(conversation) }
    }

    private func take(_ entry: ChangeEntry, _ merge: PlaceMerge) throws(StorageError) {
        let number = entry.number.number
        let isRow = entry.kind == .laidOut || entry.kind == .touched
        if isRow, !merge.isPlaced(number, in: entry.conversation) {
            return try put(number, entry.conversation, entry.order, entry.message)
        }
        if number > merge.placed { try remove(number) }
        // Where two rows claim one place, the later one has it.
        if isRow { try remove(entry.conversation, entry.order, entry.message) }
    }

    private func dropPlaced(by merge: PlaceMerge) throws(StorageError) {
        dropPlaced.bind(merge.placed, at: 1)
        dropPlaced.bind(merge.target, at: 2)
        dropPlaced.bind(merge.conversation, at: 3)
        try dropPlaced.run()
    }

    func put(_ number: Int64, _ conversation: Int64, _ order: Int64, _ message: MessageID) throws(StorageError) {
        put.bind(conversation, at: 1)
        put.bind(order, at: 2)
        put.bind(utf8: message.text, at: 3)
        put.bind(number, at: 4)
        try put.run()
    }

    func remove(_ number: Int64) throws(StorageError) {
        drop.bind(number, at: 1)
        try drop.run()
    }

    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ conversation: Int64, _ order: Int64, _ message: MessageID) throws(StorageError) -> Bool {
        dropPlace.bind(conversation, at: 1)
        dropPlace.bind(order, at: 2)
        dropPlace.bind(utf8: message.text, at: 3)
        return try dropPlace.first { _ in true } ?? false
    }

    /// This connection has merged so far.
    mutating func take(_ merge: PlaceMerge) throws(StorageError) {
        try dropPlaced(by: merge)
        standing?.merge = merge
    }

    /// All that this connection itself has written is in the table, too.
    mutating func note(_ stamp: Stamp) { standing?.stamp = stamp }
}

extension RecentPlaces {
    /// A query of both tables of places, in the order of its first two columns, position and message.
    static func query(isDescending: Bool = false, of query: (_ table: String) -> String) -> String {
        let order = isDescending ? " DESC" : ""
        return "\(query("places")) UNION ALL \(query("temp.recent")) ORDER BY 1\(order), 2\(order)"
    }
}
