import Bytes
import Names
import Pool
import Record
import Wire

extension SQLiteShard {
    /// Whether `seal` has something to look at.
    package var isToSeal: Bool { adopted != nil && (rows.isToMerge || rows.sealing.isDue(at: .now)) }

    /// Merges some places, if many are to be; else seals one block, if enough rows of a conversation stand behind those that are sealed, or
    /// a block was torn a while ago: to be called when there is time, and now and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func seal(_ sealer: inout RowSealer) throws(StorageError) -> Bool {
        guard isToSeal else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (rows, sealer) throws(StorageError) in
            if rows.isToMerge { try rows.mergeSome() } else { try rows.sealNext(&sealer) }
        }
        return isOurs && isToSeal
    }

    /// Does what nobody waits for in a transaction of its own. False where it is not for us to do any more: somebody else has taken
    /// the shard over.
    mutating func whileNobodyWaits(
        _ sealer: inout RowSealer, _ body: (inout ShardRows, inout RowSealer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        guard let adopted, let origin = adoptedOrigin else { return false }
        // Out of the way of the shard, which is changed meanwhile.
        var own = RowSealer(style: nil)
        swap(&own, &sealer)
        defer { swap(&own, &sealer) }
        return try locked { (shard) throws(StorageError) in
            let isOurs = try shard.inTransaction { (rows) throws(StorageError) in
                guard rows.standing.epoch == adopted, rows.standing.origin == origin else { return false }
                try body(&rows, &own)
                return true
            }
            try shard.takeCare()
            return isOurs
        }
    }
}
