import Wire

/// The lender, which gives files and jobs to workers within their credits, under leases and in batches, and takes
/// both back.
///
/// It changes an edition through its `Backlog` and its `LeaseBook`. A `WorkerState` names the edition of its worker.
struct Lender: Equatable, Sendable {
    var roster = Roster()
    /// The workers without the folder.
    var remotes = RemoteDesk()
    /// The rows that one of them made, and that are to be made again.
    var mending = Mending()
    /// The makers of rows that were found wrong, with the differences.
    var accused: [Accusation] = []
    private var lastBatch: UInt64 = 0
    private var lastLease: UInt64 = 0

    /// Lends to every worker, each turn, until there is no room, or nothing waits.
    mutating func lend(_ roll: inout EditionRoll, _ context: inout DispatchContext) {
        for slot in roll.slots where roll[slot].isAttended && roll[slot].isRecorded {
            roll[slot].jobs.wake(&context)
            settleLeases(slot, &roll[slot], &context)
        }
        for worker in roster.slots where roster.has(worker) {
            askAboutFiles(worker, &roll[roster[worker].edition], &context)
            while lendBatch(to: worker, &roll, &context) {}
        }
        sendReleased(&context)
    }

    /// Lends one batch; false when there is no room, or nothing waits.
    private mutating func lendBatch(
        to worker: WorkerSlot, _ roll: inout EditionRoll, _ context: inout DispatchContext
    ) -> Bool {
        let (room, edition) = (roster[worker].room(context.limits), roster[worker].edition)
        guard room > 0 else { return false }
        for lane in lanes(for: roster[worker], context.limits.share) where !context.paused[lane] {
            guard lane == .live || roster[worker].flights.count < 2 else { continue }
            if lane == .relayout, roll.isOvertaken(edition) { continue }
            guard let file = nextFile(lane, worker, roll, context) else { continue }
            roster[worker].lastFile = file
            var jobs = min(room, lane == .live ? context.limits.jobsPerBatch : context.limits.jobsPerLaterBatch)
            if roster[worker].hello.isCaretaker {
                jobs = jobsOfCaretaker(lane, file, of: edition, atMost: jobs, roll, context)
            }
            let tickets = roll[edition].jobs.takeBatch(
                for: file, lane, jobs: jobs, bytes: context.limits.bytesPerBatch)
            guard !tickets.isEmpty else { continue }
            send(tickets, for: file, to: worker, &roll[edition], &context)
            return true
        }
        return false
    }

    /// Returns the lanes, the most urgent first, but for the share that each of the others has.
    private func lanes(for worker: WorkerState, _ share: Int) -> [Lane] {
        // Relayout is of messages that did not change, and is not a caretaker's.
        if worker.hello.isCaretaker { return [.live, .backfill] }
        return switch worker.turns % share {
        case share - 1: [.backfill, .live, .relayout]
        case share / 2 - 1: [.relayout, .live, .backfill]
        default: [.live, .backfill, .relayout]
        }
    }

    /// Returns the next of the worker's files, in turn, that has jobs to lend.
    private func nextFile(
        _ lane: Lane, _ worker: WorkerSlot, _ roll: EditionRoll, _ context: DispatchContext
    ) -> FileNumber? {
        let (edition, limits) = (roster[worker].edition, context.limits)
        let count = roll[edition].files.count
        let hasEnough = lane == .live && roster[worker].lentJobs >= limits.jobsInHand
        let least = hasEnough ? limits.jobsWorthWhile : 1
        let away = limits.batchesAway * remotes.count(of: edition)
        let most = limits.batchesPerShard + min(away, limits.mostBatchesAway)
        for step in 1...count {
            let file = FileNumber(UInt16((Int(roster[worker].lastFile.number) + step) % count))
            guard roll[edition].lends(file, lane, to: worker, atMost: most, atLeast: least) else {
                continue
            }
            if roster[worker].hello.isCaretaker, jobsOfCaretaker(lane, file, of: edition, atMost: 1, roll, context) == 0
            {
                continue
            }
            return file
        }
        return nil
    }

    /// Returns the number of jobs at the front of a lane that are for a caretaker, up to a limit. Removals and
    /// amendments are at once; an outdated row is when the other edition that readers are shown has the new one, and
    /// the shown editions are recorded, so that readers see the one row or the other.
    private func jobsOfCaretaker(
        _ lane: Lane, _ file: FileNumber, of edition: EditionSlot, atMost limit: Int, _ roll: EditionRoll,
        _ context: DispatchContext
    ) -> Int {
        let other = context.note.service == nil ? roll.companion(of: edition) : nil
        return roll[edition].jobs.files[file].waiting.countFirst(lane, atMost: limit) { ticket in
            guard case .layOut = ticket.job.work else { return true }
            return other.map { shows(ticket, roll[$0]) } ?? false
        }
    }

