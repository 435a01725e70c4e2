import Names
import Pool
import Wire

/// A coordinator, workers, producers, readers and their disks, in a time of its own. All that happens is on one agenda, and all
/// chance comes from one seed, so that the same seed is the same world.
struct World {
    enum Happening {
        case mail(Mail)
        case word(CoordinatorWord, seat: Int, process: Int)
        case answers([EventAnswer], request: Int, seat: Int, process: Int)
        case coordinator(CoordinatorStep, process: Int)
        case worker(WorkerStep, seat: Int, process: Int)
        case producer(seat: Int, process: Int)
        case reader(seat: Int, process: Int)
        case start(Role)
        case fault
        case roll(seat: Int)
        case want(EditionID)
        case glance
        case heal
        case look
    }

    enum Mail {
        case word(WorkerWord, seat: Int, process: Int)
        case request([Int], Lane, number: Int, seat: Int, process: Int)
        /// A reader waits for a message.
        case wish(Shard, MessageNumber)
        /// A reader asks for a screen that no style prepares.
        case screen(WantedTarget)
        /// An operator wants an edition to be served.
        case roll(EditionID)
    }

    enum Role: Equatable {
        case coordinator
        case worker(Int)
        case producer(Int)
        case reader(Int)
    }

    let scenario: Scenario
    var dice: Dice
    /// Of their own, so that what else happens under a seed is what happens without them.
    var wishDice: Dice
    var screenDice: Dice
    var forgetDice: Dice
    var now = Instant.start
    var agenda = Agenda<Happening>()
    let script: Script
    var journal: SimulatedJournal
    var files: [EditionID: [ShardFile]] = [:]
    /// Shards of which the file was lost, in any edition.
    var lost: Set<Shard> = []
    /// Messages whose content was gone when a file was lost that may have had all that was left of them.
    var bereft: Set<MessageNumber> = []
    /// Messages that a reader was told are unavailable, and by which job.
    var told: [MessageNumber: JobNumber] = [:]
    var coordinator: CoordinatorProcess?
    var workers: [WorkerSeat] = []
    var producers: [ProducerSeat] = []
    var readers: [ReaderSeat] = []
    var weather = Weather()
    /// What became of each line of the script, as far as its producer knows.
    var verdicts: [EventAnswer?]
    /// Lines that are in the journal.
    var journaled: Set<Int> = []
    /// Lines that their producer gave up.
    var givenUp: Set<Int> = []
    /// Events that were answered busy while the weather was bad.
    var toldBusy: Set<Int> = []
    /// What readers are told of editions.
    var view: EditionView?
    var served: EditionID? { view?.current }
    /// Which edition the folder says is to be served; nil while the first worker brings its own.
    var wanted: EditionID?
    /// The walk through what was there waits until somebody has looked at what readers see meanwhile.
    var isHeldUp = false
    /// How often somebody looked, and something was still on its way.
    var glances = 0
    var tally = RunTally()
    var findings: [String] = []
    var lastProcess = 0
    var lastRequest = 0
    /// The worker that was given a shard under an epoch.
    var leases: [LeaseName: Int] = [:]
    /// The newest job of each shard when the last walk through an edition began.
    var walked: [EditionID: [JobNumber]] = [:]
    /// How often a worker began with this job alone.
    var begun: [ShelfPlace: Int] = [:]
    /// Jobs that may have brought a worker down, and how often that was only likely.
    var suspected: [ShelfPlace: Int] = [:]
    /// Messages for which readers have waited: they may come before others.
    var wished: Set<MessageNumber> = []
    var isOver = false
    private var deadline = Instant.never

    /// In which file of an edition a shard is.
    func file(of shard: Shard, in edition: EditionID) -> Int { Int(scenario.map(of: edition).file(of: shard).number) }
    func shard(of conversation: ConversationID) -> Shard { Shard(of: conversation, among: scenario.shards) }

    struct LeaseName: Hashable {
        var edition: EditionID
        var file: Shard
        var epoch: LeaseEpoch
    }

    init(_ scenario: Scenario, dice: Dice) {
        (self.scenario, self.dice, wishDice) = (scenario, dice, Dice(seed: ~scenario.seed))
        screenDice = Dice(seed: ~scenario.seed << 1)
        forgetDice = Dice(seed: ~scenario.seed << 5)
        script = Script(scenario, &self.dice)
        journal = SimulatedJournal(shards: scenario.shards, bug: scenario.bug)
        verdicts = Array(repeating: nil, count: script.lines.count)
        let foreign = self.dice.happens(300)
        for seat in 0..<scenario.workers { workers.append(WorkerSeat(isForeign: foreign && seat == 0)) }
        for seat in 0..<scenario.producers { producers.append(ProducerSeat(script, seat)) }
        for _ in 0..<scenario.readers { readers.append(ReaderSeat(shards: scenario.shards)) }
        weather = Weather(scenario.faults)
        // Where a worker brings the first edition, each shard has a file of its own.
        if scenario.map(of: Scenario.old).files < scenario.shards { wanted = Scenario.old }
        plan()
    }

