package import MessageLayout
package import Wire

/// The reducer that decides which worker lays out which job: leases of files, batches under credits, retries, editions.
/// Nothing here sends, waits, reads or looks at a clock, so a whole day of failures can be replayed in a test.
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
/// The lease of a file is the unit of recovery: when any batch of it is lost, all that are lent under it come back in
/// their order. The next lease has a higher epoch, and nothing can be written under the lower one.
///
/// Here events only find their way to the machines that have the state:
///
/// ```text
///  EditionRoll   the editions, and the one that is served
///    └ EditionDesk, each with   Backlog     its jobs: queues of files, progress of shards
///                               LeaseBook   the holders of its files, their epochs, and the origins of the files
///  Lender        batches and epochs ── Roster ── WorkerState: credits, and batches in flight
///  TargetDemand, Entrance, Attendance, Succession, Pace
/// ```
///
/// One turn of the loop:
///
///     dispatcher.handle(.heard(word, from: peer))       // for each word of a worker
///     journal.commit(entries, dispatcher.record)        // then dispatcher.handle(.recorded)
///     dispatcher.handle(.accepted(jobs))                // of what was committed
///     dispatcher.handle(.turn(now))                     // lends, and notices silent workers
///
/// and the effects of each are performed as they come. Pages that are asked for are answered in the same turn, or
/// later.
package struct Dispatcher: Equatable, Sendable {
    package typealias Event = DispatchEvent
    package typealias Command = DispatchCommand
    package typealias Effect = DispatchEffect
    package typealias Notice = PoolNotice

    var context: DispatchContext
    var roll: EditionRoll
    var lender = Lender()
    private(set) var pace = Pace()
    private(set) var isDraining = false
    package private(set) var demand: TargetDemand
    var entrance: Entrance
    private(set) var attendance = Attendance()
    private(set) var succession = Succession()
    private var deadlines = Deadlines()

    /// - Parameters:
    ///   - term: the journal's term, which rises with every start.
    ///   - standing: the pool as the journal remembers it.
    ///   - seed: the seed of the chance that is in backoffs.
    ///   - folder: the proof that workers have to give; nil where none is asked for.
    ///   - isBeyondPrevious: whether the release before this one cannot read the folder.
    package init(
        term: UInt64, standing: Standing, limits: DispatchLimits = DispatchLimits(), seed: UInt64 = 0,
        folder: FolderProof? = nil, isBeyondPrevious: Bool = false
    ) {
        context = DispatchContext(term: term, limits: limits, seed: seed)
        roll = EditionRoll(standing, grace: limits.grace)
        entrance = Entrance(folder: folder, isBeyondPrevious: isBeyondPrevious)
        demand = TargetDemand(standing.added)
        context.added = demand.targets
    }

    package var limits: DispatchLimits {
        get { context.limits }
        set { context.limits = newValue }
    }
    package var shardCount: Int { roll.shardCount }

    /// The served edition, and the facts that the rows of its workers depend on; nil while nobody lays it out.
    package var servedEngine: (edition: EditionID, engine: EngineFacts)? {
        guard let edition = roll.service?.current, let engine = lender.roster.engine(of: edition) else { return nil }
        return (edition, engine)
    }

    /// The jobs of the served edition that are done; nil while none is served.
    package var servedProgress: ServedProgress? {
        roll.service.flatMap { roll.slot(of: $0.current) }.map { ServedProgress(roll[$0].jobs) }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .accepted(let jobs): for job in jobs { roll.accept(job, &context) }
        case .heard(let word, let peer): hear(word, from: peer)
        case .unreachable(let peer):
            if let place = lender.remotes.place(of: peer) {
                lender.remotes.remove(place)
                context.counters.lost += 1
                context.report(.workerLost(peer, .unreachable, jobs: 0))
            }
            guard let worker = lender.roster.slot(of: peer) else { break }
            lender.lose(worker, .unreachable, &roll[lender.roster[worker].edition], &context)
        case .unfinished(let page, let edition, let shard): roll.take(page, of: edition, shard, &context)
        case .removals(let page, let edition, let shard): roll.take(removals: page, of: edition, shard, &context)
        case .messages(let jobs, let edition, let shard): roll.take(jobs, of: edition, shard, &context)
        case .recent(let page, let edition, let shard): roll.take(page, of: edition, shard, &context)
        case .wished(let jobs, let asked, let edition, let shard):
            roll.take(wished: jobs, asked: asked, of: edition, shard, &context)
        case .doubted(let jobs, let edition, let shard): roll.take(doubted: jobs, of: edition, shard, &context)
        case .recorded: forgetRecord()
        case .command(let command): obey(command)
        case .turn(let time): turn(to: time)
        }
        return context.takeEffects()
    }

    private mutating func turn(to time: Moment) {
        let leap = time.sinceStart - context.now.sinceStart
        context.now = max(context.now, time)
        let now = context.now
        // This process was stopped, or the machine slept: nobody could have been heard.
        if leap > deadlines.longestTurn {
            lender.roster.forgiveSilence(at: now)
            lender.remotes.forgiveSilence(at: now)
        }
        if deadlines.isDue(\.check, now, every: .milliseconds(100)) {
            lender.expire(&roll, &context)
            lookAfterRemotes()
            change { demand, context in demand.settle(at: context.now, context.limits.demand) }
            lookForWorkers()
        }
        if deadlines.isDue(\.pulse, now, every: context.limits.pulse) {
            lender.roster.pulse(&context)
            lender.remotes.pulse(&context)
        }
        if deadlines.isDue(\.balance, now, every: .milliseconds(50)) { lender.balance(&roll, &context) }
        roll.rollOn(&lender.roster, &context)
        roll.settleView(&context)
        roll.fetch(&context)
        lender.dismissAccused(&entrance, &context)
        lender.mending.proceed(roll.all.map(\.id), &context)
        lender.lend(&roll, &context)
        let served = roll.served.map { roll[$0].jobs }
        pace.turn(now, isSaturated: served?.hasWaiting(.live) ?? false)
        if isDraining, served?.undone ?? 0 == 0 { context.perform(.drained) }
    }
}

