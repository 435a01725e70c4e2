import Bytes
package import Names
package import Pool
package import Wire

extension SQLiteShard: ShardStore {
    package mutating func adopt(_ epoch: LeaseEpoch) throws(StorageError) -> Stamp? {
        try locked { (shard) throws(StorageError) in
            // What others left in the log may have been deleted.
            _ = try shard.lock.emptyLog(of: shard.tables.database)
            return try shard.inTransaction { (shard) throws(StorageError) in
                guard try shard.isHeld(under: epoch) else { return nil }
                shard.sealing = SealingCare()
                shard.extended.forget()
                shard.lostRows = nil
                (shard.adopted, shard.adoptedOrigin) = (epoch, shard.standing.origin)
                return shard.standing.stamp
            }
        }
    }

    package mutating func commit(
        _ changes: [ShardChange], under epoch: LeaseEpoch
    ) throws(StorageError) -> Stamp? {
        try locked { (shard) throws(StorageError) in
            let size = shard.logBytes
            if size >= shard.settings.logLimit {
                let isEmpty = try shard.lock.emptyLog(of: shard.tables.database)
                guard isEmpty else { throw .logTooLong(path: shard.place.path, bytes: size) }
            }
            let stamp = try shard.inTransaction { (shard) throws(StorageError) -> Stamp? in
                guard try shard.isHeld(under: epoch), shard.adoptedOrigin.map({ $0 == shard.standing.origin }) ?? true
                else { return nil }
                return try shard.write(changes)
            }
            try shard.mergeIfBehind()
            try shard.takeCare()
            return stamp
        }
    }

    /// Whether nobody has a higher epoch; from then on, nobody with a lower one writes. To be asked in a transaction.
    mutating func isHeld(under epoch: LeaseEpoch) throws(StorageError) -> Bool {
        guard standing.epoch <= epoch else { return false }
        if standing.epoch < epoch || standing.boot != boot {
            try tables.set(epoch, boot: boot)
            (standing.epoch, standing.boot) = (epoch, boot)
        }
        return true
    }

    package mutating func storedKey(of message: MessageNumber) throws(StorageError) -> [UInt8]? {
        guard message.number <= standing.lastNumber else { return nil }
        return try (row(message)?.head?.key).map { Array($0) }
    }

    package mutating func sync() throws(StorageError) -> ShardPoint {
        if !areFilesInPlace { try locked { _ in } }
        var disk = try ShardSync(place, settings)
        return try disk.sync()
    }
}

extension SQLiteShard {
    /// Applies the changes and notes them under one new stamp; the last one where nothing changes.
    private mutating func write(_ changes: [ShardChange]) throws(StorageError) -> Stamp {
        try noteWriting()
        var list = [UInt8](capacity: 48 * changes.count)
        var count: Int64 = 0
        for change in changes {
            guard let entry = try apply(change) else { continue }
            entry.write(to: &list)
            count += 1
        }
        return try note(list, count)
    }

    mutating func note(_ list: [UInt8], _ count: Int64) throws(StorageError) -> Stamp {
        guard count > 0 else { return standing.stamp }
        standing.total += count
        standing.stamp.number += 1
        try forgetChanges()
        tables.putChanges.bind(Int64(bitPattern: standing.stamp.number), at: 1)
        tables.putChanges.bind(standing.total, at: 2)
        tables.putChanges.bind(list, at: 3)
        try tables.putChanges.run()
        return standing.stamp
    }

    /// Drops what is older than readers are told of, with its tombstones. The newest is always kept, as it has the stamp, and so are those
    /// that places are still to be merged of.
    private func forgetChanges() throws(StorageError) {
        let since = tables.recent.merged.since.stamp
        while true {
            let kept = standing.total - Int64(settings.changesKept)
            let oldest = try tables.oldestChanges.first { row in
                row.integer(1) < kept && row.integer(0) <= since ? (stamp: row.integer(0), list: row.blob(2)) : nil
            }
            guard let oldest = oldest.flatMap(\.self) else { return }
            for entry in try entries(oldest.list) where entry.kind == .removed || entry.kind == .evicted {
                tables.dropTombstone.bind(entry.number.number, at: 1)
                try tables.dropTombstone.run()
            }
            try tables.dropChanges.run(.integer(oldest.stamp))
        }
    }

    private func entries(_ list: [UInt8]) throws(StorageError) -> [ChangeEntry] {
        do throws(ByteError) {
            return try ChangeEntry.list(list)
        } catch {
            throw .corrupt(path: place.path, "its change log cannot be read: \(error)")
        }
    }
}
