import Names
import Wire

/// The need to empty the log of a shard.
struct ShardCare {
    /// The time at which content was deleted that is still in the log; nil when there is none.
    private(set) var deletedAt: ContinuousClock.Instant?
    /// Messages that went since the log was emptied last; `fresh` are those of them of which `log` is not noted yet.
    private(set) var gone: Set<MessageNumber> = []
    private var fresh: Set<MessageNumber> = []
    private var freshAt: ContinuousClock.Instant?
    /// The number of the file whose log has what was deleted: once the file has another one, the log was emptied.
    private var log: UInt32?
    /// The time at which another thread was asked to empty the log.
    private var askedAt: ContinuousClock.Instant?
    /// Whether some of them may still be in files that were put aside.
    private(set) var isOwedAside = false
    /// Bytes by which the log may grow past its limit before it is emptied, as a reader stood in the way last.
    var stuckAt: Int64 = 0
    /// Whether it was told that the log is very long.
    fileprivate var isLengthTold = false

    mutating func noteRemoval() {
        let now = ContinuousClock.now
        if deletedAt == nil { deletedAt = now }
        if freshAt == nil { freshAt = now }
    }

    /// Notes that a message is gone for good, whether or not it has a row here: a file that was put aside may have one.
    mutating func noteRemoval(of message: MessageNumber) {
        noteRemoval()
        fresh.insert(message)
        if gone.insert(message).inserted { isOwedAside = true }
    }

    /// Notes that the log has content that was deleted nobody knows when, so that it is to be emptied now.
    mutating func noteLongAgo() {
        noteRemoval()
        deletedAt = deletedAt.map { min($0, .now - Self.purgeDelay) }
    }

    mutating func noteGoneAside() { isOwedAside = false }
    mutating func notePurged() {
        (deletedAt, stuckAt, gone, isOwedAside) = (nil, 0, [], false)
        (fresh, freshAt, log, askedAt) = ([], nil, nil, nil)
    }

    /// Notes the number of the file, of which the log has what was deleted last; under the lock.
    mutating func note(log number: UInt32) {
        if freshAt != nil { (log, fresh, freshAt) = (number, [], nil) }
    }

    /// Whether the log was emptied since: what was deleted before has left it.
    func hasLeft(log number: UInt32) -> Bool { log.map { $0 != number } ?? false }

    /// Notes that all has left the log but what was deleted in the last transaction.
    mutating func noteLeft() {
        (deletedAt, stuckAt, gone, log, askedAt) = (freshAt, 0, fresh, nil, nil)
    }

    /// Whether another thread is to be asked to empty the log: once a second, as it may have met with a reader.
    mutating func isToAsk() -> Bool {
        guard askedAt.map({ .now - $0 >= .seconds(1) }) ?? true else { return false }
        askedAt = .now
        return true
    }

    /// The part of the promised sixty seconds after which the log is emptied.
    static let purgeDelay: Duration = .seconds(15)

    func isPurgeDue(at now: ContinuousClock.Instant) -> Bool {
        deletedAt.map { now - $0 >= Self.purgeDelay } ?? false
    }
}

extension SQLiteShard {
    /// Empties the log of deleted content when that is due, whether or not anything is committed; `purges` does it, if
    /// there is one. To be called about every second, and at once when there is time.
    ///
    /// - Parameter idle: whether there is time, so that deleted content leaves the log now.
    package mutating func maintain(idle: Bool = false) throws(StorageError) {
        guard rows.care.deletedAt != nil, idle || rows.care.isPurgeDue(at: .now) else { return }
        try locked { (shard) throws(StorageError) in
            try shard.noteDeletions()
            if shard.rows.care.deletedAt != nil { try shard.purge() }
        }
    }

    /// Empties the log when it is long; under the lock.
    mutating func takeCare() throws(StorageError) {
        let size = logBytes
        noteLength(size)
        try noteDeletions()
        let isLong = size >= settings.checkpoint + rows.care.stuckAt
        // A long log is emptied here, whatever keeps another thread from it.
        if rows.care.isPurgeDue(at: .now), purges == nil || !isLong {
            try purge()
        } else if isLong {
            rows.care.stuckAt = try lock.emptyLog(of: rows.tables.database) ? 0 : size - settings.checkpoint / 2
        }
    }

    /// Tells of a very long log once, and again when it was short meanwhile.
    private mutating func noteLength(_ size: Int64) {
        if size < settings.checkpoint { rows.care.isLengthTold = false }
        guard size >= settings.logAlarm, !rows.care.isLengthTold else { return }
        rows.care.isLengthTold = true
        news.append(.longLog(bytes: size))
    }

    /// Looks whether what was deleted has left the log, whoever emptied it, and notes where the last of it is.
    mutating func noteDeletions() throws(StorageError) {
        guard rows.care.deletedAt != nil, let number = lock.mark?.number else { return }
        if logBytes == 0 || rows.care.hasLeft(log: number) {
            if !rows.care.gone.isEmpty { try asides.forget(rows.care.gone) }
            if logBytes == 0 { rows.care.notePurged() } else { rows.care.noteLeft() }
        }
        rows.care.note(log: number)
    }

    /// Takes messages that went out of files that were put aside. To be done before the batch that they went with is
    /// reported: until then another worker would do it again, and nobody would later.
    mutating func settleAside() throws(StorageError) {
        guard rows.care.isOwedAside else { return }
        try asides.forget(rows.care.gone)
        rows.care.noteGoneAside()
    }

    /// Empties the log, in which deleted rows are until then, or has it emptied. In the file itself deleted rows are
    /// overwritten by then. A file that was put aside since they went may have them in a log of its own.
    mutating func purge(patience: Int32 = 100) throws(StorageError) {
        if let purges {
            if rows.care.isToAsk() { purges() }
            return
        }
        guard try lock.emptyLog(of: rows.tables.database, patience: patience) else { return }
        if !rows.care.gone.isEmpty { try asides.forget(rows.care.gone) }
        rows.care.notePurged()
    }
}
