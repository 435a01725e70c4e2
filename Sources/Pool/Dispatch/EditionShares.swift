import Names
package import Wire

extension Dispatcher {
    /// The share of each edition that is done.
    ///
    /// - Parameter end: the place of the next entry of the log: messages have numbers below it.
    package func shares(before end: LogPosition) -> [(edition: EditionID, done: Double)] {
        roll.all.map { ($0.id, $0.jobs.share(of: roll.latest, before: end)) }
    }
}

extension Backlog {
    /// The share of the work that is done: jobs that are, and messages that a walk has passed. A walk counts for as
    /// many jobs as its shard ever had.
    ///
    /// Messages are counted by their places in the log, which a walk goes through in their order. In between stand
    /// changes and other shards' messages, so that it is a share of the way, and not of rows.
    func share(of latest: Table<Shard, JobNumber>, before end: LogPosition) -> Double {
        var (open, all) = (0.0, 0.0)
        for shard in shards.keys {
            let (own, jobs) = (shards[shard], Double(latest[shard].number))
            let walked = own.walk.map { min(1, Double($0.after.number + 1) / Double(max(1, end.number))) } ?? 1
            open += min(jobs, jobs - Double(own.done.total) + jobs * (1 - walked))
            all += jobs
        }
        return all > 0 ? min(1, max(0, 1 - open / all)) : 1
    }
}
