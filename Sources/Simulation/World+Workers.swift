import Pool
import Wire

/// Where a worker sits: what starts again after one has ended.
struct WorkerSeat {
    let isForeign: Bool
    var edition = Scenario.old
    var process: WorkerProcess?
    var link = Link()

    /// It only takes away what has changed.
    var isCaretaker = false
    /// Nobody starts it again.
    var isGone = false

    init(isForeign: Bool, isCaretaker: Bool = false) { (self.isForeign, self.isCaretaker) = (isForeign, isCaretaker) }
    var machine: String { isForeign ? "there" : "here" }
}

struct WorkerProcess {
    let id: Int
    let edition: EditionID
    let start: Instant
    var pausedUntil = Instant.start
    var leap = 0
    var worker: LayoutWorker
    var lane = BatchWork()
}

enum WorkerStep {
    case ready
    case tick
    /// All jobs of the batch are laid out, and the commit begins.
    case work(Batch)
    case endCommit(BatchReport)
    case report(BatchReport)
    case sync(Shard)
    case tidy(Shard)
    case crash
}

extension World {
    mutating func startWorker(_ seat: Int) {
        guard workers[seat].process == nil, !workers[seat].isGone else { return }
        let id = newProcess()
        let edition = workers[seat].edition
        let hello = WorkerHello(
            edition: edition, editionName: edition.text, process: Int32(id), machine: workers[seat].machine,
            isCaretaker: workers[seat].isCaretaker)
        workers[seat].process = WorkerProcess(
            id: id, edition: edition, start: now,
            worker: LayoutWorker(hello: hello, limits: scenario.workerLimits))
        workers[seat].link = Link()
        agenda.add(.worker(.ready, seat: seat, process: id), at: now + 50 * Length.millisecond)
        agenda.add(.worker(.tick, seat: seat, process: id), at: now + 60 * Length.millisecond)
    }

    mutating func run(_ step: WorkerStep, _ seat: Int) {
        let process = workers[seat].process!
        switch step {
        case .ready: tell(seat, .ready)
        case .tick:
            agenda.add(.worker(.tick, seat: seat, process: process.id), at: now + 100 * Length.millisecond)
            tell(seat, .tick(now.moment(since: process.start, leap: process.leap)))
        case .work(let batch): work(batch, seat)
        case .endCommit(let report): endCommit(report, seat)
        case .report(let report): tell(seat, .done(report))
        case .sync(let shard): sync(shard, seat)
        case .tidy(let shard): tell(seat, .tidied(shard))
        case .crash:
            tally.poisoned += 1
            end(seat, restartAfter: dice.number(50...400))
        }
    }

    mutating func tell(_ seat: Int, _ event: LayoutWorker.Event) {
        guard let process = workers[seat].process else { return }
        for effect in workers[seat].process!.worker.handle(event) {
            switch effect {
            case .say(let word): say(word, seat)
            case .work(let batch): begin(batch, seat, process)
            // What stands in rows is not simulated; who knows of what is.
            case .prepare: break
            case .sync(let shard):
                agenda.add(.worker(.sync(shard), seat: seat, process: process.id), at: now + diskTime(500...3000))
            case .tidy(let shard):
                agenda.add(.worker(.tidy(shard), seat: seat, process: process.id), at: now + diskTime(500...3000))
            case .leave, .giveUp: end(seat, restartAfter: 100)
            }
        }
    }

    private mutating func begin(_ batch: Batch, _ seat: Int, _ process: WorkerProcess) {
        if batch.jobs.count == 1 {
            let place = ShelfPlace(
                edition: process.edition, shard: shard(of: batch.jobs[0].conversation), job: batch.jobs[0].number)
            begun[place, default: 0] += 1
        }
        // A caretaker lays nothing out.
        let isPoisoned = !workers[seat].isCaretaker && batch.jobs.contains { $0.content?.first == Script.poison }
        // Now and then a text is very long, and what else the worker was given waits behind it.
        let length = dice.number(dice.happens(20) ? 30_000...300_000 : 50...400) * (batch.jobs.count + 1)
        agenda.add(
            .worker(isPoisoned ? .crash : .work(batch), seat: seat, process: process.id), at: now + length)
    }

