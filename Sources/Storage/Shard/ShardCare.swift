import Names
import Wire

/// The need to empty the log of a shard.
struct ShardCare {
    /// The time at which content was deleted that is still in the log; nil when there is none.
    private(set) var deletedAt: ContinuousClock.Instant?
    /// Messages that went since the log was emptied last.
    private(set) var gone: Set<MessageNumber> = []
    /// Whether some of them may still be in files that were put aside.
    private(set) var isOwedAside = false
    /// Bytes by which the log may grow past its limit before it is emptied, as a reader stood in the way last.
    var stuckAt: Int64 = 0
    /// Whether it was told that the log is very long.
    fileprivate var isLengthTold = false

    mutating func noteRemoval() { if deletedAt == nil { deletedAt = .now } }

    /// Notes that a message is gone for good, whether or not it has a row here: a file that was put aside may have one.
    mutating func noteRemoval(of message: MessageNumber) {
        noteRemoval()
        if gone.insert(message).inserted { isOwedAside = true }
    }

    mutating func noteGoneAside() { isOwedAside = false }
    mutating func notePurged() { (deletedAt, stuckAt, gone, isOwedAside) = (nil, 0, [], false) }

    /// The part of the promised sixty seconds after which the log is emptied.
    static let purgeDelay: Duration = .seconds(15)

    func isPurgeDue(at now: ContinuousClock.Instant) -> Bool {
        deletedAt.map { now - $0 >= Self.purgeDelay } ?? false
    }
}

extension SQLiteShard {
    /// Empties the log of deleted content when that is due, whether or not anything is committed.
    /// To be called about every second, and at once when there is time.
    ///
    /// - Parameter idle: whether there is time, so that deleted content leaves the log now.
    package mutating func maintain(idle: Bool = false) throws(StorageError) {
        guard rows.care.deletedAt != nil, idle || rows.care.isPurgeDue(at: .now) else { return }
        try locked { (shard) throws(StorageError) in try shard.purge() }
    }

    /// Empties the log when it is long; under the lock.
    mutating func takeCare() throws(StorageError) {
        let size = logBytes
        noteLength(size)
        if rows.care.isPurgeDue(at: .now) {
            try purge()
        } else if size >= settings.checkpoint + rows.care.stuckAt {
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

    /// Takes messages that went out of files that were put aside. To be done before the batch that they went with is
    /// reported: until then another worker would do it again, and nobody would later.
    mutating func settleAside() throws(StorageError) {
        guard rows.care.isOwedAside else { return }
        try asides.forget(rows.care.gone)
        rows.care.noteGoneAside()
    }

    /// Empties the log, in which deleted rows are until then. In the file itself deleted rows are overwritten by then.
    /// A file that was put aside since they went may have them in a log of its own.
    private mutating func purge() throws(StorageError) {
        guard try lock.emptyLog(of: rows.tables.database, patience: 100) else { return }
        if !rows.care.gone.isEmpty { try asides.forget(rows.care.gone) }
        rows.care.notePurged()
    }
}
