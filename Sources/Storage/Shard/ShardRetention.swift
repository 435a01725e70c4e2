import Bytes
package import Names
import Pool
package import Wire

/// The limits within which a shard is kept. Rows that are past any of them go, first come first
/// gone; readers are told, and a message that changes later is laid out again.
package struct ShardRetention: Equatable, Sendable {
    /// The age in milliseconds past which rows of messages go.
    package var age: Int64?
    package var rows: Int?
    /// Bytes of the file, without its free pages.
    package var bytes: Int64?

    package init(age: Int64? = nil, rows: Int? = nil, bytes: Int64? = nil) {
        (self.age, self.rows, self.bytes) = (age, rows, bytes)
    }

    /// The share of one shard in the limits of all shards together, as conversations are spread evenly.
    package func divided(among shards: Int) -> ShardRetention {
        ShardRetention(
            age: age, rows: rows.map { max(1, $0 / shards) }, bytes: bytes.map { max(1, $0 / Int64(shards)) })
    }
}

extension SQLiteShard {
    /// Gives up a few rows that the limits do not allow, as the worker that took the shard over last; see
    /// `evict`. When none is left, their space is given back also from a file that was made without limits.
    package mutating func keep(within retention: ShardRetention, at now: Timestamp) throws(StorageError) -> Int {
        guard let adopted, retention != ShardRetention() else { return 0 }
        let count = try evict(retention, under: adopted, at: now)
        if count == 0 { _ = try shrink(under: adopted) }
        return count
    }

    /// Gives up the oldest rows that the limits do not allow, a few at a time, and space with them.
    /// Returns how many went: none when all is within the limits, or when there is a higher epoch.
    package mutating func evict(
        _ retention: ShardRetention, under epoch: LeaseEpoch, at now: Timestamp, limit: Int = 256
    ) throws(StorageError) -> Int {
        let count = try locked { (shard) throws(StorageError) -> Int in
            let count = try shard.inTransaction { (rows) throws(StorageError) -> Int in
                guard try rows.isHeld(under: epoch) else { return 0 }
                return try rows.evict(retention, now, limit)
            }
            if count > 0 { try shard.takeCare() }
            return count
        }
        if count > 0 { try settleAside() }
        return count
    }
}
