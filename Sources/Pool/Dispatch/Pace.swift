import Wire

/// The speed at which live jobs are laid out while some always wait: only then is it the pool's speed, and not that
/// of the jobs that come.
struct Pace: Equatable, Sendable {
    /// The number of live jobs that ended since the window began.
    var finished = 0
    private var windowStart = Moment.start
    private var lastSaturated = Moment.start
    private var wasSaturated = true
    /// The jobs in a second; nil while nothing is known of it.
    private(set) var speed: Int?

    private static let window: Duration = .milliseconds(50)
    private static let memory: Duration = .seconds(2)

    mutating func turn(_ now: Moment, isSaturated: Bool) {
        wasSaturated = wasSaturated && isSaturated
        let length = now.sinceStart - windowStart.sinceStart
        guard length >= Self.window else { return }
        if wasSaturated {
            let measured = Int(Double(finished) / (length / .seconds(1)))
            // The first batch of a slow worker says nothing before it is done.
            speed = speed.map { ($0 * 7 + measured) / 8 } ?? (measured > 0 ? measured : nil)
            lastSaturated = now
        } else if lastSaturated + Self.memory < now {
            speed = nil
        }
        (finished, windowStart, wasSaturated) = (0, now, isSaturated)
    }

    func jobs(within patience: Duration) -> Int? { speed.map { Int(Double($0) * (patience / .seconds(1))) } }

    /// Returns the time that so many jobs will take.
    func milliseconds(for jobs: Int) -> Int { min(max(jobs * 1000 / max(speed ?? 10_000, 1), 5), 5000) }
}
