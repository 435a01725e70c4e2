import Pool
import Wire

// A file that was made while all rows were kept has no list of what its pages are for, and gives no
// space back step by step.
extension SQLiteShard {
    /// The most bytes in use of a file that is rewritten, as commits of it wait meanwhile.
    private static let mostRewritten: Int64 = 32 << 20

    /// Rewrites such a file, once, when half of it is free and what is left is little; from then on it gives space
    /// back as others do. A larger one gives it back with the next edition, whose files are made with the list.
    /// - Returns: whether it did.
    mutating func shrink(under epoch: LeaseEpoch) throws(StorageError) -> Bool {
        guard try rows.tables.database.integer("PRAGMA auto_vacuum") == 0, try isWorthRewriting else { return false }
        return try locked { (shard) throws(StorageError) in
            let isOurs = try shard.inTransaction { (rows) throws(StorageError) in try rows.isHeld(under: epoch) }
            guard isOurs, try shard.isWorthRewriting else { return false }
            try shard.lock.beginLog()
            try shard.rows.tables.database.execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
            try shard.lock.noteCommit(shard.rows.tables.database, shard.origin, shard.rows.standing.stamp)
            // The file has its old content until the log is empty.
            shard.rows.care.noteRemoval()
            try shard.takeCare()
            return true
        }
    }

    private var isWorthRewriting: Bool {
        get throws(StorageError) {
            let pages = try rows.tables.database.integer("PRAGMA page_count")
            let free = try rows.tables.database.integer("PRAGMA freelist_count")
            return free > 0 && 2 * free >= pages
                && (pages - free) * Int64(rows.tables.database.pageSize) <= Self.mostRewritten
        }
    }
}