    private mutating func work(_ batch: Batch, _ seat: Int) {
        let process = workers[seat].process!
        let shard = Int(batch.shard.number)
        openFile(process.edition, seat)
        if let other = files[process.edition]![shard].open, other.process != process.id, !isStopped(other.process) {
            return agenda.add(.worker(.work(batch), seat: seat, process: process.id), at: now + Length.millisecond)
        }
        var store = SimulatedShard(
            file: files[process.edition]![shard], process: process.id, isFull: now < weather.shardsFullUntil)
        let isCaretaker = workers[seat].isCaretaker
        var lane = workers[seat].process!.lane
        let report = lane.perform(
            batch, in: &store, describing: { "\($0)" },
            carry: { carried($0, to: process.edition) },
            layOut: { (_, state, stored) throws(Objection) in
                if isCaretaker { return .beyondUs }
                return try SimulatedLayout.layOut(state, stored, process.edition)
            })
        workers[seat].process!.lane = lane
        files[process.edition]![shard] = store.file
        let step: WorkerStep = store.file.open?.process == process.id ? .endCommit(report) : .report(report)
        agenda.add(.worker(step, seat: seat, process: process.id), at: now + diskTime(100...800))
    }

    /// Where the file went meanwhile, so did the transaction.
    private mutating func endCommit(_ report: BatchReport, _ seat: Int) {
        let process = workers[seat].process!
        let shard = Int(report.shard.number)
        var report = report
        if files[process.edition]?[shard].open?.process == process.id {
            checkWithdrawals(process.edition, shard)
            files[process.edition]![shard].end(firsts: journal.firsts)
            report.unavailable = files[process.edition]![shard].lost.count
            tally.commits += 1
        } else {
            report.end = .blocked(Objection("the file is gone"))
            workers[seat].process!.lane = BatchWork()
        }
        agenda.add(.worker(.report(report), seat: seat, process: process.id), at: now + 20)
    }

    private mutating func sync(_ shard: Shard, _ seat: Int) {
        let edition = workers[seat].process!.edition
        openFile(edition, seat)
        guard now >= weather.shardsFullUntil else { return tell(seat, .synced(shard, nil)) }
        tell(seat, .synced(shard, files[edition]![Int(shard.number)].sync()))
    }

    private mutating func openFile(_ edition: EditionID, _ seat: Int) {
        guard files[edition] == nil else { return }
        files[edition] = (0..<scenario.shards).map { _ in
            ShardFile(
                origin: ShardOrigin(dice.next()),
                ordersAfter: walked[edition] ?? Array(repeating: .zero, count: scenario.shards), bug: scenario.bug)
        }
    }

    private func isStopped(_ process: Int) -> Bool {
        workers.contains { $0.process?.id == process && now < $0.process!.pausedUntil }
    }

    /// The process ends, and with it its transactions.
    mutating func end(_ seat: Int, restartAfter milliseconds: Int) {
        guard let process = workers[seat].process else { return }
        workers[seat].process = nil
        for edition in files.keys {
            for shard in files[edition]!.indices where files[edition]![shard].open?.process == process.id {
                files[edition]![shard].open = nil
            }
        }
        agenda.add(.start(.worker(seat)), at: now + milliseconds * Length.millisecond)
    }

    mutating func evict(_ process: Int, _ machine: String) {
        guard machine == "here", let seat = workers.firstIndex(where: { $0.process?.id == process }) else { return }
        tally.evicted += 1
        end(seat, restartAfter: 100)
    }

    mutating func diskTime(_ microseconds: ClosedRange<Int>) -> Int {
        dice.number(microseconds) * (now < weather.slowUntil ? 60 : 1)
    }
}

extension LayoutJob {
    var content: [UInt8]? { if case .layOut(let state) = work { state.body.content } else { nil } }
}
