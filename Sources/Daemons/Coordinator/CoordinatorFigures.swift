import Glibc
import Operations
import Pool
import Storage
import Wire

/// The figures of a coordinator: the counts of its answers, and the state of itself, its workers and the disk when it
/// is asked for them.
struct CoordinatorFigures {
    private var figures = PoolFigures()
    /// Meters of editions, and of rows that are extended for added screens.
    private var editions: [EditionID: WorkMeter] = [:]
    private var screens = WorkMeter()
    private var watch: ExtensionWatch?
    private var question: ExtensionWatch.Question?
    /// Workers whose restart was counted.
    private var restarted: Set<Int32> = []

    /// - Parameter time: the time from the turn in which events were read to now, when they are answered.
    mutating func note(_ answers: [Judgement], after time: Duration) {
        for judgement in answers { figures.answers.count(judgement.answer) }
        figures.acknowledged.record(time, times: answers.count)
    }

    /// Takes the figures of layouts that workers of this host and of others made.
    mutating func note(_ layouts: LayoutFigures) { figures.layouts += layouts }

    /// Tells the operator of a notice, and counts a worker that `forme serve` has started again since this process
    /// began.
    mutating func tell(_ notice: PoolNotice) throws {
        notice.tell()
        guard case .workerJoined(_, let hello) = notice, hello.machine == (try Machine.name()),
            let again = ProcessFacts.restarts(of: hello.process), again > 0,
            let (own, its) = ProcessFacts.starts(of: getpid(), hello.process), its > own
        else { return }
        if restarted.count >= Self.mostRestarted { restarted = [] }
        if restarted.insert(hello.process).inserted { figures.work.restarts += 1 }
    }

    private static let mostRestarted = 4096

    /// - Parameters:
    ///   - folder: the folder of journal and cache.
    ///   - times: the times of the coordinator itself.
    mutating func current(
        of dispatcher: Dispatcher, _ journal: borrowing SQLiteJournal, in folder: DataFolder, _ times: StageTimes,
        at now: Moment
    ) throws -> PoolFigures {
        try measure(dispatcher, before: journal.nextPosition, in: folder, at: now)
        var figures = dispatcher.completed(figures)
        figures.work.journal = journal.times
        figures.diskLeft = DiskLeft.bytes(at: folder.path)
        figures.processes = [.init(kind: "coordinator", of: getpid(), times)]
        let machine = try? Machine.name()
        for worker in dispatcher.status.workers {
            let id = worker.hello.process
            figures.processes.append(
                worker.hello.machine == machine
                    ? .init(kind: "worker", of: id, worker.times)
                    : .init(kind: "worker elsewhere", id: id, memory: nil, handles: nil, times: worker.times))
        }
        return figures
    }

    /// Measures long work. A gateway asks twice a second, and so do those who watch: that is often enough for a rate.
    private mutating func measure(
        _ dispatcher: Dispatcher, before end: LogPosition, in folder: DataFolder, at now: Moment
    ) throws {
        let shares = dispatcher.shares(before: end)
        editions = editions.filter { known in shares.contains { $0.edition == known.key } }
        for share in shares { editions[share.edition, default: WorkMeter()].note(share.done, at: now) }
        figures.work.editions = shares.compactMap { share in
            editions[share.edition]?.share.map { .init(edition: share.edition.text, work: $0) }
        }
        try measureScreens(dispatcher, in: folder, at: now)
        figures.work.screens = screens.share
    }

    private mutating func measureScreens(_ dispatcher: Dispatcher, in folder: DataFolder, at now: Moment) throws {
        let targets = dispatcher.demand.targets
        guard !targets.isEmpty, let served = dispatcher.servedEngine?.edition else { return screens = WorkMeter() }
        let present = ExtensionWatch.Question(edition: served, targets: targets)
        if question != present { (question, screens) = (present, WorkMeter()) }
        var watch = try self.watch ?? ExtensionWatch(folder)
        for done in watch.turn(present, at: now) { screens.note(done, at: now) }
        self.watch = watch
    }
}

extension PoolFigures.Process {
    fileprivate init(kind: String, of process: Int32, _ times: StageTimes) {
        let facts = ProcessFacts(of: process)
        self.init(kind: kind, id: process, memory: facts.memory, handles: facts.handles, times: times)
    }
}
