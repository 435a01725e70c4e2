import Bytes
import Names
import Pool
import Wire

/// The look for rows that a shard is not to keep, a few at a time.
///
/// The rows of the lowest numbers are the first to go. Mostly they are the oldest, too; but a producer may post a
/// message whose time is far ahead, or long past, and a head may be damaged. So rows are also looked at for their age
/// alone, one stretch of numbers after the other and then from the start again: none keeps those behind it.
struct EvictionLook {
    /// The number from which rows are looked at for their age next.
    private var next = Int64.min

    struct Row {
        var number: MessageNumber
        var job: JobNumber
        /// Nil where it is damaged.
        var head: RowHead?

        /// Whether the message is from before a time, of which nil is before everything.
        func isOlder(than time: Int64?) -> Bool {
            guard let head, let time else { return false }
            return head.facts.time.milliseconds < time
        }
    }

    /// The rows of the lowest numbers.
    static func first(_ limit: Int, in tables: borrowing ShardTables) throws(StorageError) -> [Row] {
        try rows(from: .min, limit, in: tables)
    }

    /// The next rows that are from before a time, among so many.
    mutating func older(
        than time: Int64, among limit: Int, in tables: borrowing ShardTables
    ) throws(StorageError) -> [Row] {
        let rows = try Self.rows(from: next, limit, in: tables)
        next = rows.count < limit ? .min : rows.last.map { $0.number.number &+ 1 } ?? .min
        return rows.filter { $0.isOlder(than: time) }
    }

    private static func rows(
        from number: Int64, _ limit: Int, in tables: borrowing ShardTables
    ) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        tables.nextRows.bind(number, at: 1)
        tables.nextRows.bind(Int64(limit), at: 2)
        try tables.nextRows.each { row in
            let (number, job) = (MessageNumber(row.integer(0)), JobNumber(UInt64(bitPattern: row.integer(1))))
            var found = Row(number: number, job: job)
            do throws(ByteError) { found.head = try RowHead(row.blob(2), number, job) } catch {}
            rows.append(found)
            return true
        }
        return rows
    }

    /// The number of rows that are too many, by number or by size.
    static func excess(
        _ retention: ShardRetention, _ limit: Int, in tables: borrowing ShardTables
    ) throws(StorageError) -> Int {
        var excess = 0
        if let most = retention.rows {
            let placed = try tables.database.integer("SELECT count(*) FROM places")
            excess = Int(placed) + tables.recent.list.count - most
        }
        if let most = retention.bytes {
            let pages = try tables.database.integer("PRAGMA page_count")
            let free = try tables.database.integer("PRAGMA freelist_count")
            if (pages - free) * Int64(tables.database.pageSize) > most { excess = max(excess, limit) }
        }
        return excess
    }
}
