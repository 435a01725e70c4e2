import Bytes
import Names
import Pool
import Wire

/// The content of the file of one shard, as its transactions change it: rows and their places,
/// blocks, tombstones, and the change log that tells readers.
///
/// `SQLiteShard` has it changed under its lock and its epoch, one transaction after the other. All
/// that is remembered here of the file is forgotten when one of them comes to nothing.
struct ShardRows: ~Copyable {
    let place: ShardPlace
    let settings: ShardSettings
    /// The id of this start of the machine.
    let boot: String
    var tables: ShardTables
    var numbers = KnownNumbers()
    var sealing: RowSealing
    /// The standing of the file at the beginning of the last transaction, with its changes.
    var standing: ShardTables.Standing
    var care = ShardCare()
    var eviction = EvictionLook()
    /// The number of unavailable messages; nil where that is to be counted.
    var lostRows: Int?

    init(
        _ tables: consuming ShardTables, _ place: ShardPlace, _ settings: ShardSettings, boot: String
    ) throws(StorageError) {
        standing = try tables.readStanding()
        self.tables = tables
        (self.place, self.settings, self.boot) = (place, settings, boot)
        sealing = RowSealing(place, settings)
    }

    /// Turns to a file that was opened anew.
    mutating func turn(to tables: consuming ShardTables) throws(StorageError) {
        self.tables = tables
        forgetNumbers()
        standing = try self.tables.readStanding()
    }

    /// Reads the standing of the file, at the beginning of a transaction.
    mutating func look() throws(StorageError) {
        standing = try tables.readStanding()
        try tables.recent.follow(tables.database, standing.origin, standing.generation, standing.stamp)
    }

    mutating func commit() throws(StorageError) {
        try tables.database.commit()
        tables.recent.note(standing.stamp)
    }

    /// Rolls the transaction back: conversations and roles that were new in it have no number.
    mutating func rollBack() throws(StorageError) {
        forgetNumbers()
        try tables.database.rollBack()
    }

    private mutating func forgetNumbers() {
        tables.recent.forget()
        lostRows = nil
        numbers.removeAll()
        sealing.rollBack()
    }

    /// Forgets what is remembered, as the shard is taken over: others may have written meanwhile.
    mutating func adopt() {
        sealing.adopt()
        lostRows = nil
    }

    /// Whether no worker has a higher epoch; from then on, none with a lower one writes. To be asked in a transaction.
    mutating func isHeld(under epoch: LeaseEpoch) throws(StorageError) -> Bool {
        guard standing.epoch <= epoch else { return false }
        if standing.epoch < epoch || standing.boot != boot {
            try tables.set(epoch, boot: boot)
            (standing.epoch, standing.boot) = (epoch, boot)
        }
        return true
    }
}

extension ShardRows {
    /// Applies the changes and notes them under one new stamp, which it returns; the last one where nothing changes.
    mutating func write(_ changes: [ShardChange]) throws(StorageError) -> Stamp {
        try sealing.noteWriting(in: tables)
        var list = [UInt8](capacity: 48 * changes.count)
        var count: Int64 = 0
        for change in changes {
            guard let entry = try apply(change) else { continue }
            entry.write(to: &list)
            count += 1
        }
        return try note(list, count)
    }

    /// Notes changes in the change log, for readers and for recent places.
    /// - Returns: the stamp of it all.
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

    /// Drops changes that are older than readers are told of, with their tombstones. The newest is
    /// always kept, as it has the stamp, and so are those whose places are still to be merged.
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