/// Words of workers.
extension Dispatcher {
    private mutating func hear(_ word: WorkerWord, from peer: Peer) {
        guard let worker = lender.roster.slot(of: peer) else {
            guard let place = lender.remotes.place(of: peer) else { return meet(word, peer) }
            return hear(word, fromRemote: place, peer)
        }
        lender.roster[worker].hear(at: context.now)
        let edition = lender.roster[worker].edition
        switch word {
        case .hello: break  // heard already
        case .beat(let beat): lender.hear(beat, from: worker, &roll[edition], &context)
        case .finished(let report):
            let live = lender.hear(report, from: worker, &roll[edition], &context)
            if live > 0, edition == roll.served { pace.finished += live }
        case .synced(let shard, let point):
            context.syncs += 1
            roll[edition].settle(FileNumber(shard.number), upTo: point, &context)
        case .bye: lender.leave(worker, &roll[edition], &context)
        // It has the folder. Figures do not concern the pool.
        case .seek, .fetch, .made, .figures: break
        }
    }

    /// Takes the first word of a new worker.
    private mutating func meet(_ word: WorkerWord, _ peer: Peer) {
        let hello: WorkerHello
        switch word {
        case .hello(let own): hello = own
        case .seek(let seek): return offer(to: seek, peer)
        case .fetch(let part): return supply(part, to: peer)
        case .bye, .figures: return
        case .beat, .finished, .synced, .made: return context.say(.introduceYourself, to: peer)
        }
        switch entrance.judge(hello, peer, besides: lender.roster.engine(of: hello.edition)) {
        case .admitted: break
        case .asked: return context.say(.introduceYourself, to: peer)
        case .outdated(let objection):
            context.say(.leave, to: peer)
            return context.report(.turnedAway(hello, objection))
        case .turnedAway(let objection):
            context.say(.turnedAway(objection), to: peer)
            return context.report(.turnedAway(hello, objection))
        }
        guard !roll.isGone(hello.edition) else { return context.say(.leave, to: peer) }
        guard lender.roster.count + lender.remotes.remotes.count < context.limits.workers else {
            return context.report(.tooMany(.workers))
        }
        if hello.isRemote { return admit(remote: hello, peer) }
        guard let edition = roll.welcome(hello, &context) else { return context.say(.leave, to: peer) }
        lender.add(WorkerState(hello, peer, of: edition, at: context.now), &roll[edition], &context)
        context.report(.workerJoined(peer, hello))
        // Before its first batch.
        if !context.added.isEmpty { context.say(.pulse(context.added), to: peer) }
    }

    private mutating func lookForWorkers() {
        let next = roll.service?.next
        succession.look(
            at: next, workers: next.flatMap(roll.slot(of:)).map { roll[$0].workers } ?? 0, at: context.now,
            patience: context.limits.absenceOfNext)
        guard let served = roll.service?.current else { return }
        let isAttended = roll.servedWorkers > 0
        switch attendance.look(isAttended: isAttended, at: context.now, patience: context.limits.absence) {
        case .unattended: context.report(.unattended(served))
        case .attended: context.report(.attended(served))
        case nil: break
        }
    }
}

