import Operations
import Pool
import Storage

private let log = Log("coordinator")

/// Trouble with the journal that may last, as that of a full disk does. The operator reads of it when it begins, every
/// ten minutes while it lasts, and when it is over: a line for each attempt would bury all others.
struct LastingTrouble {
    private let (begins, ends): (StaticString, StaticString)
    /// The reason why the last attempt failed; nil where it went well.
    private(set) var reason: StorageError?
    /// The time at which the operator is to be told once more.
    private var next = Moment.start
    /// The time of the last attempt that failed.
    private var last = Moment.start

    private static let interval: Duration = .seconds(600)
    private static let quiet: Duration = .seconds(60)

    /// - Parameters:
    ///   - begins: the words that say that there is trouble.
    ///   - ends: those that say that it is over.
    init(begins: StaticString, ends: StaticString) { (self.begins, self.ends) = (begins, ends) }

    /// Notes an attempt that failed.
    /// - Returns: whether the operator is to be told.
    mutating func note(_ error: StorageError, at now: Moment) -> Bool {
        let isTold = reason != nil && now < next
        (reason, last) = (error, now)
        if !isTold { next = now + Self.interval }
        return !isTold
    }

    /// Notes an attempt that went well.
    /// - Returns: whether the operator is to be told that it is over.
    mutating func end() -> Bool { reason.take() != nil }

    /// Notes that time has passed, where some attempts go well while others fail: the trouble is over when none has
    /// failed for a minute.
    /// - Returns: whether the operator is to be told that it is over.
    mutating func endIfQuiet(at now: Moment) -> Bool { now >= last + Self.quiet ? end() : false }
}

extension LastingTrouble {
    mutating func tell(_ error: StorageError, at now: Moment) {
        if note(error, at: now) { log.error(begins, ["reason": "\(LaneShards.sentence(error))"]) }
    }

    mutating func tellEnd() { if end() { log.info(ends) } }

    mutating func tellEndIfQuiet(at now: Moment) { if endIfQuiet(at: now) { log.info(ends) } }
}
