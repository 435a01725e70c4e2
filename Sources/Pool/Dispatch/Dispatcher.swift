package import Wire

/// Decides who lays out what: leases of shards, batches under credits, retries, editions. Nothing here sends, waits, reads or
/// looks at a clock, so a whole day of failures can be replayed in a test.
///
/// ```text
///                         lend                     committed                 synced
///  accepted ──▶ waiting ────────▶ lent to a worker ──────────▶ on its way to ────────▶ done
///     ▲            ▲                   │                        the disk
///     │ pages of   │ back to the front │ lease broken, worker lost: suspects travel alone
///   journal        └───────────────────┤
///                  └── after a while ──┤ a strike: the worker was lost while it certainly worked on this job alone
///                                      └──▶ shelved: three strikes, or the style refuses it
/// ```
///
/// The lease of a shard is what recovers: when any batch of it is lost, all that are lent under it come back in their order,
/// and the next lease has a higher epoch, under which nothing of the one before can be written.
///
/// One turn of the loop:
///
///     dispatcher.handle(.heard(word, from: peer))       // for each word of a worker
///     journal.commit(entries, dispatcher.record)        // then dispatcher.handle(.recorded)
///     dispatcher.handle(.accepted(jobs))                // of what was committed
///     dispatcher.handle(.turn(now))                     // lends, and notices who is silent
///
/// and the effects of each are performed as they come. Pages that are asked for are answered in the same turn, or later.
package struct Dispatcher: Equatable, Sendable {
    let term: UInt64
    package var limits: DispatchLimits
    var now = Moment.start
    /// The newest job of each shard.
    var latest: [JobNumber]
    var service: EditionService?
    /// Few, so they are searched.
    var editions: [EditionDesk] = []
    /// By slot; a slot is taken again when its worker is gone.
    var workers: [Colleague?] = []
    var slots: [Peer: Int] = [:]
    var entrance: Entrance
    var paused = [Bool](repeating: false, count: Lane.allCases.count)
    var isDraining = false
    var lastBatch: UInt64 = 0
    var lastLease: UInt64 = 0
    var lastWalk = 0
    var jitter: Jitter
    var pace = Pace()
    package internal(set) var demand: TargetDemand
    var deadlines = Deadlines()
    var attendance = Attendance()
    /// What readers were told of editions.
    var told: EditionView?
    /// What is to be recorded beside progress.
    var note = PoolRecord()
    /// Editions of this term that are gone; their workers are sent away.
    var gone: [EditionID] = []
    var counters = PoolStatus.Counters()
    private var effects: [Effect] = []

    /// - Parameters:
    ///   - term: of the journal; rises with every start.
    ///   - standing: what the journal remembers of the pool.
    ///   - seed: of the chance that is in backoffs.
    ///   - folder: what workers have to prove; nil where nobody is asked to.
    package init(
        term: UInt64, standing: Standing, limits: DispatchLimits = DispatchLimits(), seed: UInt64 = 0,
        folder: FolderProof? = nil
    ) {
        (self.term, self.limits) = (term, limits)
        entrance = Entrance(folder: folder)
        latest = standing.latest
        service = standing.service
        jitter = Jitter(seed: seed)
        demand = TargetDemand(standing.added)
        for id in Set(standing.progress.map(\.edition)).union(standing.service.map { [$0.current] } ?? []).sorted() {
            editions.append(EditionDesk(id, standing))
        }
        for index in editions.indices where !isServed(editions[index].id) {
            editions[index].retiresAt = .start + limits.grace
        }
    }

    package var shardCount: Int { latest.count }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .accepted(let jobs): for job in jobs { accept(job) }
        case .heard(let word, let peer): hear(word, from: peer)
        case .unreachable(let peer): if let slot = slots[peer] { lose(slot, .unreachable) }
        case .unfinished(let page, let edition, let shard): take(page, edition, Int(shard.number))
        case .messages(let jobs, let edition, let shard): take(jobs, edition, Int(shard.number))
        case .recorded: forgetRecord()
        case .command(let command): obey(command)
        case .turn(let time): turn(to: time)
        }
        defer { effects = [] }
        return effects
    }

    mutating func perform(_ effect: Effect) { effects.append(effect) }

    private mutating func turn(to time: Moment) {
        let leap = time.sinceStart - now.sinceStart
        now = max(now, time)
        // This process was stopped, or the machine slept: nobody could have been heard.
        if leap > deadlines.longestTurn { forgiveSilence() }
        if deadlines.isDue(\.check, now, every: .milliseconds(100)) {
            expire()
            settleTargets()
            lookForWorkers()
        }
        if deadlines.isDue(\.pulse, now, every: limits.pulse) { pulse() }
        if deadlines.isDue(\.balance, now, every: .milliseconds(50)) { balance() }
        rollOn()
        settleView()
        fetch()
        lend()
        pace.turn(now, isSaturated: isSaturated)
        if isDraining, servedDesk.map({ editions[$0].undone == 0 }) ?? true { perform(.drained) }
    }

    private mutating func hear(_ word: WorkerWord, from peer: Peer) {
        guard let slot = slots[peer] else { return meet(word, peer) }
        workers[slot]!.heard = now
        switch word {
        case .hello: break  // heard already
        case .beat(let beat): hear(beat, slot)
        case .finished(let report): finish(report, slot)
        case .synced(let shard, let point): settle(workers[slot]!.edition, Int(shard.number), upTo: point)
        case .bye: leave(slot)
        }
    }
}

