import Bytes
import Names
import Pool
import Record
import Wire

extension SQLiteShard {
    /// Whether `seal` has something to look at.
    package var isToSeal: Bool { adopted != nil && (rows.isToMerge || rows.sealing.isToLook(at: .now)) }

    /// The number of conversations of which a block is to be sealed.
    package var conversationsToSeal: Int { adopted == nil ? 0 : rows.sealing.waiting }

    /// Merges some places, if many are due; else seals one block, if a conversation has enough rows behind its sealed
    /// ones, or a block was torn a while ago. To be called when there is time, and now and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func seal(_ sealer: inout RowSealer) throws(StorageError) -> Bool {
        guard isToSeal else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (rows, sealer) throws(StorageError) in
            if rows.isToMerge { try rows.mergeSome() } else { try rows.sealing.sealNext(in: &rows.tables, &sealer) }
        }
        return isOurs && isToSeal
    }

    /// Runs work that nobody waits for in a transaction of its own. False where another worker has
    /// taken the shard over.
    mutating func whileNobodyWaits(
        _ sealer: inout RowSealer, _ body: (inout ShardRows, inout RowSealer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        guard let adopted, let origin = adoptedOrigin else { return false }
        // The caller's sealer is used through a value apart from the shard, which is changed meanwhile.
        var own = RowSealer(style: nil)
        swap(&own, &sealer)
        defer { swap(&own, &sealer) }
        let isOurs = try locked { (shard) throws(StorageError) -> Bool in
            let isOurs = try shard.inTransaction { (rows) throws(StorageError) in
                guard rows.standing.epoch == adopted, rows.standing.origin == origin else { return false }
                try body(&rows, &own)
                return true
            }
            try shard.takeCare()
            return isOurs
        }
        // It is looked at no more until it is taken over again, so that its turn goes to others.
        if !isOurs { self.adopted = nil }
        return isOurs
    }
}