    /// Whether the edition has the message as this job makes it, or a later state, and nothing newer of it is on its
    /// way.
    private func shows(_ ticket: Ticket, _ edition: EditionDesk) -> Bool {
        guard edition.jobs.shows(ticket) else { return false }
        let file = edition.jobs.map.file(of: ticket.shard)
        let flights = edition.leases.files[file].lease.map { roster[$0.worker].flights } ?? []
        return !flights.contains { flight in
            flight.file == file && flight.tickets.contains { edition.jobs.owes($0, after: ticket) }
        }
    }

    /// Sends a batch without jobs, where something was committed and nobody has said for long that it reached the
    /// disk, or where the origin of the file is in doubt.
    private mutating func askAboutFiles(
        _ worker: WorkerSlot, _ edition: inout EditionDesk, _ context: inout DispatchContext
    ) {
        for file in edition.files {
            guard edition.isForgotten(file, by: worker, context), roster[worker].room(context.limits) > 0 else {
                continue
            }
            edition.jobs.noteQuestion(about: file, at: context.now)
            send([], for: file, to: worker, &edition, &context)
        }
    }

    private mutating func send(
        _ tickets: [Ticket], for file: FileNumber, to worker: WorkerSlot, _ edition: inout EditionDesk,
        _ context: inout DispatchContext
    ) {
        lastBatch += 1
        context.batches += 1
        let id = BatchID(term: context.term, number: lastBatch)
        let terms = edition.leases.lend(file)
        let isProbe = tickets.first?.isSuspect ?? false
        roster[worker].take(
            Flight(id: id, file: file, tickets: tickets, since: context.now, started: nil, isProbe: isProbe))
        let batch = Batch(
            id: id, shard: Shard(file.number), epoch: terms.epoch, place: terms.place, origin: terms.origin,
            jobs: tickets.map(\.job))
        if isAway(batch, tickets, isProbe, worker, &context) { return roster[worker].keepAway(id) }
        context.say(.assign(batch), to: roster[worker].peer)
    }

    private mutating func lease(
        _ file: FileNumber, to worker: WorkerSlot, _ edition: inout EditionDesk, _ context: DispatchContext
    ) {
        lastLease += 1
        precondition(lastLease < 1 << 32)
        let epoch = LeaseEpoch(context.term << 32 | lastLease)
        edition.leases.lease(file, to: worker, roster[worker].hello, under: epoch)
    }
}

/// Leases of files.
extension Lender {
    /// Gives files that need a worker to the one with least to do, and files on the move to their next holder.
    private mutating func settleLeases(
        _ slot: EditionSlot, _ edition: inout EditionDesk, _ context: inout DispatchContext
    ) {
        for file in edition.files {
            if let next = edition.leases.files[file].successor, edition.leases.files[file].flights == 0 {
                if roster.find(next)?.isWilling ?? false {
                    lease(file, to: next, &edition, context)
                } else {
                    edition.leases.move(file, to: nil)
                }
            }
            guard edition.needsWorker(file, context), let idlest = idlestWorker(for: file, slot, edition, context)
            else { continue }
            lease(file, to: idlest, &edition, context)
        }
    }

    /// Returns the worker with least to do, by its files, the jobs that wait for them, and the jobs that it has.
    private func idlestWorker(
        for file: FileNumber, _ slot: EditionSlot, _ edition: EditionDesk, _ context: DispatchContext
    ) -> WorkerSlot? {
        var best: (worker: WorkerSlot, load: Int)?
        // Where only those are left that could not write it, one of them tries again.
        let isAnyOpen =
            edition.leases.files[file].shunned.isEmpty
            || roster.slots.contains {
                isWilling($0, slot, edition) && !isShunned($0, for: file, edition, context.now)
            }
        for worker in roster.slots {
            guard let state = roster.find(worker), state.edition == slot, state.room(context.limits) > 0 else {
                continue
            }
            // A caretaker gets files only where no worker lays out.
            guard state.hello.isCaretaker == (edition.workers == 0) else { continue }
            if isAnyOpen, isShunned(worker, for: file, edition, context.now) { continue }
            let load = load(of: worker, edition) + state.lentJobs
            if best.map({ load < $0.load }) ?? true { best = (worker, load) }
        }
        return best?.worker
    }

