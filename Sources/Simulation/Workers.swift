import MessageLayout
import Names
import Pool
import Wire

/// The seat of a worker: a new process starts in it after one has ended.
struct WorkerSeat {
    let isForeign: Bool
    var edition = Scenario.old
    var process: WorkerProcess?
    var link = Link()

    /// Whether it only removes rows that have changed.
    var isCaretaker = false
    /// Whether it is not started again.
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

/// The workers of a world, seat by seat.
struct Workers {
    private var seats: [WorkerSeat]

    /// - Parameter isForeign: whether the first one runs on another machine, where it cannot be killed.
    init(_ count: Int, isForeign: Bool) { seats = (0..<count).map { WorkerSeat(isForeign: isForeign && $0 == 0) } }

    var indices: Range<Int> { seats.indices }
    var count: Int { seats.count }

    /// Whether all workers that should run do, in their edition and for the screens that were added.
    func areUp(for added: [Target]) -> Bool {
        seats.allSatisfy {
            $0.isGone || $0.process?.edition == $0.edition && $0.process?.worker.added == added
        }
    }

    func isRunning(_ process: Int, at seat: Int) -> Bool { seats[seat].process?.id == process }
    func pausedUntil(at seat: Int) -> Instant? { seats[seat].process?.pausedUntil }
    /// The edition of a process; nil where it has ended.
    func edition(of process: Int, at seat: Int) -> EditionID? {
        isRunning(process, at: seat) ? seats[seat].process?.edition : nil
    }

    mutating func pause(_ seat: Int, until: Instant) { seats[seat].process?.pausedUntil = until }
    mutating func leap(_ seat: Int, _ microseconds: Int) { seats[seat].process?.leap += microseconds }
    mutating func partition(_ seat: Int, until: Instant) { seats[seat].link.partitionedUntil = until }
    mutating func change(_ seat: Int, to edition: EditionID) { seats[seat].edition = edition }

    /// Adds a worker that only removes rows that have changed.
    /// - Returns: its seat.
    mutating func addCaretaker() -> Int {
        seats.append(WorkerSeat(isForeign: false, isCaretaker: true))
        return seats.count - 1
    }

    mutating func dismissCaretakers(_ stage: inout Stage) {
        for seat in seats.indices where seats[seat].isCaretaker {
            seats[seat].isGone = true
            end(seat, restartAfter: 0, &stage)
        }
    }

    mutating func start(_ seat: Int, _ stage: inout Stage) {
        guard seats[seat].process == nil, !seats[seat].isGone else { return }
        let id = stage.newProcess()
        let edition = seats[seat].edition
        let hello = WorkerHello(
            edition: edition, editionName: edition.text, process: Int32(id), machine: seats[seat].machine,
            isCaretaker: seats[seat].isCaretaker)
        seats[seat].process = WorkerProcess(
            id: id, edition: edition, start: stage.now,
            worker: LayoutWorker(hello: hello, limits: stage.scenario.workerLimits))
        seats[seat].link = Link()
        stage.agenda.add(.worker(.ready, seat: seat, process: id), at: stage.now + 50 * Length.millisecond)
        stage.agenda.add(.worker(.tick, seat: seat, process: id), at: stage.now + 60 * Length.millisecond)
    }

    mutating func run(_ step: WorkerStep, _ seat: Int, _ stage: inout Stage) {
        let process = seats[seat].process!
        switch step {
        case .ready: tell(seat, .ready, &stage)
        case .tick:
            stage.agenda.add(.worker(.tick, seat: seat, process: process.id), at: stage.now + 100 * Length.millisecond)
            tell(seat, .tick(stage.now.moment(since: process.start, leap: process.leap)), &stage)
        case .work(let batch): work(batch, seat, &stage)
        case .endCommit(let report): endCommit(report, seat, &stage)
        case .report(let report): tell(seat, .done(report), &stage)
        case .sync(let shard): sync(shard, seat, &stage)
        case .tidy(let shard): tell(seat, .tidied(shard), &stage)
        case .crash:
            stage.tally.poisoned += 1
            end(seat, restartAfter: stage.dice.number(50...400), &stage)
        }
    }

    mutating func tell(_ seat: Int, _ event: LayoutWorker.Event, _ stage: inout Stage) {
        guard let process = seats[seat].process else { return }
        for effect in seats[seat].process!.worker.handle(event) {
            switch effect {
            case .say(let word): say(word, seat, &stage)
            case .work(let batch): begin(batch, seat, process, &stage)
            // The contents of rows are not simulated; the screens that a worker knows are.
            case .prepare: break
            case .sync(let shard):
                stage.agenda.add(
                    .worker(.sync(shard), seat: seat, process: process.id), at: stage.now + stage.diskTime(500...3000))
            case .tidy(let shard):
                stage.agenda.add(
                    .worker(.tidy(shard), seat: seat, process: process.id), at: stage.now + stage.diskTime(500...3000))
            case .leave, .giveUp: end(seat, restartAfter: 100, &stage)
            }
        }
    }

