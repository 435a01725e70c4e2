import Names
import Pool
import Wire

extension World {
    mutating func start(_ role: ProcessRole) {
        switch role {
        case .coordinator: startCoordinator()
        case .worker(let seat): workers.start(seat, &stage)
        case .helper(let seat): helpers.start(seat, &stage)
        case .producer(let seat): producers.start(seat, &stage)
        case .reader(let seat): readers.start(seat, &stage)
        }
    }

    /// Makes a fault happen, of a kind that this seed has.
    mutating func strike() {
        let fault = stage.dice.one(of: Fault.allCases.filter { $0.isEvent && stage.scenario.faults.contains($0) })
        stage.tally.faults[fault, default: 0] += 1
        switch fault {
        case .workerCrash:
            let seat = stage.dice.number(0...workers.count - 1)
            workers.end(seat, restartAfter: stage.dice.number(50...1500), &stage)
        case .coordinatorCrash: endCoordinator(restartAfter: stage.dice.number(50...2000))
        case .producerCrash:
            let seat = stage.dice.number(0...producers.indices.count - 1)
            producers.end(seat)
            stage.agenda.add(.start(.producer(seat)), at: stage.now + stage.dice.number(10...1000) * Length.millisecond)
        case .readerCrash:
            let seat = stage.dice.number(0...readers.indices.count - 1)
            readers.end(seat)
            stage.agenda.add(.start(.reader(seat)), at: stage.now + stage.dice.number(10...1000) * Length.millisecond)
        case .pause: pause(until: stage.now + stage.dice.number(100...6000) * Length.millisecond)
        case .clockJump: leap(stage.dice.number(-5...20) * Length.second)
        case .partition: partition(until: stage.now + stage.dice.number(300...6000) * Length.millisecond)
        case .diskFull: fillDisks(until: stage.now + stage.dice.number(100...3000) * Length.millisecond)
        case .slowDisk: stage.weather.slowUntil = stage.now + stage.dice.number(300...3000) * Length.millisecond
        case .powerLoss: losePower()
        case .lostFile: loseFile()
        case .lostLog: for _ in 0..<(stage.dice.happens(200) ? 2 : 1) { loseLog() }
        case .loss, .duplication, .reordering, .delay, .poison: break
        }
    }

    private mutating func endCoordinator(restartAfter milliseconds: Int) {
        guard coordinator != nil else { return }
        coordinator = nil
        stage.agenda.add(.start(.coordinator), at: stage.now + milliseconds * Length.millisecond)
    }

    private mutating func pause(until: Instant) {
        let seat = stage.dice.number(0...workers.count)
        if seat == workers.count {
            coordinator?.pausedUntil = until
        } else {
            workers.pause(seat, until: until)
        }
    }

    private mutating func leap(_ microseconds: Int) {
        let seat = stage.dice.number(0...workers.count)
        if seat == workers.count {
            coordinator?.leap += microseconds
        } else {
            workers.leap(seat, microseconds)
        }
    }

    private mutating func partition(until: Instant) {
        let seat = stage.dice.number(0...workers.count + producers.indices.count - 1)
        if seat < workers.count {
            workers.partition(seat, until: until)
        } else {
            producers.partition(seat - workers.count, until: until)
        }
    }

    private mutating func fillDisks(until: Instant) {
        if stage.dice.happens(600) { stage.weather.journalFullUntil = until }
        if stage.dice.happens(600) { stage.weather.shardsFullUntil = until }
    }

    /// Cuts the power of one machine: producers and readers are elsewhere.
    private mutating func losePower() {
        endCoordinator(restartAfter: stage.dice.number(500...2000))
        for seat in workers.indices { workers.end(seat, restartAfter: stage.dice.number(500...2000), &stage) }
        stage.disks.losePower(&stage.dice)
    }

    /// Loses commits unnoticed where that bug is planted; else the file is replaced by another.
    private mutating func loseLog() {
        guard let (edition, file) = stage.disks.anyFile(&stage.dice) else { return }
        guard stage.scenario.bug == .unnoticedLoss else { return loseFile(edition, file) }
        stage.disks.files[edition]![file].loseLog(of: UInt64(stage.dice.number(1...200)))
    }

    private mutating func loseFile() {
        if let (edition, file) = stage.disks.anyFile(&stage.dice) { loseFile(edition, file) }
    }

    private mutating func loseFile(_ edition: EditionID, _ file: Int) {
        for shard in stage.disks.shards(of: edition, file) { content.bereave(shard, stage) }
        let findings = stage.disks.replace(
            edition, file, by: ShardOrigin(stage.dice.next()), ordersAfter: stage.journal.latest)
        for finding in findings { stage.ledger.find(finding) }
    }
}
