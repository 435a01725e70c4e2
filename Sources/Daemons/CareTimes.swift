import Pool
import Storage

/// The times at which a coordinator tends to its journal: once a second, more often where more is to be done, and less
/// often in trouble.
///
/// Each attempt that fails, or whose chore fails on the thread beside, is followed by a pause twice as long as the one
/// before, up to ten seconds. A disk that is full stays so for a while, and a merge begins anew each time.
struct CareTimes {
    private(set) var trouble = LastingTrouble(
        begins: "the journal cannot be tidied up", ends: "the journal can be tidied up again")
    /// Trouble with reading the journal for a producer. Requests for other messages may go well meanwhile.
    var reading = LastingTrouble(begins: "the journal cannot be read", ends: "the journal can be read again")
    private var next = Moment.start
    private var pause = Self.second
    private var nextSecond = Moment.start

    private static let second: Duration = .seconds(1)
    private static let whileMore: Duration = .milliseconds(20)
    private static let longest: Duration = .seconds(10)

    func isDue(at now: Moment) -> Bool { now >= next }

    /// Whether a second has passed since this was last true: what else is due now and then is due.
    mutating func beginsSecond(at now: Moment) -> Bool {
        guard now >= nextSecond else { return false }
        nextSecond = now + Self.second
        reading.tellEndIfQuiet(at: now)
        return true
    }

    /// Notes an attempt that went well.
    /// - Parameters:
    ///   - isMore: whether more is to be done.
    ///   - isAway: whether a chore of it is with the thread beside, and may still fail.
    mutating func noteEnd(isMore: Bool, isAway: Bool, at now: Moment) {
        next = now + (isMore ? Self.whileMore : Self.second)
        guard !isAway else { return }
        pause = Self.second
        trouble.tellEnd()
    }

    /// Notes an attempt that failed, or a chore that did.
    mutating func noteFailure(_ error: StorageError, at now: Moment) {
        next = now + pause
        pause = min(pause * 2, Self.longest)
        trouble.tell(error, at: now)
    }
}
