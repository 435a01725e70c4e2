import Wire

/// The limits of the dispatcher: how much, how long and how often.
package struct DispatchLimits: Equatable, Sendable {
    /// The jobs of one edition that are held in memory; more stay in the journal until there is room.
    package var jobs = 16_384
    /// The bytes of these jobs.
    package var bytes = 32 << 20
    package var workers = 1024
    package var editions = 4
    package var jobsPerBatch = 128
    package var bytesPerBatch = 1 << 18
    /// The jobs in a batch of the later lanes: few, so that a live message does not wait long behind one.
    package var jobsPerLaterBatch = 32
    /// The batches of a worker. Where little waits, batches are small, and there are as many as shards: with few, a
    /// worker would stand still while the coordinator waits for the disk.
    package var batchesPerWorker = 16
    package var batchesPerShard = 2
    /// The live jobs in hand with which a worker has enough to do for some turns. It gets more when `jobsWorthWhile`
    /// wait, as a message of a large batch costs less.
    package var jobsInHand = 64
    package var jobsWorthWhile = 32
    /// The jobs that are asked of the journal at once.
    package var page = 256
    /// The pages of a walk that are at work at a time, so that a worker does not wait for the disk between one and
    /// the next.
    package var pagesOfWalk = 4
    /// The number of a worker's batches of which each of the later lanes gets one.
    package var share = 16
    /// The silence after which a worker has lost its leases.
    package var silence: Duration = .seconds(3)
    /// The time without workers of the served edition after which an operator is told: a worker that ended is started
    /// again meanwhile.
    package var absence: Duration = .seconds(3)
    /// The same for the next edition: its first worker is started after the roll, and reads its fonts first.
    package var absenceOfNext: Duration = .seconds(10)
    /// The time on one batch after which a worker has lost its leases, however alive it seems.
    package var work: Duration = .seconds(30)
    /// The time after which a batch that its worker does not know was lost on the way.
    package var delivery: Duration = .milliseconds(1500)
    package var pulse: Duration = .seconds(1)
    /// The time after which a batch whose rows do not come from elsewhere is laid out beside the folder.
    package var away: Duration = .seconds(1)
    /// The further batches of a file that are on their way, for each worker elsewhere, and at most.
    package var batchesAway = 2
    package var mostBatchesAway = 12
    /// The number of lost workers after which a job is given up.
    package var strikes = 3
    /// The number of lost workers after which a job is given up that would have been next, alone: most likely it
    /// brings workers down before they can say that they begin.
    package var doubts = 10
    /// The first wait before something is tried again; four times as long each time, and with some chance in it.
    package var backoff: Duration = .milliseconds(100)
    package var longestBackoff: Duration = .seconds(10)
    /// The time that accepted events may wait when more come than can be laid out; past that, new ones are answered
    /// "busy".
    package var patience: Duration = .milliseconds(60)
    /// The number of events that are accepted at least, however slow everything is.
    package var leastRoom = 256
    /// The number of events that are accepted while nothing is known of the pool's speed.
    package var idleRoom = 4096
    package var backfillRoom = 4096
    /// The time that an edition is kept after another took its place.
    package var grace: Duration = .seconds(300)
    /// The time that it is kept when something is deleted that nobody takes away from it any more: no byte of that
    /// may be left after a minute.
    package var graceOfDeleted: Duration = .seconds(20)
    /// The time after a deletion in which its words may still be in the log of a file: a worker that takes the file
    /// over empties that.
    package var forgetting: Duration = .seconds(60)
    /// The least time after which an edition that is wanted at once is served: by then gateways have named the
    /// messages that readers look at.
    package var hurry: Duration = .milliseconds(200)
    /// The least time between two records of progress.
    package var recording: Duration = .milliseconds(100)
    /// Whether a job is done only when its shard is on the disk, or as soon as it is committed.
    package var waitsForDisk = false
    /// The limits for screens that no style prepares.
    package var demand = TargetDemand.Limits()

    package init() {}
}