    private func begin(_ batch: Batch, _ seat: Int, _ process: WorkerProcess, _ stage: inout Stage) {
        if batch.jobs.count == 1 {
            let place = ShelfPlace(
                edition: process.edition, shard: stage.shard(of: batch.jobs[0].conversation), job: batch.jobs[0].number)
            stage.ledger.begin(place)
        }
        // A caretaker lays nothing out.
        let isPoisoned = !seats[seat].isCaretaker && batch.jobs.contains { $0.content?.first == EventScript.poison }
        // Now and then a text is very long, and the worker's other jobs wait behind it.
        let length = stage.dice.number(stage.dice.happens(20) ? 30_000...300_000 : 50...400) * (batch.jobs.count + 1)
        stage.agenda.add(
            .worker(isPoisoned ? .crash : .work(batch), seat: seat, process: process.id), at: stage.now + length)
    }

    private mutating func work(_ batch: Batch, _ seat: Int, _ stage: inout Stage) {
        let process = seats[seat].process!
        let shard = Int(batch.shard.number)
        stage.disks.open(process.edition, &stage.dice)
        if let other = stage.disks.files[process.edition]![shard].open, other.process != process.id,
            !isStopped(other.process, stage.now)
        {
            return stage.agenda.add(
                .worker(.work(batch), seat: seat, process: process.id), at: stage.now + Length.millisecond)
        }
        var store = SimulatedShard(
            file: stage.disks.files[process.edition]![shard], process: process.id,
            isFull: stage.now < stage.weather.shardsFullUntil,
            claimed: stage.scenario.bug == .unnamedFile ? batch.origin : nil)
        let isCaretaker = seats[seat].isCaretaker
        var lane = seats[seat].process!.lane
        var borrowed = BorrowedRows(of: batch)
        var report = lane.perform(
            batch, in: &store, describing: { "\($0)" },
            carry: { stage.carried($0, to: process.edition) },
            layOut: { (job, state, stored) throws(Objection) in
                if isCaretaker { return .beyondUs }
                return try SimulatedLayout.layOut(job, state, stored, process.edition, &borrowed)
            })
        report.difference = borrowed.difference
        seats[seat].process!.lane = lane
        stage.disks.files[process.edition]![shard] = store.file
        let step: WorkerStep = store.file.open?.process == process.id ? .endCommit(report) : .report(report)
        stage.agenda.add(.worker(step, seat: seat, process: process.id), at: stage.now + stage.diskTime(100...800))
    }

    /// Ends a commit. If the file is gone meanwhile, so is the transaction.
    private mutating func endCommit(_ report: BatchReport, _ seat: Int, _ stage: inout Stage) {
        let process = seats[seat].process!
        let shard = Int(report.shard.number)
        var report = report
        if stage.disks.files[process.edition]?[shard].open?.process == process.id {
            stage.checkWithdrawals(process.edition, shard)
            stage.disks.files[process.edition]![shard].end(firsts: stage.journal.firsts)
            report.unavailable = stage.disks.files[process.edition]![shard].lost.count
            stage.tally.commits += 1
        } else {
            report.end = .blocked(Objection("the file is gone"))
            seats[seat].process!.lane = BatchWork()
        }
        stage.agenda.add(.worker(.report(report), seat: seat, process: process.id), at: stage.now + 20)
    }

    private mutating func sync(_ shard: Shard, _ seat: Int, _ stage: inout Stage) {
        let edition = seats[seat].process!.edition
        stage.disks.open(edition, &stage.dice)
        guard stage.now >= stage.weather.shardsFullUntil else { return tell(seat, .synced(shard, nil), &stage) }
        tell(seat, .synced(shard, stage.disks.files[edition]![Int(shard.number)].sync()), &stage)
    }

    private func isStopped(_ process: Int, _ now: Instant) -> Bool {
        seats.contains { $0.process?.id == process && now < $0.process!.pausedUntil }
    }

    /// Ends a process, and its transactions with it.
    mutating func end(_ seat: Int, restartAfter milliseconds: Int, _ stage: inout Stage) {
        guard let process = seats[seat].process else { return }
        seats[seat].process = nil
        stage.disks.release(process.id)
        stage.agenda.add(.start(.worker(seat)), at: stage.now + milliseconds * Length.millisecond)
    }

    mutating func evict(_ process: Int, _ machine: String, _ stage: inout Stage) {
        guard machine == "here", let seat = seats.firstIndex(where: { $0.process?.id == process }) else { return }
        stage.tally.evicted += 1
        end(seat, restartAfter: 100, &stage)
    }

    private mutating func say(_ word: WorkerWord, _ seat: Int, _ stage: inout Stage) {
        guard let process = seats[seat].process?.id else { return }
        for at in stage.arrivals(over: &seats[seat].link, isUp: true) {
            stage.agenda.add(.mail(.word(word, seat: seat, process: process)), at: at)
        }
    }

    /// Sends a word of the coordinator: false where no process is there, and that is noticed.
    mutating func send(_ word: CoordinatorWord, to peer: Peer, _ stage: inout Stage) -> Bool {
        let (seat, process) = peer.address
        guard seats[seat].process?.id == process else { return stage.dice.happens(500) }
        for at in stage.arrivals(over: &seats[seat].link, isUp: false) {
            stage.agenda.add(.word(word, seat: seat, process: process), at: at)
        }
        return true
    }
}

extension LayoutJob {
    var content: [UInt8]? { if case .layOut(let state) = work { state.body.content } else { nil } }
}

extension Peer {
    /// The address of a process: its seat and its number.
    init(seat: Int, process: Int) {
        self.init(route: [UInt8(seat)] + (0..<4).map { UInt8(truncatingIfNeeded: process >> ($0 * 8)) })
    }

    var address: (seat: Int, process: Int) {
        (Int(route[0]), route.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) })
    }
}
