import Names
import Pool
import Wire

/// A coordinator's loop, as the daemon runs it: words and requests in, one commit, answers, effects.
struct CoordinatorProcess {
    let id: Int
    let start: Instant
    var pausedUntil = Instant.start
    var leap = 0
    var keeper: Bookkeeper
    var dispatcher: Dispatcher
    var mail: [World.Mail] = []
    var turn: Turn?
    var isAwake = false
    var turns = 0

    /// What waits for the disk.
    struct Turn {
        var journal = JournalTurn()
        var requests: [Request] = []
    }

    struct Request {
        var number: Int
        var lines: [Int]
        var answers: [Judgement]
        var seat: Int
        var process: Int
    }
}

enum CoordinatorStep {
    case tick
    case wake
    case commit
    case conclude
}

extension World {
    mutating func startCoordinator() {
        guard coordinator == nil else { return }
        journal.open()
        let id = newProcess()
        var standing = journal.standing()
        if scenario.bug != .forgottenFiles {
            for edition in standing.editions { standing.maps[edition] = scenario.map(of: edition) }
        }
        coordinator = CoordinatorProcess(
            id: id, start: now, keeper: Bookkeeper(shards: scenario.shards),
            dispatcher: Dispatcher(
                term: journal.term, standing: standing, limits: scenario.dispatchLimits, seed: scenario.seed))
        agenda.add(.coordinator(.tick, process: id), at: now + 1)
        if let wanted { perform(coordinator!.dispatcher.handle(.command(roll(to: wanted)))) }
        if isHeldUp { perform(coordinator!.dispatcher.handle(.command(.pause(.relayout)))) }
    }

    private func roll(to edition: EditionID) -> DispatchCommand {
        .roll(to: edition, name: edition.text, files: scenario.map(of: edition))
    }

    mutating func receive(_ mail: Mail) {
        guard let process = coordinator else { return }
        if now < process.pausedUntil { return agenda.add(.mail(mail), at: process.pausedUntil) }
        coordinator!.mail.append(mail)
        wakeCoordinator()
    }

    private mutating func wakeCoordinator() {
        guard let process = coordinator, !process.isAwake, process.turn == nil else { return }
        coordinator!.isAwake = true
        agenda.add(.coordinator(.wake, process: process.id), at: now + 200)
    }

    mutating func run(_ step: CoordinatorStep) {
        switch step {
        case .tick:
            agenda.add(.coordinator(.tick, process: coordinator!.id), at: now + 50 * Length.millisecond)
            wakeCoordinator()
        case .wake: hear()
        case .commit: commit()
        case .conclude: conclude()
        }
    }

    private mutating func hear() {
        coordinator!.isAwake = false
        var turn = CoordinatorProcess.Turn()
        let mail = coordinator!.mail
        coordinator!.mail = []
        coordinator!.keeper.open(room: coordinator!.dispatcher.room)
        for mail in mail {
            switch mail {
            case .word(let word, let seat, let process):
                perform(coordinator!.dispatcher.handle(.heard(planted(word), from: Peer(seat: seat, process: process))))
            case .wish(let shard, let message):
                perform(coordinator!.dispatcher.handle(.command(.urge(shard, [message]))))
            case .screen(let wanted):
                perform(coordinator!.dispatcher.handle(.command(.want([wanted]))))
            case .roll(let edition):
                perform(coordinator!.dispatcher.handle(.command(roll(to: edition))))
            case .request(let lines, let lane, let number, let seat, let process):
                let answers = take(lines, lane, Peer(seat: seat, process: process))
                turn.requests.append(
                    CoordinatorProcess.Request(
                        number: number, lines: lines, answers: answers, seat: seat, process: process))
            }
        }
        turn.journal = coordinator!.keeper.close(with: coordinator!.dispatcher.record)
        tally.digest.add(turn.journal.record)
        if scenario.bug == .ackBeforeCommit { send(turn.requests) }
        coordinator!.turn = turn
        guard turn.journal.isEmpty else {
            return agenda.add(.coordinator(.commit, process: coordinator!.id), at: now + diskTime(300...1500))
        }
        conclude()
    }

    private mutating func take(_ lines: [Int], _ lane: Lane, _ peer: Peer) -> [Judgement] {
        let fault = EventFault(field: "body", reason: "expected an object")
        let events =
            lines.map { line in script.lines[line].said.map { .success($0) } ?? .failure(fault) }
            as [Result<ChatEvent, EventFault>]
        do {
            let subject = scenario.bug == .forgottenSubject ? nil : lines.first.flatMap { script.lines[$0].subject }
            return try coordinator!.keeper.take(
                IngestRequest(lane: lane, subject: subject, events: events), from: peer, in: &journal)
        } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }

