import Names
import Pool
import Wire

extension ShardRows {
    mutating func evict(
        _ retention: ShardRetention, _ now: Timestamp, _ limit: Int
    ) throws(StorageError) -> Int {
        var excess = try EvictionLook.excess(retention, limit, in: tables)
        // Times are a backend's: the difference of two may not fit an integer.
        let oldest = retention.age.map { now.milliseconds - $0 }
        var list = [UInt8]()
        var count: Int64 = 0
        for row in try EvictionLook.first(limit, in: tables) {
            guard excess > 0 || row.isOlder(than: oldest) else { break }
            excess -= 1
            try tables.setEvicted.run(.integer(row.number.number))
            count += try giveUp(row, &list)
        }
        if let oldest {
            for row in try eviction.older(than: oldest, among: limit, in: tables) { count += try giveUp(row, &list) }
        }
        standing.stamp = try note(list, count)
        try tables.database.execute("PRAGMA incremental_vacuum(256)")
        return Int(count)
    }

    /// - Returns: the number of changes that readers are to be told: 1 or 0.
    private mutating func giveUp(_ row: EvictionLook.Row, _ list: inout [UInt8]) throws(StorageError) -> Int64 {
        try tables.dropRow.run(.integer(row.number.number))
        try tables.putTombstone.run(.integer(row.number.number), .integer(Int64(bitPattern: row.job.number)))
        try noteGivenUp(row.number)
        care.noteRemoval(of: row.number)
        guard let head = row.head else { return 0 }
        try dropPlace(row.number, head)
        ChangeEntry(
            kind: .evicted, conversation: head.conversation, number: row.number, message: head.message,
            order: head.facts.order
        ).write(to: &list)
        return 1
    }
}
