import Bytes
import Names
import Pool
import Wire

extension ShardRows {
    mutating func evict(
        _ retention: ShardRetention, _ now: Timestamp, _ limit: Int
    ) throws(StorageError) -> Int {
        var excess = try excess(retention, limit)
        var rows: [(number: Int64, job: Int64, head: [UInt8])] = []
        tables.oldestRows.bind(Int64(limit), at: 1)
        try tables.oldestRows.each { row in
            rows.append((row.integer(0), row.integer(1), row.blob(2)))
            return true
        }
        var list = [UInt8]()
        var count: Int64 = 0
        for row in rows {
            let number = MessageNumber(row.number)
            let head: RowHead?
            do throws(ByteError) {
                head = try RowHead(row.head, number, JobNumber(UInt64(bitPattern: row.job)))
            } catch {
                head = nil
            }
            let isOld = head.flatMap { head in
                // Times are a backend's: the difference of two may not fit an integer.
                retention.age.map { head.facts.time.milliseconds < now.milliseconds - $0 }
            }
            guard excess > 0 || isOld ?? false else { break }
            excess -= 1
            try tables.dropRow.run(.integer(row.number))
            try tables.putTombstone.run(.integer(row.number), .integer(row.job))
            try tables.setEvicted.run(.integer(row.number))
            try noteGivenUp(number)
            care.noteRemoval()
            guard let head else { continue }
            try dropPlace(number, head)
            ChangeEntry(
                kind: .evicted, conversation: head.conversation, number: number, message: head.message,
                order: head.facts.order
            ).write(to: &list)
            count += 1
        }
        standing.stamp = try note(list, count)
        try tables.database.execute("PRAGMA incremental_vacuum(256)")
        return Int(count)
    }

    /// The number of rows that are too many, by number or by size.
    private func excess(_ retention: ShardRetention, _ limit: Int) throws(StorageError) -> Int {
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