    private mutating func commit() {
        journal.isFull = now < weather.journalFullUntil
        let turn = coordinator!.turn!
        do {
            try journal.commit(turn.journal)
            for request in turn.requests {
                for (line, answer) in zip(request.lines, request.answers)
                where answer.answer == .accepted {
                    if !journaled.insert(line).inserted { findings.append("line \(line) was accepted twice") }
                }
            }
            agenda.add(.coordinator(.conclude, process: coordinator!.id), at: now + 50)
        } catch {
            coordinator!.turn!.journal = JournalTurn()
            for request in turn.requests.indices {
                coordinator!.turn!.requests[request].answers = turn.requests[request].answers.map {
                    Judgement($0.unkept(retryAfter: 100))
                }
            }
            conclude()
        }
    }

    private mutating func conclude() {
        let turn = coordinator!.turn!
        coordinator!.turn = nil
        if !turn.journal.record.isEmpty { perform(coordinator!.dispatcher.handle(.recorded)) }
        if scenario.bug != .ackBeforeCommit { send(turn.requests) }
        let jobs = turn.journal.entries.flatMap { entry in entry.jobs.map { DueJob($0, lane: entry.lane) } }
        perform(coordinator!.dispatcher.handle(.accepted(jobs)))
        let moment = now.moment(since: coordinator!.start, leap: coordinator!.leap)
        perform(coordinator!.dispatcher.handle(.turn(moment)))
        coordinator!.turns += 1
        if coordinator!.turns.isMultiple(of: 64) { audit() }
        if !coordinator!.mail.isEmpty { wakeCoordinator() }
    }

    private mutating func send(_ requests: [CoordinatorProcess.Request]) {
        for request in requests {
            answer(request.answers.map(\.answer), request.number, request.seat, request.process)
        }
    }

    mutating func perform(_ effects: [Dispatcher.Effect]) {
        for effect in effects {
            tally.digest.add(effect)
            switch effect {
            case .say(let word, let peer):
                if case .assign(let batch) = word { note(batch, peer) }
                if !say(word, to: peer) { perform(coordinator!.dispatcher.handle(.unreachable(peer))) }
            case .ready(let rows, _): tally.ready += rows.count
            case .fetchUnfinished(let edition, let shard, let after, let limit):
                let page = journal.unfinished(in: shard, of: edition, after: after, limit: limit)
                perform(coordinator!.dispatcher.handle(.unfinished(page, edition, shard)))
            case .fetchMessages(let edition, let shard, let after, let limit):
                if after.number < 0 { beginWalk(edition, shard) }
                let page = journal.messages(in: shard, after: after, limit: limit)
                perform(coordinator!.dispatcher.handle(.messages(page, edition, shard)))
            case .evict(let process, let machine): evict(Int(process), machine)
            case .serve(let view): show(view)
            case .retire(let edition): files[edition] = nil
            case .report(let notice): hear(notice)
            case .drained: break
            }
        }
    }

    private mutating func beginWalk(_ edition: EditionID, _ shard: Shard) {
        let latest = journal.latest[Int(shard.number)]
        walked[edition, default: Array(repeating: .zero, count: scenario.shards)][Int(shard.number)] = latest
        let file = file(of: shard, in: edition)
        files[edition]?[file].ordersAfter[Int(shard.number)] = latest
    }

    /// Only a job that had begun is charged with the loss of a worker.
    private mutating func hear(_ notice: Dispatcher.Notice) {
        guard case .suspected(let place, let strikes, let doubts) = notice else { return }
        suspected[place] = max(suspected[place, default: 0], doubts)
        if strikes > begun[place, default: 0] {
            findings.append(
                "job \(place.job.number) was charged \(strikes) times, and had begun \(begun[place, default: 0])")
        }
    }

    /// A file belongs to one worker in one epoch.
    private mutating func note(_ batch: Batch, _ peer: Peer) {
        let process = peer.address.process
        guard let edition = workers[peer.address.seat].process.map({ $0.id == process ? $0.edition : nil }) ?? nil
        else {
            return
        }
        let name = LeaseName(edition: edition, file: batch.shard, epoch: batch.epoch)
        if let other = leases[name], other != process {
            findings.append("file \(batch.shard.number) was leased twice under epoch \(batch.epoch.number)")
        }
        leases[name] = process
    }

    /// A loop that takes the batch that came last for the one that was begun, if that is what is planted.
    private func planted(_ word: WorkerWord) -> WorkerWord {
        guard scenario.bug == .strikeForInnocents, case .beat(var beat) = word else { return word }
        beat.held.reverse()
        beat.hasStarted = beat.held.count > 1
        return .beat(beat)
    }
}