    private func load(of worker: WorkerSlot, _ edition: EditionDesk) -> Int {
        edition.files.reduce(0) {
            $0 + (edition.leases.files[$1].isHeld(by: worker) ? 1 + edition.jobs.files[$1].waiting.count : 0)
        }
    }

    private func isWilling(_ worker: WorkerSlot, _ slot: EditionSlot, _ edition: EditionDesk) -> Bool {
        roster.find(worker).map {
            $0.edition == slot && $0.isWilling && $0.hello.isCaretaker == (edition.workers == 0)
        } ?? false
    }

    private func isShunned(_ worker: WorkerSlot, for file: FileNumber, _ edition: EditionDesk, _ now: Moment) -> Bool {
        roster.find(worker).map { edition.leases.isShunned($0.peer, for: file, at: now) } ?? false
    }

    /// Moves a file from a worker whose jobs wait to one that has nothing to do.
    mutating func balance(_ roll: inout EditionRoll, _ context: inout DispatchContext) {
        for slot in roll.slots where roll[slot].workers > 1 {
            let idle = roster.slots.first {
                guard let state = roster.find($0), state.edition == slot, !state.hello.isCaretaker else { return false }
                return state.flights.isEmpty && state.room(context.limits) > 0 && !hasWork($0, roll[slot])
            }
            guard let idle, let file = fileToMove(roll[slot]), !isShunned(idle, for: file, roll[slot], context.now)
            else { continue }
            roll[slot].leases.move(file, to: idle)
            context.counters.moved += 1
        }
    }

    /// Whether jobs wait for its files, or are about to.
    private func hasWork(_ worker: WorkerSlot, _ edition: EditionDesk) -> Bool {
        edition.files.contains {
            let desk = edition.leases.files[$0]
            let isBusy = desk.isHeld(by: worker) && desk.successor == nil && edition.jobs.files[$0].waiting.count > 0
            return isBusy || desk.successor == worker
        }
    }

    /// Returns the file with the second longest queue, of the worker with most jobs waiting for at least two files:
    /// it keeps its longest.
    private func fileToMove(_ edition: EditionDesk) -> FileNumber? {
        var queues: [WorkerSlot: [(file: FileNumber, count: Int)]] = [:]
        for file in edition.files {
            let (desk, count) = (edition.leases.files[file], edition.jobs.files[file].waiting.count)
            guard let lease = desk.lease, desk.successor == nil, count > 0 else { continue }
            queues[lease.worker, default: []].append((file, count))
        }
        let busiest = queues.filter { $0.value.count > 1 }.max {
            let (a, b) = ($0.value.reduce(0) { $0 + $1.count }, $1.value.reduce(0) { $0 + $1.count })
            return (a, $0.key) < (b, $1.key)
        }
        return busiest?.value.sorted { ($0.count, $0.file) > ($1.count, $1.file) }[1].file
    }
}

/// Words of workers, and the jobs of those that are gone.
extension Lender {
    mutating func add(_ worker: WorkerState, _ edition: inout EditionDesk, _ context: inout DispatchContext) {
        roster.add(worker)
        edition.add(worker.hello, context)
        if !worker.hello.isCaretaker, edition.workers == 1 { takeOver(&edition, &context) }
    }

    /// Takes files back from caretakers, as the first worker that lays out comes to the edition: all jobs that they
    /// left undone come from the journal.
    private mutating func takeOver(_ edition: inout EditionDesk, _ context: inout DispatchContext) {
        for file in edition.files {
            if let lease = edition.leases.files[file].lease, roster[lease.worker].hello.isCaretaker {
                recall(file, &edition, &context)
            }
        }
        edition.jobs.takeOver()
    }

    mutating func hear(
        _ beat: WorkerBeat, from worker: WorkerSlot, _ edition: inout EditionDesk, _ context: inout DispatchContext
    ) {
        roster[worker].hear(beat, at: context.now)
        // Nobody is to blame.
        let missing = roster[worker].missing(beat, before: context.now - context.limits.delivery)
        for file in missing.sorted() { recall(file, &edition, &context) }
        guard beat.credits == 0 else { return }
        for file in edition.files
        where edition.leases.files[file].isHeld(by: worker) && edition.leases.files[file].flights == 0 {
            recall(file, &edition, &context)
        }
    }

