import Names
import Wire

/// When the log of a shard is to be emptied.
struct ShardCare {
    /// When content was deleted that is still in the log; nil when there is none.
    private(set) var deletedAt: ContinuousClock.Instant?
    /// How long the log was when a reader last stood in the way.
    var stuckAt: Int64 = 0

    mutating func noteRemoval() { if deletedAt == nil { deletedAt = .now } }
    mutating func notePurged() { (deletedAt, stuckAt) = (nil, 0) }

    /// Of the sixty seconds that are promised.
    static let purgeDelay: Duration = .seconds(15)

    func isPurgeDue(at now: ContinuousClock.Instant) -> Bool {
        deletedAt.map { now - $0 >= Self.purgeDelay } ?? false
    }
}

extension SQLiteShard {
    /// What is due whether or not anything is committed: to be called about every second, and at once when there is time.
    ///
    /// - Parameter idle: there is time, so what was deleted leaves the log now.
    package mutating func maintain(idle: Bool = false) throws(StorageError) {
        guard rows.care.deletedAt != nil, idle || rows.care.isPurgeDue(at: .now) else { return }
        try locked { (shard) throws(StorageError) in try shard.purge() }
    }

    /// Empties the log when it is long; under the lock.
    mutating func takeCare() throws(StorageError) {
        let size = logBytes
        if rows.care.isPurgeDue(at: .now) {
            try purge()
        } else if size >= settings.checkpoint + rows.care.stuckAt {
            rows.care.stuckAt = try lock.emptyLog(of: rows.tables.database) ? 0 : size - settings.checkpoint / 2
        }
    }

    /// Rows that were deleted are overwritten in the file by then; in the log they stand until it is empty.
    private mutating func purge() throws(StorageError) {
        guard try lock.emptyLog(of: rows.tables.database, patience: 100) else { return }
        try place.removePutAside()
        rows.care.notePurged()
    }
}
