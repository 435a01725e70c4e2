import Bytes
package import Names
import Pool
package import Wire

/// How much of a shard is kept. What is past any of the limits goes, first come first gone; readers are told, and a message that
/// changes later is laid out again.
package struct ShardRetention: Equatable, Sendable {
    /// Rows of messages that are older than so many milliseconds go.
    package var age: Int64?
    package var rows: Int?
    /// Of the file, without what is free in it.
    package var bytes: Int64?

    package init(age: Int64? = nil, rows: Int? = nil, bytes: Int64? = nil) {
        (self.age, self.rows, self.bytes) = (age, rows, bytes)
    }

    /// The part of one shard, where these are the limits of all shards together: conversations are spread evenly.
    package func divided(among shards: Int) -> ShardRetention {
        ShardRetention(
            age: age, rows: rows.map { max(1, $0 / shards) }, bytes: bytes.map { max(1, $0 / Int64(shards)) })
    }
}

extension SQLiteShard {
    /// Gives up a few rows that the limits do not allow, as whoever took the shard over last; see `evict`. When none is left, what was
    /// their space goes also from a file that was made without limits.
    package mutating func keep(within retention: ShardRetention, at now: Timestamp) throws(StorageError) -> Int {
        guard let adopted, retention != ShardRetention() else { return 0 }
        let count = try evict(retention, under: adopted, at: now)
        if count == 0 { _ = try shrink(under: adopted) }
        return count
    }

    /// Gives up the oldest rows that the limits do not allow, a few at a time, and space with them. Answers how many went: none
    /// when all is within the limits, or when a higher epoch is there.
    package mutating func evict(
        _ retention: ShardRetention, under epoch: LeaseEpoch, at now: Timestamp, limit: Int = 256
    ) throws(StorageError) -> Int {
        try locked { (shard) throws(StorageError) in
            let count = try shard.inTransaction { (shard) throws(StorageError) -> Int in
                guard try shard.isHeld(under: epoch) else { return 0 }
                return try shard.evictNow(retention, now, limit)
            }
            if count > 0 { try shard.takeCare() }
            return count
        }
    }

    private mutating func evictNow(
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

    /// How many rows are too many, by number or by size.
    private func excess(_ retention: ShardRetention, _ limit: Int) throws(StorageError) -> Int {
        var excess = 0
        if let most = retention.rows {
            excess =
                Int(
                    try tables.database.integer(
                        "SELECT (SELECT count(*) FROM places) + (SELECT count(*) FROM temp.recent)")) - most
        }
        if let most = retention.bytes {
            let pages = try tables.database.integer("PRAGMA page_count")
            let free = try tables.database.integer("PRAGMA freelist_count")
            if (pages - free) * Int64(tables.database.pageSize) > most { excess = max(excess, limit) }
        }
        return excess
    }
}
