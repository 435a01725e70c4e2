import Names
import Pool
import Wire

/// A coordinator, workers, producers, readers and their disks, in a time of its own. All events are on one agenda,
/// and all chance comes from one seed, so that the same seed is the same world.
struct World {
    var stage: Stage
    var coordinator: CoordinatorProcess?
    var workers: Workers
    var helpers: Helpers
    var producers: Producers
    var readers: Readers
    var content: LapsedContent
    /// The edition that the folder says is to be served; nil while the first worker brings its own.
    var wanted: EditionID?
    /// Whether the walk through older messages waits until the readers' rows have been checked meanwhile. In a
    /// hurried edition it does so from the time when that is served.
    var isHeldUp = false
    /// The number of checks that found something still on its way.
    var glances = 0
    var hasGlanced = false
    private var isOver = false
    private var deadline = Instant.never

    init(_ scenario: Scenario, dice: Dice) {
        stage = Stage(scenario, dice: dice)
        workers = Workers(scenario.workers, isForeign: stage.dice.happens(300))
        helpers = Helpers(scenario)
        producers = Producers(scenario.producers, stage.script)
        (readers, content) = (Readers(scenario), LapsedContent(scenario))
        // Where a worker brings the first edition, each shard has a file of its own.
        if scenario.map(of: Scenario.old).files < scenario.shards { wanted = Scenario.old }
        plan()
    }

    private mutating func plan() {
        stage.agenda.add(.start(.coordinator), at: stage.now)
        for seat in workers.indices {
            stage.agenda.add(.start(.worker(seat)), at: stage.now + stage.dice.number(0...200_000))
        }
        for seat in helpers.indices { stage.agenda.add(.start(.helper(seat)), at: stage.now + Length.second) }
        for seat in producers.indices { stage.agenda.add(.start(.producer(seat)), at: stage.now) }
        for seat in readers.indices { stage.agenda.add(.start(.reader(seat)), at: stage.now) }
        if stage.scenario.faults.contains(where: \.isEvent) {
            for _ in 0..<stage.scenario.faultEvents {
                stage.agenda.add(
                    .fault, at: Instant(stage.dice.number(stage.scenario.duration / 50...stage.scenario.duration)))
            }
        }
        if stage.scenario.isRolling {
            stage.agenda.add(.want(Scenario.new), at: Instant(stage.scenario.duration / 2))
            for seat in workers.indices {
                stage.agenda.add(.roll(seat: seat), at: Instant(stage.scenario.duration / 2 + seat * Length.second))
            }
        }
        if stage.scenario.isUpgrade || stage.scenario.isHurried {
            // A hurried edition is held up when it is served.
            isHeldUp = !stage.scenario.isHurried
            stage.agenda.add(.glance, at: Instant(stage.scenario.duration) + 23 * Length.second)
        }
        stage.agenda.add(.heal, at: Instant(stage.scenario.duration) + 3 * Length.second)
    }

    /// Runs until all is done, or until the deadline.
    mutating func run() {
        while !isOver, let next = stage.agenda.next() {
            stage.now = next.at
            stage.tally.steps += 1
            happen(next.item)
        }
        check()
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .mail(let mail): receive(mail)
        case .word(let word, let seat, let process):
            guard workers.isRunning(process, at: seat), !isPaused(happening, workers.pausedUntil(at: seat)) else {
                return
            }
            workers.tell(seat, .heard(word), &stage)
        case .answers(let answers, let request, let seat, let process):
            guard producers.isRunning(process, at: seat) else { return }
            producers.hear(answers, request, seat, &stage)
        case .coordinator(let step, let process):
            guard coordinator?.id == process, !isPaused(happening, coordinator?.pausedUntil) else { return }
            run(step)
        case .worker(let step, let seat, let process):
            guard workers.isRunning(process, at: seat), !isPaused(happening, workers.pausedUntil(at: seat)) else {
                return
            }
            workers.run(step, seat, &stage)
        case .helper(let step, let seat, let process):
            if helpers.isRunning(process, at: seat) { helpers.run(step, seat, &stage) }
        case .helperWord(let word, let seat, let process):
            if helpers.isRunning(process, at: seat) { helpers.tell(seat, .heard(word), &stage) }
        case .producer(let seat, let process):
            guard producers.isRunning(process, at: seat) else { return }
            producers.send(seat, &stage)
        case .reader(let seat, let process):
            guard readers.isRunning(process, at: seat) else { return }
            read(seat)
        case .start(let role): start(role)
        case .fault: if stage.weather.isBad { strike() }
        case .roll(let seat): roll(seat)
        case .want(let edition): want(edition)
        case .glance: glance()
        case .heal: heal()
        case .look: look()
        }
    }

    /// Puts off an event for a process that is stopped until it goes on.
    private mutating func isPaused(_ happening: Happening, _ until: Instant?) -> Bool {
        guard let until, stage.now < until else { return false }
        stage.agenda.add(happening, at: until)
        return true
    }

    private mutating func heal() {
        stage.weather.clear()
        coordinator?.pausedUntil = stage.now
        for seat in workers.indices {
            workers.pause(seat, until: stage.now)
            workers.partition(seat, until: stage.now)
        }
        for seat in producers.indices { producers.partition(seat, until: stage.now) }
        deadline = stage.now + 300 * Length.second
        stage.agenda.add(.look, at: stage.now + 100 * Length.millisecond)
    }

    private mutating func look() {
        if isAtRest {
            isOver = true
        } else if stage.now >= deadline {
            stage.ledger.find("it does not come to rest: \(unrest)")
            isOver = true
        } else {
            stage.agenda.add(.look, at: stage.now + 100 * Length.millisecond)
        }
    }

    /// Lets a reader read. Where content is forgotten, some of it goes at the same time.
    private mutating func read(_ seat: Int) {
        readers.read(seat, &stage)
        guard stage.scenario.isForgetting else { return }
        if content.isDue(), stage.weather.isBad || !isAtRest { content.forget(&stage) }
        content.askForMissing(&stage)
    }
}
