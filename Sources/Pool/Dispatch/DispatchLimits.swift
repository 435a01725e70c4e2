import Wire

/// How much, how long and how often.
package struct DispatchLimits: Equatable, Sendable {
    /// Jobs of one edition that are held in memory; more stay in the journal until there is room.
    package var jobs = 16_384
    /// Bytes of them.
    package var bytes = 32 << 20
    package var workers = 1024
    package var editions = 4
    package var jobsPerBatch = 128
    package var bytesPerBatch = 1 << 18
    /// Of the later lanes, so that a live message does not wait long behind one.
    package var jobsPerLaterBatch = 32
    /// Where little waits, batches are small, and there are as many as shards: with few, a worker would stand still while the
    /// coordinator waits for the disk.
    package var batchesPerWorker = 16
    package var batchesPerShard = 2
    /// With so many live jobs in hand a worker has enough to do for some turns: it gets more when they make a batch of this size,
    /// as a message of a large batch costs less.
    package var jobsInHand = 64
    package var jobsWorthWhile = 32
    /// Jobs that are asked of the journal at once.
    package var page = 256
    /// Pages of a walk that are at work at a time, so that a worker does not wait for the disk between one and the next.
    package var pagesOfWalk = 4
    /// Of so many batches of a worker, one is for each of the later lanes.
    package var share = 16
    /// A worker that says nothing for so long has lost its leases.
    package var silence: Duration = .seconds(3)
    /// The served edition may be without workers for so long before an operator is told: one that ended is started again meanwhile.
    package var absence: Duration = .seconds(3)
    /// So has one that has worked on one batch for so long, however alive it seems.
    package var work: Duration = .seconds(30)
    /// A batch that a worker does not know after so long was lost on the way.
    package var delivery: Duration = .milliseconds(1500)
    package var pulse: Duration = .seconds(1)
    /// A batch whose rows do not come from elsewhere in so long is laid out beside the folder.
    package var away: Duration = .seconds(1)
    /// Batches of a file that are on their way beside those, for each worker elsewhere, and at most.
    package var batchesAway = 2
    package var mostBatchesAway = 12
    /// A job whose workers were lost so often is given up.
    package var strikes = 3
    /// So is one that would have been next, alone, as often: most likely it brings workers down before they can say that they
    /// begin.
    package var doubts = 10
    /// The first wait before something is tried again; four times as long each time, and with some chance in it.
    package var backoff: Duration = .milliseconds(100)
    package var longestBackoff: Duration = .seconds(10)
    /// What accepted events may wait when more come than can be laid out; past that, new ones are answered "busy".
    package var patience: Duration = .milliseconds(60)
    /// As many are accepted at least, however slow everything is.
    package var leastRoom = 256
    /// As many are accepted while nothing is known of the pool's speed.
    package var idleRoom = 4096
    package var backfillRoom = 4096
    /// How long an edition is kept after another took its place.
    package var grace: Duration = .seconds(300)
    /// How long it is kept when something is deleted that nobody takes away from it any more: no byte of that may be left after a minute.
    package var graceOfDeleted: Duration = .seconds(20)
    /// An edition that is wanted at once is served after so long at the earliest: by then gateways have said what readers look at.
    package var hurry: Duration = .milliseconds(200)
    /// How often progress is written down, at most.
    package var recording: Duration = .milliseconds(100)
    /// Whether a job is done only when its shard is on the disk, or as soon as it is committed.
    package var waitsForDisk = false
    /// Of screens that no style prepares.
    package var demand = TargetDemand.Limits()

    package init() {}
}
