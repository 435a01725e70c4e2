package import Wire

/// The jobs of the served edition that are done: each has made a row or taken one away, gave way to a newer one of
/// its message, or was given up. A row that is not there when its job is done does not come any more.
package struct ServedProgress: Equatable, Sendable {
    package let edition: EditionID
    private let shards: Table<Shard, DoneJobs>

    init(_ jobs: Backlog) {
        edition = jobs.edition
        shards = Table(jobs.shards.count) { jobs.shards[$0].done }
    }

    /// Makes a progress in which all jobs up to one are done, for each shard.
    package init(_ edition: EditionID, through: [JobNumber]) {
        self.edition = edition
        shards = Table(through.map { DoneJobs(through: $0) })
    }

    package func isDone(_ job: JobNumber, in shard: Shard) -> Bool {
        shards.contains(shard) && shards[shard].contains(job)
    }
}
