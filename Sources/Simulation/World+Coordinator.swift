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
    var mail: [Mail] = []
    var turn: Turn?
    var isAwake = false
    var turns = 0

    /// A turn that waits for the disk.
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
        stage.journal.open()
        let id = stage.newProcess()
        var standing = stage.journal.standing()
        if stage.scenario.bug != .forgottenFiles {
            for edition in standing.editions { standing.maps[edition] = stage.scenario.map(of: edition) }
        }
        coordinator = CoordinatorProcess(
            id: id, start: stage.now, keeper: Bookkeeper(shards: stage.scenario.shards),
            dispatcher: Dispatcher(
                term: stage.journal.term, standing: standing, limits: stage.scenario.dispatchLimits,
                seed: stage.scenario.seed))
        stage.agenda.add(.coordinator(.tick, process: id), at: stage.now + 1)
        if let wanted { perform(coordinator!.dispatcher.handle(.command(roll(to: wanted)))) }
        if isHeldUp { perform(coordinator!.dispatcher.handle(.command(.pause(.relayout)))) }
    }

    private func roll(to edition: EditionID) -> DispatchCommand {
        .roll(
            to: edition, name: edition.text, files: stage.scenario.map(of: edition),
            isHurried: stage.scenario.isHurried)
    }

    mutating func receive(_ mail: Mail) {
        guard let process = coordinator else { return }
        if stage.now < process.pausedUntil { return stage.agenda.add(.mail(mail), at: process.pausedUntil) }
        coordinator!.mail.append(mail)
        wakeCoordinator()
    }

    private mutating func wakeCoordinator() {
        guard let process = coordinator, !process.isAwake, process.turn == nil else { return }
        coordinator!.isAwake = true
        stage.agenda.add(.coordinator(.wake, process: process.id), at: stage.now + 200)
    }

    mutating func run(_ step: CoordinatorStep) {
        switch step {
        case .tick:
            stage.agenda.add(.coordinator(.tick, process: coordinator!.id), at: stage.now + 50 * Length.millisecond)
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
        let (room, now) = (coordinator!.dispatcher.room, coordinatorTime)
        coordinator!.keeper.open(room: room, turn: now)
        for case .request(let lines, let lane, _, _, _) in mail {
            let request = request(of: lines, lane)
            coordinator!.keeper.expect(request)
        }
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
        stage.tally.digest.add(turn.journal.record)
        if stage.scenario.bug == .ackBeforeCommit { send(turn.requests) }
        coordinator!.turn = turn
        guard turn.journal.isEmpty else {
            return stage.agenda.add(
                .coordinator(.commit, process: coordinator!.id), at: stage.now + stage.diskTime(300...1500))
        }
        conclude()
    }

    /// The time by the coordinator's clock.
    private var coordinatorTime: Moment { stage.now.moment(since: coordinator!.start, leap: coordinator!.leap) }

    private func request(of lines: [Int], _ lane: Lane) -> IngestRequest {
        let fault = EventFault(field: "body", reason: "expected an object")
        let events =
            lines.map { line in stage.script.lines[line].said.map { .success($0) } ?? .failure(fault) }
            as [Result<ChatEvent, EventFault>]
        let subject =
            stage.scenario.bug == .forgottenSubject ? nil : lines.first.flatMap { stage.script.lines[$0].subject }
        return IngestRequest(lane: lane, subject: subject, events: events)
    }

    private mutating func take(_ lines: [Int], _ lane: Lane, _ peer: Peer) -> [Judgement] {
        let request = request(of: lines, lane)
        do {
            return try coordinator!.keeper.take(request, from: peer, in: &stage.journal)
        } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }

    private mutating func commit() {
        stage.journal.isFull = stage.now < stage.weather.journalFullUntil
        let turn = coordinator!.turn!
        do {
            try stage.journal.commit(turn.journal)
            for request in turn.requests {
                for (line, answer) in zip(request.lines, request.answers)
                where answer.answer == .accepted {
                    stage.ledger.keep(line)
                }
            }
            stage.agenda.add(.coordinator(.conclude, process: coordinator!.id), at: stage.now + 50)
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
        if stage.scenario.bug != .ackBeforeCommit { send(turn.requests) }
        let jobs = turn.journal.entries.flatMap { entry in entry.jobs.map { DueJob($0, lane: entry.lane) } }
        perform(coordinator!.dispatcher.handle(.accepted(jobs)))
        let now = coordinatorTime
        perform(coordinator!.dispatcher.handle(.turn(now)))
        coordinator!.turns += 1
        if coordinator!.turns.isMultiple(of: 64) { audit() }
        if !coordinator!.mail.isEmpty { wakeCoordinator() }
    }

    private mutating func send(_ requests: [CoordinatorProcess.Request]) {
        for request in requests {
            producers.answer(
                request.answers.map(\.answer), request.number, request.seat, request.process, &stage)
        }
    }

    mutating func perform(_ effects: [Dispatcher.Effect]) {
        for effect in effects {
            stage.tally.digest.add(effect)
            switch effect {
            case .say(let word, let peer):
                if case .assign(let batch) = word, !peer.isHelper { note(batch, peer) }
                let isSent =
                    peer.isHelper ? helpers.send(word, to: peer, &stage) : workers.send(word, to: peer, &stage)
                if !isSent { perform(coordinator!.dispatcher.handle(.unreachable(peer))) }
            case .ready(let rows, _): stage.tally.ready += rows.count
            case .fetchUnfinished(let edition, let shard, let after, let limit):
                let page = stage.journal.unfinished(in: shard, of: edition, after: after, limit: limit)
                perform(coordinator!.dispatcher.handle(.unfinished(page, edition, shard)))
            case .fetchRemovals(let edition, let shard, let after, let limit):
                let page = stage.journal.unfinished(in: shard, of: edition, after: after, limit: limit)
                perform(coordinator!.dispatcher.handle(.removals(page, edition, shard)))
            case .fetchMessages(let edition, let shard, let after, let limit):
                if after.number < 0 {
                    stage.disks.beginWalk(edition, shard, latest: stage.journal.latest[Int(shard.number)])
                }
                let page = stage.journal.messages(in: shard, after: after, limit: limit)
                perform(coordinator!.dispatcher.handle(.messages(page, edition, shard)))
            case .fetchRecent(let edition, let shard, let walk, let limit):
                if walk == RecentWalk() {
                    stage.disks.beginWalk(edition, shard, latest: stage.journal.latest[Int(shard.number)])
                }
                let page = stage.journal.recent(in: shard, after: walk, limit: limit)
                perform(coordinator!.dispatcher.handle(.recent(page, edition, shard)))
            case .fetchWished(let edition, let shard, let messages):
                let jobs = messages.flatMap { message in
                    stage.journal.messages(in: shard, after: MessageNumber(message.number - 1), limit: 1)
                        .filter { $0.message == message }
                }
                perform(coordinator!.dispatcher.handle(.wished(jobs, of: messages, edition, shard)))
            case .fetchDoubted(let edition, let shard, let messages):
                let jobs = messages.flatMap { message in
                    stage.journal.messages(in: shard, after: MessageNumber(message.number - 1), limit: 1)
                        .filter { $0.message == message }
                }
                perform(coordinator!.dispatcher.handle(.doubted(jobs, edition, shard)))
            // Helpers know which edition is served.
            case .offer, .supply: break
            case .evict(let process, let machine): workers.evict(Int(process), machine, &stage)
            case .serve(let view): show(view)
            case .retire(let edition): stage.disks.files[edition] = nil
            case .report(let notice): stage.ledger.hear(notice)
            case .drained: break
            }
        }
    }

    /// Notes a lease: a file belongs to one worker in one epoch.
    private mutating func note(_ batch: Batch, _ peer: Peer) {
        let process = peer.address.process
        guard let edition = workers.edition(of: process, at: peer.address.seat) else { return }
        stage.ledger.lease(batch, of: edition, to: process)
    }

    /// The word as the coordinator hears it: under a planted bug it loses a difference, or takes the last batch for
    /// the one that was begun.
    private func planted(_ word: WorkerWord) -> WorkerWord {
        if stage.scenario.bug == .unseenDifference, case .finished(var report) = word {
            report.difference = nil
            return .finished(report)
        }
        guard stage.scenario.bug == .strikeForInnocents, case .beat(var beat) = word else { return word }
        beat.held.reverse()
        beat.hasStarted = beat.held.count > 1
        return .beat(beat)
    }
}