    /// Takes a report. A late one, or one of another lease, matches no flight and changes nothing.
    /// - Returns: the number of live jobs whose rows readers see by it.
    mutating func hear(
        _ report: BatchReport, from worker: WorkerSlot, _ edition: inout EditionDesk,
        _ context: inout DispatchContext
    ) -> Int {
        guard let file = roster[worker].flight(report.batch)?.file else { return 0 }
        switch report.end {
        case .committed(_, let origin, _) where !edition.leases.isFile(origin, file):
            recall(file, &edition, &context)
            edition.rebuild(file, in: origin, &context)
        case .committed(let stamp, let origin, let results):
            let flight = roster[worker].land(report.batch)
            edition.leases.land(file, in: origin, unavailable: report.unavailable)
            if flight.tickets.contains(where: \.isRemoval) { edition.leases.noteRemoval(in: file, at: context.now) }
            if let difference = report.difference, let maker = flight.maker {
                accused.append(Accusation(maker: maker, difference: difference))
            }
            guard roster[worker].hello.isCaretaker else { return edition.finish(flight, stamp, results, &context) }
            edition.jobs.release(flight.tickets)
        case .fenced:
            recall(file, &edition, &context)
        case .otherFile(let origin):
            recall(file, &edition, &context)
            edition.rebuild(file, in: origin, &context)
        case .blocked(let objection):
            recall(file, &edition, &context)
            handOn(file, from: worker, &edition, objection, &context)
        }
        return 0
    }

    /// Takes the file back, with all jobs that were lent under its lease, in their order.
    private mutating func recall(_ file: FileNumber, _ edition: inout EditionDesk, _ context: inout DispatchContext) {
        guard let worker = edition.leases.end(file) else { return }
        context.counters.broken += 1
        remotes.drop(file, of: worker)
        edition.jobs.putBack(roster[worker].giveBack(file), for: file, &context)
    }

    /// Hands a file on that the worker could not write: another one gets it, if there is one that has not tried lately.
    private mutating func handOn(
        _ file: FileNumber, from worker: WorkerSlot, _ edition: inout EditionDesk, _ objection: Objection,
        _ context: inout DispatchContext
    ) {
        let slot = roster[worker].edition
        edition.leases.shun(roster[worker].peer, for: file, context)
        let isOpen = roster.slots.contains {
            isWilling($0, slot, edition) && !isShunned($0, for: file, edition, context.now)
        }
        guard !isOpen else { return }
        edition.leases.forgetShunned(file)
        edition.leases.rest(file, of: edition.id, objection, &context)
    }

    mutating func leave(_ worker: WorkerSlot, _ edition: inout EditionDesk, _ context: inout DispatchContext) {
        context.report(.workerLeft(roster[worker].peer))
        remove(worker, &edition, &context)
    }

    /// Takes everything back from a worker from which nothing more is to be expected.
    mutating func lose(
        _ worker: WorkerSlot, _ loss: PoolNotice.Loss, _ edition: inout EditionDesk, _ context: inout DispatchContext
    ) {
        let state = roster[worker]
        let inHand = state.inHand
        context.counters.lost += 1
        context.report(.workerLost(state.peer, loss, jobs: inHand?.tickets.count ?? 0))
        switch loss {
        case .silent, .stuck: context.perform(.evict(process: state.hello.process, machine: state.hello.machine))
        case .unreachable: break  // it may be well, and come back by itself
        }
        if let inHand { roster[worker].blame(inHand, &context) }
        remove(worker, &edition, &context)
    }

    private mutating func remove(
        _ worker: WorkerSlot, _ edition: inout EditionDesk, _ context: inout DispatchContext
    ) {
        // It can neither extend their rows any more nor empty their logs of what was deleted.
        let (isExtending, latest) = (!context.added.isEmpty, context.now - context.limits.forgetting)
        edition.leases.doubtKnown { desk in
            desk.isHeld(by: worker) && (isExtending || desk.removedAt.map { $0 >= latest } ?? false)
        }
        edition.leases.passOver(worker)
        for file in edition.files where edition.leases.files[file].isHeld(by: worker) {
            recall(file, &edition, &context)
        }
        edition.remove(roster[worker].hello, context)
        roster.remove(worker)
    }

    mutating func expire(_ roll: inout EditionRoll, _ context: inout DispatchContext) {
        for worker in roster.slots {
            guard let loss = roster.find(worker)?.loss(context) else { continue }
            lose(worker, loss, &roll[roster[worker].edition], &context)
        }
    }
}
