import MessageLayout
import Wire

/// The context that all machines of the dispatcher are handed: the time, limits and chance that they go by, and the
/// place for their effects.
struct DispatchContext: Equatable, Sendable {
    let term: UInt64
    var limits: DispatchLimits
    var now = Moment.start
    var paused = ByLane(false)
    /// Screens that rows are laid out for beside those of their style.
    var added: [Target] = []
    /// The changes to be recorded, beside progress.
    var note = PoolRecord()
    var counters = PoolStatus.Counters()
    /// The times from the acceptance of a job to its row.
    var ready = Latencies()
    /// The batches that were lent, and the times that files were brought to the disk.
    var (batches, syncs) = (0, 0)
    private var jitter: Jitter
    private var effects: [DispatchEffect] = []

    init(term: UInt64, limits: DispatchLimits, seed: UInt64) {
        (self.term, self.limits, jitter) = (term, limits, Jitter(seed: seed))
    }

    mutating func perform(_ effect: DispatchEffect) { effects.append(effect) }
    mutating func say(_ word: CoordinatorWord, to peer: Peer) { effects.append(.say(word, to: peer)) }
    mutating func report(_ notice: PoolNotice) { effects.append(.report(notice)) }

    mutating func takeEffects() -> [DispatchEffect] {
        defer { effects = [] }
        return effects
    }

    /// Returns a random number from zero on, below `end`.
    mutating func chance(below end: Int) -> Int { jitter.number(below: end) }

    /// Returns the time that something waits before it is tried again.
    mutating func backoff(after failures: Int) -> Duration {
        let doublings = min(2 * (failures - 1), 20)
        return jitter.around(min(limits.backoff * (1 << doublings), limits.longestBackoff))
    }
}