    private mutating func plan() {
        agenda.add(.start(.coordinator), at: now)
        for seat in workers.indices { agenda.add(.start(.worker(seat)), at: now + dice.number(0...200_000)) }
        for seat in producers.indices { agenda.add(.start(.producer(seat)), at: now) }
        for seat in readers.indices { agenda.add(.start(.reader(seat)), at: now) }
        if scenario.faults.contains(where: \.isEvent) {
            for _ in 0..<scenario.faultEvents {
                agenda.add(.fault, at: Instant(dice.number(scenario.duration / 50...scenario.duration)))
            }
        }
        if scenario.isRolling {
            agenda.add(.want(Scenario.new), at: Instant(scenario.duration / 2))
            for seat in workers.indices {
                agenda.add(.roll(seat: seat), at: Instant(scenario.duration / 2 + seat * Length.second))
            }
        }
        if scenario.isUpgrade {
            isHeldUp = true
            agenda.add(.glance, at: Instant(scenario.duration) + 23 * Length.second)
        }
        agenda.add(.heal, at: Instant(scenario.duration) + 3 * Length.second)
    }

    /// Until all is done, or nothing more is to be hoped for.
    mutating func run() {
        while !isOver, let next = agenda.next() {
            now = next.at
            tally.steps += 1
            happen(next.item)
        }
        check()
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .mail(let mail): receive(mail)
        case .word(let word, let seat, let process):
            guard workers[seat].process?.id == process, !isPaused(happening, workers[seat].process?.pausedUntil) else {
                return
            }
            tell(seat, .heard(word))
        case .answers(let answers, let request, let seat, let process):
            guard producers[seat].process == process else { return }
            hear(answers, request, seat)
        case .coordinator(let step, let process):
            guard coordinator?.id == process, !isPaused(happening, coordinator?.pausedUntil) else { return }
            run(step)
        case .worker(let step, let seat, let process):
            guard workers[seat].process?.id == process, !isPaused(happening, workers[seat].process?.pausedUntil) else {
                return
            }
            run(step, seat)
        case .producer(let seat, let process):
            guard producers[seat].process == process else { return }
            send(seat)
        case .reader(let seat, let process):
            guard readers[seat].process == process else { return }
            read(seat)
        case .start(let role): start(role)
        case .fault: if weather.isBad { strike() }
        case .roll(let seat): roll(seat)
        case .want(let edition): want(edition)
        case .glance: glance()
        case .heal: heal()
        case .look: look()
        }
    }

    /// What comes to a process that is stopped waits until it goes on.
    private mutating func isPaused(_ happening: Happening, _ until: Instant?) -> Bool {
        guard let until, now < until else { return false }
        agenda.add(happening, at: until)
        return true
    }

    mutating func newProcess() -> Int {
        lastProcess += 1
        return lastProcess
    }

    private mutating func heal() {
        weather.clear()
        coordinator?.pausedUntil = now
        for seat in workers.indices {
            workers[seat].process?.pausedUntil = now
            workers[seat].link.partitionedUntil = now
        }
        for seat in producers.indices { producers[seat].link.partitionedUntil = now }
        deadline = now + 300 * Length.second
        agenda.add(.look, at: now + 100 * Length.millisecond)
    }

    private mutating func look() {
        if isAtRest {
            isOver = true
        } else if now >= deadline {
            findings.append("it does not come to rest: \(unrest)")
            isOver = true
        } else {
            agenda.add(.look, at: now + 100 * Length.millisecond)
        }
    }
}

/// How much goes wrong by itself just now, in thousandths.
struct Weather {
    private(set) var isBad = true
    private(set) var loss = 0
    private(set) var duplication = 0
    private(set) var delay = 0
    private(set) var isReordering = false
    var journalFullUntil = Instant.start
    var shardsFullUntil = Instant.start
    var slowUntil = Instant.start

    init() {}

    init(_ faults: Set<Fault>) {
        if faults.contains(.loss) { loss = 10 }
        if faults.contains(.duplication) { duplication = 10 }
        if faults.contains(.delay) { delay = 20 }
        isReordering = faults.contains(.reordering)
    }

    mutating func clear() {
        self = Weather()
        isBad = false
    }
}
