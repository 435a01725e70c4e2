import Bytes
package import Names
package import Pool
package import Wire

extension SQLiteShard: ShardStore {
    package mutating func adopt(_ epoch: LeaseEpoch) throws(StorageError) -> Stamp? {
        try locked { (shard) throws(StorageError) in
            // The log of another worker may still have content that was deleted.
            if shard.logBytes > 0 {
                shard.rows.care.noteLongAgo()
                try shard.noteDeletions()
                try shard.purge(patience: 10)
            }
            let stamp = try shard.inTransaction { (rows) throws(StorageError) -> Stamp? in
                guard try rows.isHeld(under: epoch) else { return nil }
                rows.adopt()
                return rows.standing.stamp
            }
            if stamp != nil { (shard.adopted, shard.adoptedOrigin) = (epoch, shard.origin) }
            return stamp
        }
    }

    package mutating func commit(
        _ changes: [ShardChange], under epoch: LeaseEpoch
    ) throws(StorageError) -> Stamp? {
        let stamp = try locked { (shard) throws(StorageError) -> Stamp? in
            let size = shard.logBytes
            if size >= shard.settings.logLimit {
                let isEmpty = try shard.lock.emptyLog(of: shard.rows.tables.database)
                guard isEmpty else { throw .logTooLong(path: shard.place.path, bytes: size) }
            }
            let adopted = shard.adoptedOrigin
            let stamp = try shard.inTransaction { (rows) throws(StorageError) -> Stamp? in
                guard try rows.isHeld(under: epoch), adopted == nil || adopted == rows.standing.origin else {
                    return nil
                }
                return try rows.write(changes)
            }
            if shard.rows.isMergingBehind {
                try shard.inTransaction { (rows) throws(StorageError) in try rows.mergeSome() }
            }
            try shard.takeCare()
            return stamp
        }
        // Without the lock, as the first look at a large file takes seconds.
        if stamp != nil { try settleAside() }
        return stamp
    }

    package mutating func storedKey(of message: MessageNumber) throws(StorageError) -> [UInt8]? {
        guard message.number <= rows.standing.lastNumber else { return nil }
        return try read { (rows) throws(StorageError) in try (rows.row(message)?.head?.key).map { Array($0) } }
    }

    package mutating func unavailable() throws(StorageError) -> Int {
        try read { (rows) throws(StorageError) in try rows.unavailable() }
    }

    /// Reads something without the lock. Damage that is met marks the file as suspect, as damage that readers meet
    /// does: only within `locked` it is put aside at once.
    private mutating func read<Value>(
        _ body: (inout ShardRows) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        do throws(StorageError) {
            return try body(&rows)
        } catch .corrupt(let path, let reason) {
            place.suspect()
            throw .corrupt(path: path, reason)
        }
    }

    package mutating func sync() throws(StorageError) -> ShardPoint {
        if !areFilesInPlace { try locked { _ in } }
        var disk = try ShardSync(place, settings)
        do throws(StorageError) {
            return try disk.sync()
        } catch {
            news += disk.news
            throw error
        }
    }
}
