import Wire

/// A worker, as the dispatcher knows it.
struct Colleague: Equatable, Sendable {
    let peer: Peer
    let hello: WorkerHello
    /// Its place among the dispatcher's editions.
    var edition: Int
    var heard: Moment
    /// How many jobs it takes at once, by its own word.
    var credits = 0 {
        didSet { mostCredits = max(mostCredits, credits) }
    }
    private(set) var mostCredits = 0
    /// Batches that it holds and that are not ours: of a coordinator before us, or of a lease that is broken.
    var foreign = 0
    /// What was lent to it, in that order: it works on the first.
    var flights: [Flight] = []
    var lentJobs = 0
    /// Batches that it had, for the share of the later lanes.
    var turns = 0
    /// The shard that was last served.
    var lastShard = 0
    var isLeaving = false
    var times = StageTimes()

    /// Jobs that it can still take.
    func room(_ limits: DispatchLimits) -> Int {
        guard !isLeaving, flights.count < limits.batchesPerWorker else { return 0 }
        return credits - lentJobs - foreign * limits.jobsPerBatch
    }
}

/// A batch that is lent.
struct Flight: Equatable, Sendable {
    var id: BatchID
    var shard: Int
    var tickets: [Ticket]
    var since: Moment
    /// When the worker said that it had begun.
    var started: Moment?
    /// Whether its one job was in hand before when a worker was lost.
    var isProbe: Bool
}
