import Pool

/// Turns of a coordinator that read requests: the first one after a pause, and behind one that writes the first in eight milliseconds.
///
/// A sync, and a transaction of a shard, cost about as much for one event as for ten. What comes while nothing else does is taken at once.
struct WritingTurns {
    /// Time from a turn that writes to the next.
    static let length: Duration = .milliseconds(8)
    /// Requests that come before this are taken together.
    private var next = Moment.start

    /// True where a turn that begins now reads requests.
    func isDue(at now: Moment) -> Bool { now >= next }

    /// Time for which requests are left where they are.
    func rest(at now: Moment) -> Duration { max(.zero, next.sinceStart - now.sinceStart) }

    /// Notes that the turn that began at that moment answers some.
    mutating func wrote(from start: Moment) { next = start + Self.length }
}
