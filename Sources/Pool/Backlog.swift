package import Wire

/// A job that waits or is lent, and how often a worker was lost while it held the job.
package struct Attempt: Equatable, Sendable {
    package var job: Job
    package var strikes = 0
}

/// Jobs that wait for a worker. What comes back from a lost worker goes to the front, so that nothing grows old by failing.
struct Backlog: Equatable, Sendable {
    /// Returned jobs, the next one last.
    private var returned: [Attempt] = []
    /// New jobs from `head` on; those before it were taken, and are swept out when they are half of the array.
    private var fresh: [Attempt] = []
    private var head = 0

    var count: Int { returned.count + fresh.count - head }

    mutating func append(_ job: Job) { fresh.append(Attempt(job: job)) }

    mutating func putBack(_ attempts: [Attempt]) { returned.append(contentsOf: attempts.reversed()) }

    /// The jobs of the next lease. A job with a strike goes alone: if it kills again, it takes no innocent with it.
    mutating func takeBatch(jobs: Int, bytes: Int) -> [Attempt] {
        var batch: [Attempt] = []
        var size = 0
        while let next, batch.count < jobs, size < bytes {
            if let first = batch.first, first.strikes + next.strikes > 0 { break }
            batch.append(next)
            size += next.job.event.body.count
            removeNext()
        }
        return batch
    }

    private var next: Attempt? { returned.last ?? (head < fresh.count ? fresh[head] : nil) }

    private mutating func removeNext() {
        guard returned.popLast() == nil else { return }
        head += 1
        guard head > fresh.count / 2 else { return }
        fresh.removeFirst(head)
        head = 0
    }
}
