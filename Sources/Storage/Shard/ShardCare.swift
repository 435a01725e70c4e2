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
        guard care.deletedAt != nil, idle || care.isPurgeDue(at: .now) else { return }
        try locked { (shard) throws(StorageError) in try shard.purge() }
    }

    /// Whether the file is another one than it was, after a look at whether it is there at all, and at all of it when a reader found
    /// damage.
    package mutating func isRenewed() throws(StorageError) -> Bool {
        if !areFilesInPlace || !lock.isInPlace || !holdsMark {
            let before = standing.origin
            try locked { _ in }
            return standing.origin != before
        }
        return try place.takeSuspicion() ? verify() : false
    }

    /// Whether file and log hold what was noted last. Without the lock: where somebody writes meanwhile, the answer may be wrong,
    /// and is asked for again under it.
    private var holdsMark: Bool {
        guard let mark = ShardLock.mark(of: place) else { return false }
        do throws(StorageError) { return try tables.database.holds(mark) } catch { return false }
    }

    /// Looks the whole file over, by itself and beside the journal, which takes about a second for each gigabyte and some
    /// microseconds for each message. One that is damaged is put aside, and begun anew; of one in which some rows are not what they
    /// should be, these are taken out. Either way it is another file, and the answer is true: all of it is laid out again.
    @discardableResult
    package mutating func verify() throws(StorageError) -> Bool {
        let found = try StorageCheck.trouble(with: place, in: folder)
        guard let problem = found.problems.first else { return false }
        do throws(StorageError) {
            try locked { (shard) throws(StorageError) in
                guard found.damage == nil, found.wrongRows.count <= Self.mostMended else {
                    throw .corrupt(path: shard.place.path, found.damage ?? problem)
                }
                try shard.mend(found.wrongRows, problem)
            }
        } catch .corrupt {
            // What was found stands in the news.
        }
        return true
    }

    /// With more wrong rows a file is not to be trusted.
    private static let mostMended = 1000

    /// Takes rows out, and has the file be another one with all others: readers keep these while the coordinator has the shard laid out
    /// again, which writes only what is missing.
    private mutating func mend(_ wrong: [MessageNumber], _ problem: String) throws(StorageError) {
        try inTransaction { (shard) throws(StorageError) in
            var list = [UInt8]()
            var count: Int64 = 0
            for number in Set(wrong) {
                guard let entry = try shard.takeOut(number) else { continue }
                entry.write(to: &list)
                count += 1
            }
            shard.standing.stamp = try shard.note(list, count)
            shard.standing.origin = ShardOrigin(.random(in: 1 ... .max))
            try shard.tables.database.prepare("UPDATE meta SET origin = ?").run(
                .integer(Int64(bitPattern: shard.standing.origin.number)))
        }
        news.append(.mended(rows: Set(wrong).count, reason: problem))
    }

    /// Empties the log when it is long; under the lock.
    mutating func takeCare() throws(StorageError) {
        let size = logBytes
        if care.isPurgeDue(at: .now) {
            try purge()
        } else if size >= settings.checkpoint + care.stuckAt {
            care.stuckAt = try lock.emptyLog(of: tables.database) ? 0 : size - settings.checkpoint / 2
        }
    }

    /// Rows that were deleted are overwritten in the file by then; in the log they stand until it is empty.
    private mutating func purge() throws(StorageError) {
        guard try lock.emptyLog(of: tables.database, patience: 100) else { return }
        try place.removePutAside()
        care.notePurged()
    }
}