/// When what is done now and then was done last.
struct Deadlines: Equatable, Sendable {
    var check = Moment.start
    var pulse = Moment.start
    var balance = Moment.start
    var record = Moment.start
    /// Between two turns of a loop that is not stopped.
    let longestTurn: Duration = .seconds(1)

    mutating func isDue(_ deadline: WritableKeyPath<Deadlines, Moment>, _ now: Moment, every length: Duration) -> Bool {
        guard self[keyPath: deadline] + length <= now else { return false }
        self[keyPath: deadline] = now
        return true
    }
}

extension EditionDesk {
    /// As the journal knows it: everything that is not done comes from there.
    init(_ id: EditionID, _ standing: Standing) {
        self.id = id
        name = id.text
        let progress = standing.progress.filter { $0.edition == id }
        undone = 0
        shards = standing.latest.indices.map { shard in
            let known = progress.first { Int($0.shard.number) == shard }
            let done = DoneJobs(through: known?.through ?? .zero, beyond: known?.beyond ?? [])
            var desk = ShardDesk(
                done: done, feed: .behind(after: JobNumber(done.through), isAsked: false),
                walk: known?.walkedTo.map { ShardDesk.Walk(0, after: $0) })
            desk.origin = known?.origin
            desk.unavailable = known?.unavailable ?? 0
            // Nobody knows what became of the file meanwhile.
            desk.isInDoubt = known?.origin != nil
            return desk
        }
        undone = zip(shards, standing.latest).reduce(0) { $0 + Int($1.1.number - $1.0.done.total) }
        // Which of them delete something is in the journal, and nobody has read it yet.
        owesRemoval = undone > 0
    }

    /// A new one beside the one that is served: what is laid out in that is walked through, and what is not done there, or comes later,
    /// comes to both, before the walk.
    init(_ id: EditionID, name: String, besides served: EditionDesk, latest: [JobNumber]) {
        (self.id, self.name, undone) = (id, name, 0)
        isRecorded = false
        shards = zip(served.shards, latest).map { shard, latest in
            let through = JobNumber(shard.done.through)
            let isAll = through >= latest
            var desk = ShardDesk(
                done: DoneJobs(through: through), feed: isAll ? .live : .behind(after: through, isAsked: false),
                walk: ShardDesk.Walk(0))
            desk.isDirty = true
            return desk
        }
        undone = zip(shards, latest).reduce(0) { $0 + Int($1.1.number - $1.0.done.total) }
    }
}
