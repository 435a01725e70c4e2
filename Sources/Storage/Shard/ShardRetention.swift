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
            let count = try shard.inTransaction { (rows) throws(StorageError) -> Int in
                guard try rows.isHeld(under: epoch) else { return 0 }
                return try rows.evict(retention, now, limit)
            }
            if count > 0 { try shard.takeCare() }
            return count
        }
    }
}
