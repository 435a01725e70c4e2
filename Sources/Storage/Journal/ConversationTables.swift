import Bytes
import Names
import Pool
import Wire

/// The tables of conversations that merges write: one of conversations by name, and one of how far
/// each reader has read.
enum ConversationTables {
    /// The schema of the tables, which a journal of an earlier build gets with its next opening.
    static let schema = """
        CREATE TABLE IF NOT EXISTS conversations (
            name BLOB PRIMARY KEY, activity INTEGER, card BLOB, last INTEGER) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS readings (
            reader BLOB NOT NULL, conversation BLOB NOT NULL, upto INTEGER NOT NULL,
            PRIMARY KEY (reader, conversation)) WITHOUT ROWID;
        """

    static func exist(in database: borrowing Database) throws(StorageError) -> Bool {
        try database.integer("SELECT count(*) FROM sqlite_master WHERE name IN ('conversations', 'readings')") == 2
    }

    /// Nil in a journal of an earlier build.
    static func questions(to tables: borrowing JournalTables) throws(StorageError) -> Questions? {
        guard try exist(in: tables.database) else { return nil }
        return try Questions(tables)
    }

    /// The questions that are asked about one conversation after another.
    struct Questions: ~Copyable {
        private let findCard: Statement
        private let findPlace: Statement
        private let path: String

        fileprivate init(_ tables: borrowing JournalTables) throws(StorageError) {
            let findCard = try tables.database.prepare(
                "SELECT card, last FROM conversations WHERE name = ? AND card IS NOT NULL")
            let findPlace = try tables.database.prepare(
                "SELECT upto FROM readings WHERE reader = ? AND conversation = ?")
            self.findCard = findCard
            self.findPlace = findPlace
            path = tables.database.path
        }

        func card(of id: ConversationID) throws(StorageError) -> (card: ConversationCard, last: LogPosition)? {
            findCard.bind(utf8: id.text, at: 1)
            return try findCard.first { (row) throws(StorageError) in
                (card: try ConversationTables.card(row.blob(0), path), last: LogPosition(row.integer(1)))
            }
        }

        func readPlace(_ key: ReadingKey) throws(StorageError) -> Int64? {
            findPlace.bind(utf8: key.reader.text, at: 1)
            findPlace.bind(utf8: key.conversation.text, at: 2)
            return try findPlace.first { row in row.integer(0) }
        }
    }

    /// The times at which something was last said in conversations, of those in which anything was.
    static func activity(
        of names: some Collection<ConversationID>, in database: borrowing Database
    ) throws(StorageError) -> [ConversationID: Int64] {
        guard !names.isEmpty, try exist(in: database) else { return [:] }
        let find = try database.prepare("SELECT activity FROM conversations WHERE name = ? AND activity IS NOT NULL")
        var found: [ConversationID: Int64] = [:]
        for name in names {
            find.bind(utf8: name.text, at: 1)
            found[name] = try find.first { row in row.integer(0) }
        }
        return found
    }

    static func card(_ bytes: [UInt8], _ path: String) throws(StorageError) -> ConversationCard {
        do throws(ByteError) {
            var reader = PackedReader(bytes)
            return try ConversationCard(from: &reader)
        } catch {
            throw .damaged(path: path, error)
        }
    }

    /// Fills the table in a journal from before there was one: its conversations are in the order
    /// in which their newest bodies came, and active on the days of these.
    static func takeAlong(_ database: borrowing Database) throws(StorageError) {
        var newest: [ConversationID: Int64] = [:]
        let path = database.path
        try database.prepare("SELECT key, card FROM cards").run { row throws(StorageError) in
            do throws(ByteError) {
                let conversation = try CardKey.message(row.blob(0)).conversation
                let place = try StoredCard(decoding: row.blob(1)).body?.number ?? -1
                newest[conversation] = max(newest[conversation] ?? -1, place)
            } catch {
                throw .damaged(path: path, error)
            }
        }
        guard !newest.isEmpty else { return }
        var days: [(day: Int64, first: Int64)] = []
        try database.prepare("SELECT day, position FROM days ORDER BY day").run { row in
            days.append((row.integer(0), row.integer(1)))
        }
        let put = try database.prepare("INSERT OR IGNORE INTO conversations VALUES (?, ?, NULL, NULL)")
        for (conversation, place) in newest.sorted(by: { $0.key < $1.key }) {
            put.bind(utf8: conversation.text, at: 1)
            let day = days.last { $0.first <= place }
            put.bind((day?.day ?? 0) * 86_400_000 + min(max(0, place - (day?.first ?? 0)), 86_399_999), at: 2)
            try put.run()
        }
    }
}

/// The part of a merge that goes into these tables, in the order of their keys.
struct ConversationMerge {
    private let notes: ConversationNotes
    private let conversations: [ConversationID]
    private let readings: [ReadingKey]

    init(_ notes: ConversationNotes) {
        self.notes = notes
        conversations = notes.standings.keys.sorted()
        readings = notes.readings.keys.sorted { ($0.reader, $0.conversation) < ($1.reader, $1.conversation) }
    }

    var count: Int { conversations.count + readings.count }

    /// Writes a range of them, in the caller's transaction. Idempotent.
    func write(_ places: Range<Int>, into database: borrowing Database) throws(StorageError) {
        let first = places.clamped(to: 0..<conversations.count)
        if !first.isEmpty { try write(conversations[first], into: database) }
        guard places.upperBound > conversations.count else { return }
        let start = max(0, places.lowerBound - conversations.count)
        try write(readings[start..<(places.upperBound - conversations.count)], into: database)
    }

    private func write(
        _ conversations: ArraySlice<ConversationID>, into database: borrowing Database
    ) throws(StorageError) {
        let put = try database.prepare(
            """
            INSERT INTO conversations VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO UPDATE SET
            activity = max(ifnull(activity, ?2), ifnull(?2, activity)), card = ifnull(?3, card), last = ifnull(?4, last)
            """)
        for conversation in conversations {
            let standing = notes.standings[conversation]!
            put.bind(utf8: conversation.text, at: 1)
            if let activity = standing.activity { put.bind(activity, at: 2) } else { put.bindNothing(at: 2) }
            if let card = standing.card, let last = standing.last {
                var writer = [UInt8]()
                card.write(to: &writer)
                put.bind(writer, at: 3)
                put.bind(last.number, at: 4)
            } else {
                put.bindNothing(at: 3)
                put.bindNothing(at: 4)
            }
            try put.run()
        }
    }

    private func write(_ readings: ArraySlice<ReadingKey>, into database: borrowing Database) throws(StorageError) {
        let put = try database.prepare("REPLACE INTO readings VALUES (?, ?, ?)")
        // A conversation is in the list though nothing but a reading place may be known of it.
        let list = try database.prepare("INSERT OR IGNORE INTO conversations VALUES (?, NULL, NULL, NULL)")
        for key in readings {
            list.bind(utf8: key.conversation.text, at: 1)
            try list.run()
            put.bind(utf8: key.reader.text, at: 1)
            put.bind(utf8: key.conversation.text, at: 2)
            put.bind(notes.readings[key]!, at: 3)
            try put.run()
        }
    }
}
