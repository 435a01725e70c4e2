import Names
import Pool
import Wire

enum HelperStep {
    case ready
    case tick
    /// All jobs of the batch are laid out.
    case make(Batch)
}

/// Workers of other hosts: they lay out and store nothing, end and begin again without a word, and one of them may
/// make wrong rows.
struct Helpers {
    private var seats: [Seat]
    /// Dice of their own.
    private var dice: Dice

    private struct Seat {
        var process: Process?
        var link = Link()
        /// The number of rows that it has made.
        var made = 0
        /// Whether the coordinator has turned it away.
        var isDismissed = false
    }

    private struct Process {
        let id: Int
        let edition: EditionID
        let start: Instant
        var worker: RemoteWorker
    }

    /// The first seat, behind those of workers.
    static let firstSeat = 128
    /// The number of rows that the first one makes right, before it makes wrong ones.
    private static let rightRows = 5

    init(_ scenario: Scenario) {
        seats = Array(repeating: Seat(), count: scenario.helpers)
        dice = Dice(seed: ~scenario.seed << 9)
    }

    var indices: Range<Int> { seats.indices }

    func isRunning(_ process: Int, at seat: Int) -> Bool { seats[seat].process?.id == process }

    mutating func start(_ seat: Int, _ stage: inout Stage) {
        guard seats[seat].process == nil, !seats[seat].isDismissed else { return }
        let (id, edition) = (stage.newProcess(), stage.served ?? Scenario.old)
        var hello = WorkerHello(edition: edition, editionName: "", process: Int32(id), machine: "host \(seat)")
        hello.isRemote = true
        seats[seat].process = Process(
            id: id, edition: edition, start: stage.now,
            worker: RemoteWorker(hello: hello, limits: stage.scenario.workerLimits))
        seats[seat].link = Link()
        add(.ready, seat, after: 50 * Length.millisecond, &stage)
        add(.tick, seat, after: 60 * Length.millisecond, &stage)
    }

    private func add(_ step: HelperStep, _ seat: Int, after time: Int, _ stage: inout Stage) {
        guard let process = seats[seat].process?.id else { return }
        stage.agenda.add(.helper(step, seat: seat, process: process), at: stage.now + time)
    }

    mutating func run(_ step: HelperStep, _ seat: Int, _ stage: inout Stage) {
        guard let process = seats[seat].process else { return }
        switch step {
        case .ready: perform(process.worker.introduction, seat, &stage)
        case .tick:
            // It ends now and then, whatever it holds.
            if stage.weather.isBad, dice.happens(15) { return end(seat, &stage) }
            add(.tick, seat, after: 100 * Length.millisecond, &stage)
            tell(seat, .tick(stage.now.moment(since: process.start, leap: 0)), &stage)
        case .make(let batch): tell(seat, .made(batch.id, rows(of: batch, seat, process.edition, stage)), &stage)
        }
    }

    mutating func tell(_ seat: Int, _ event: RemoteWorker.Event, _ stage: inout Stage) {
        guard let effects = seats[seat].process?.worker.handle(event) else { return }
        perform(effects, seat, &stage)
    }

    private mutating func perform(_ effects: [RemoteWorker.Effect], _ seat: Int, _ stage: inout Stage) {
        for effect in effects {
            switch effect {
            case .say(let word): say(word, seat, &stage)
            case .layOut(let batch):
                if batch.jobs.contains(where: { $0.content?.first == EventScript.poison }) { return end(seat, &stage) }
                let length = dice.number(dice.happens(30) ? 300_000...2_000_000 : 50...4000)
                add(.make(batch), seat, after: length, &stage)
            case .prepare: break
            case .leave: end(seat, &stage)
            case .giveUp:
                seats[seat].isDismissed = true
                end(seat, &stage)
            }
        }
    }

    /// The rows of a batch. Now and then some are left out, as if they were too long.
    private mutating func rows(of batch: Batch, _ seat: Int, _ edition: EditionID, _ stage: Stage) -> [UInt8] {
        var bytes: [UInt8] = []
        for (place, job) in batch.jobs.enumerated() {
            guard case .layOut(let state) = job.work, state.body.content.first != EventScript.refused, !dice.happens(20)
            else {
                continue
            }
            var key = SimulatedLayout.key(state, edition)
            seats[seat].made += 1
            if seat == 0, stage.scenario.isHelperWrong, seats[seat].made > Self.rightRows { key[0] ^= 0xFF }
            let row = MadeRow(
                place: UInt16(place), template: SimulatedLayout.role.template,
                joinsSeries: SimulatedLayout.role.joinsSeries, key: key, layout: key, measured: [])
            bytes += row.encoded()
        }
        return bytes
    }

    private mutating func end(_ seat: Int, _ stage: inout Stage) {
        seats[seat].process = nil
        stage.agenda.add(.start(.helper(seat)), at: stage.now + dice.number(50...1500) * Length.millisecond)
    }

    private mutating func say(_ word: WorkerWord, _ seat: Int, _ stage: inout Stage) {
        guard let process = seats[seat].process?.id else { return }
        for at in stage.arrivals(over: &seats[seat].link, isUp: true) {
            stage.agenda.add(.mail(.word(word, seat: Self.firstSeat + seat, process: process)), at: at)
        }
    }

    /// Sends a word of the coordinator: false where no process is there, and that is noticed.
    mutating func send(_ word: CoordinatorWord, to peer: Peer, _ stage: inout Stage) -> Bool {
        let (seat, process) = (peer.address.seat - Self.firstSeat, peer.address.process)
        guard seats[seat].process?.id == process else { return dice.happens(500) }
        for at in stage.arrivals(over: &seats[seat].link, isUp: false) {
            stage.agenda.add(.helperWord(word, seat: seat, process: process), at: at)
        }
        return true
    }
}

extension Peer {
    /// Whether this is a worker of another host.
    var isHelper: Bool { address.seat >= Helpers.firstSeat }
}