/// Commands of operators and gateways.
extension Dispatcher {
    private mutating func obey(_ command: Command) {
        switch command {
        case .pause(let lane): context.paused[lane] = true
        case .resume(let lane): context.paused[lane] = false
        case .drain: isDraining = true
        case .stopDraining: isDraining = false
        case .dismiss(let peer):
            if let place = lender.remotes.place(of: peer) {
                lender.remotes.remove(place)
                let objection = Objection("an operator has sent it away; start it again where that is over")
                return context.say(.turnedAway(objection), to: peer)
            }
            guard let worker = lender.roster.slot(of: peer) else { return }
            lender.roster[worker].dismiss()
            context.say(.leave, to: peer)
        case .replay(let job, let place): roll.replay(job, place, &context)
        case .drop(let places): context.note.unshelved += places
        case .urge(let shard, let messages): roll.urge(messages, in: shard, context)
        case .roll(let edition, let name, let files, let isHurried):
            let map = files ?? FileMap(shards: roll.shardCount)
            roll.roll(to: edition, name: name, map, isHurried: isHurried, &lender.roster, &context)
        case .retire(let edition): roll.retire(edition, &lender.roster, &context)
        case .want(let wanted): demand.count(wanted, besides: prepared, context.limits.demand)
        case .prepare(let target):
            if objection(toPreparing: target) == nil { change { demand, _ in demand.add(target) } }
        case .forget(let target): change { demand, _ in demand.forget(target) }
        }
    }

    /// Names an edition, as far as its name is known before a worker comes.
    package mutating func name(_ id: EditionID, as name: String) { roll.rename(id, name) }

    /// Whether a roll to the edition needs nothing that is kept in the folder.
    package func knows(_ id: EditionID) -> Bool { roll.slot(of: id) != nil }

    /// The screens that workers of the served edition lay out for anyway, as far as one has said so.
    package var prepared: [Target] { roll.served.map { roll[$0].targets } ?? [] }

    /// Returns the reason why a screen cannot be added by hand; nil where it can.
    package func objection(toPreparing target: Target) -> String? {
        if prepared.contains(target) { return "the style that is served prepares \(target.text)" }
        let isThere = demand.targets.contains(target)
        guard isThere || demand.added.count < Wire.Limits.addedTargets else {
            return "\(Wire.Limits.addedTargets) targets are added, and more cannot be: forget one of them"
        }
        return nil
    }

    /// Changes the screens that rows are laid out for beside those of their style. Workers hear of it at once, and
    /// again with every pulse, as any word may be lost.
    private mutating func change(_ body: (inout TargetDemand, DispatchContext) -> Bool) {
        let before = demand.targets
        guard body(&demand, context) else { return }
        context.note.added = demand.added
        guard demand.targets != before else { return }
        context.added = demand.targets
        let (added, gone) = (
            context.added.filter { !before.contains($0) }, before.filter { !context.added.contains($0) }
        )
        context.report(.targets(added: added, gone: gone))
        lender.roster.pulse(&context)
        lender.remotes.pulse(&context)
        if !context.added.isEmpty { roll.haveAllLookedAt() }
    }
}

/// The record for the journal, and the room for events.
extension Dispatcher {
    /// The changes since the last record; progress by itself only now and then, and at once before an end. When it is
    /// in the journal, `.recorded` must follow before anything else is handled; where that fails, the changes are
    /// there again.
    package var record: PoolRecord {
        guard isRecordDue else { return PoolRecord() }
        var record = context.note
        for edition in roll.all { record.progress += edition.progress }
        return record
    }

    private var isRecordDue: Bool {
        !context.note.isEmpty || isDraining || deadlines.record + context.limits.recording <= context.now
    }

    private mutating func forgetRecord() {
        guard isRecordDue else { return }
        context.note = PoolRecord()
        deadlines.record = context.now
        roll.forgetRecord()
    }

    /// The number of events that may still be accepted: those that the pool lays out in `patience`, as far as is known.
    package var room: IngestRoom {
        guard let served = roll.served, !isDraining else {
            return IngestRoom(
                live: isDraining ? 0 : context.limits.idleRoom - roll.unserved, backfill: 0, retryAfter: 1000,
                reason: isDraining ? .draining : .full)
        }
        return IngestRoom(for: roll[served].jobs, pace, context.limits)
    }

    /// The accepted jobs that are not done, of the edition that is furthest behind; all jobs, before any worker ever
    /// came.
    package var unfinished: Int { roll.all.map(\.jobs.undone).max() ?? roll.unserved }

    /// The number of workers that lay out for readers. At 0, accepted messages stay hidden: no service is healthy then.
    package var servedWorkers: Int { roll.servedWorkers }

    /// Returns the workers under this process id; one on each machine at most.
    package func peers(of process: Int32) -> [Peer] {
        lender.roster.peers(of: process)
            + lender.remotes.remotes.filter { $0.hello.process == process }.map(\.peer)
    }
}
