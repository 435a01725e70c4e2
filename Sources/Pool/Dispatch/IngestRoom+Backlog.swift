import Wire

extension IngestRoom {
    /// Makes room for as many events as are laid out in the time that accepted ones may wait, less those that wait
    /// already.
    init(for jobs: Backlog, _ pace: Pace, _ limits: DispatchLimits) {
        let isFull = jobs.bytes > limits.bytes
        let wanted = pace.jobs(within: limits.patience).map { max(limits.leastRoom, $0) } ?? limits.idleRoom
        let live = min(wanted, limits.jobs / 2)
        let lag = jobs.lag
        let (waiting, later) = (jobs.open[.live] - jobs.seen, jobs.open[.backfill])
        self.init(
            live: isFull ? 0 : max(0, live - waiting - lag),
            backfill: isFull ? 0 : max(0, min(limits.backfillRoom, limits.jobs / 4) - later - lag),
            retryAfter: pace.milliseconds(for: waiting + lag), reserve: live / 4, pace: pace.speed ?? 0)
    }
}
