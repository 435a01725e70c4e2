import Bytes
import Pool
import Wire

/// The number of messages in each shard whose content was forgotten when its time was over: their
/// layouts are all that is left.
///
/// They are counted as content goes and as such messages are edited or deleted, so that nobody has to look for
/// them. A build that does not count may have had the journal since: then they are counted anew, card by card.
struct ForgottenContent: Equatable {
    /// The schema of the table, which a journal of an earlier build gets with its next opening.
    static let schema = """
        CREATE TABLE IF NOT EXISTS forgotten (
            id INTEGER PRIMARY KEY CHECK (id = 1), term INTEGER NOT NULL, counts BLOB NOT NULL);
        """

    private(set) var counts: [Int]
    /// The first entry that is not counted.
    private(set) var next = LogPosition(.max)

    init(shards: Int) { counts = Array(repeating: 0, count: shards) }

    mutating func add(_ changes: [Int: Int]) {
        for (shard, change) in changes where counts.indices.contains(shard) {
            counts[shard] = max(0, counts[shard] + change)
        }
    }

    /// The counts that the last opening left; nil where it did not count.
    init?(of term: UInt64, shards: Int, in database: borrowing Database) throws(StorageError) {
        self.init(shards: shards)
        let found = try database.prepare("SELECT term, counts FROM forgotten").first { row in
            (UInt64(bitPattern: row.integer(0)), row.blob(1))
        }
        guard let (known, bytes) = found, known == term else { return nil }
        var reader = PackedReader(bytes)
        do throws(ByteError) {
            for shard in counts.indices { counts[shard] = Int(clamping: try reader.number()) }
            // The counts of a build whose log was a table had all of its entries.
            if !reader.isAtEnd { next = LogPosition(try reader.signed()) }
        } catch {
            return nil
        }
    }

    /// Writes the counts, in the caller's transaction.
    /// - Parameter next: the first entry that is not counted.
    func write(_ term: UInt64, next: LogPosition, to database: borrowing Database) throws(StorageError) {
        var writer = [UInt8]()
        for count in counts { writer.number(count) }
        writer.signed(next.number)
        try database.prepare("REPLACE INTO forgotten VALUES (1, ?, ?)").run(
            .integer(Int64(bitPattern: term)), .blob(writer))
    }
}

extension ForgottenContent {
    /// The counts of the opening before; where it has none, the cards in the tables are counted.
    /// - Parameters:
    ///   - expired: the entry up to which content is gone, but for that of messages that were not complete.
    ///   - keeps: whether the log has a body.
    static func opened(
        _ term: UInt64, shards: Int, merged: LogPosition, expired: LogPosition, in tables: borrowing JournalTables,
        keeps: (LogPosition) throws(StorageError) -> Bool
    ) throws(StorageError) -> ForgottenContent {
        if let known = try ForgottenContent(of: term - 1, shards: shards, in: tables.database) { return known }
        var content = ForgottenContent(shards: shards)
        content.next = LogPosition(merged.number + 1)
        guard expired >= LogPosition(0) else { return content }
        let path = tables.database.path
        let mayLinger = try tables.database.integer("SELECT EXISTS (SELECT 1 FROM lingering)") != 0
        var counts: [Int: Int] = [:]
        try tables.database.prepare("SELECT key, card FROM cards").run { row throws(StorageError) in
            let (key, stored) = try Self.card(row, path)
            guard let body = stored.body, body <= expired else { return }
            var isKept = false
            if mayLinger { isKept = try keeps(body) }
            if !isKept { counts[Int(Shard(of: key.conversation, among: shards).number), default: 0] += 1 }
        }
        content.add(counts)
        return content
    }

    private static func card(
        _ row: Statement.Row, _ path: String
    ) throws(StorageError) -> (key: MessageKey, card: StoredCard) {
        do throws(ByteError) {
            return (try CardKey.message(row.blob(0)), try StoredCard(decoding: row.blob(1)))
        } catch {
            throw .damaged(path: path, error)
        }
    }
}
