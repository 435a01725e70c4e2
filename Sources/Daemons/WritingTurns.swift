import Pool

/// The turns of a coordinator that read requests: the first one after a pause, and after one that writes the first in
/// eight milliseconds.
///
/// A sync, and a transaction of a shard, cost about as much for one event as for ten. Requests that come while there
/// are no others are taken at once.
struct WritingTurns {
    /// The time from a turn that writes to the next.
    static let length: Duration = .milliseconds(8)
    /// The time before which requests are gathered.
    private var next = Moment.start

    /// Whether a turn that begins now reads requests.
    func isDue(at now: Moment) -> Bool { now >= next }

    /// The time for which requests are left where they are.
    func rest(at now: Moment) -> Duration { max(.zero, next.sinceStart - now.sinceStart) }

    /// Notes that the turn that began at that moment answers requests.
    mutating func wrote(from start: Moment) { next = start + Self.length }
}
