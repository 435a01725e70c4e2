import Pool
import Wire

extension World {
    mutating func start(_ role: Role) {
        switch role {
        case .coordinator: startCoordinator()
        case .worker(let seat): startWorker(seat)
        case .producer(let seat): startProducer(seat)
        case .reader(let seat): startReader(seat)
        }
    }

    /// Something goes wrong, of a kind that this seed has.
    mutating func strike() {
        let fault = dice.one(of: Fault.allCases.filter { $0.isEvent && scenario.faults.contains($0) })
        tally.faults[fault, default: 0] += 1
        switch fault {
        case .workerCrash: end(dice.number(0...workers.count - 1), restartAfter: dice.number(50...1500))
        case .coordinatorCrash: endCoordinator(restartAfter: dice.number(50...2000))
        case .producerCrash:
            let seat = dice.number(0...producers.count - 1)
            producers[seat].process = nil
            agenda.add(.start(.producer(seat)), at: now + dice.number(10...1000) * Length.millisecond)
        case .readerCrash:
            let seat = dice.number(0...readers.count - 1)
            readers[seat].process = nil
            agenda.add(.start(.reader(seat)), at: now + dice.number(10...1000) * Length.millisecond)
        case .pause: pause(until: now + dice.number(100...6000) * Length.millisecond)
        case .clockJump: leap(dice.number(-5...20) * Length.second)
        case .partition: partition(until: now + dice.number(300...6000) * Length.millisecond)
        case .diskFull: fillDisks(until: now + dice.number(100...3000) * Length.millisecond)
        case .slowDisk: weather.slowUntil = now + dice.number(300...3000) * Length.millisecond
        case .powerLoss: losePower()
        case .lostFile: loseFile()
        case .lostLog: for _ in 0..<(dice.happens(200) ? 2 : 1) { loseLog() }
        case .loss, .duplication, .reordering, .delay, .poison: break
        }
    }

    private mutating func endCoordinator(restartAfter milliseconds: Int) {
        guard coordinator != nil else { return }
        coordinator = nil
        agenda.add(.start(.coordinator), at: now + milliseconds * Length.millisecond)
    }

    private mutating func pause(until: Instant) {
        let seat = dice.number(0...workers.count)
        if seat == workers.count {
            coordinator?.pausedUntil = until
        } else {
            workers[seat].process?.pausedUntil = until
        }
    }

    private mutating func leap(_ microseconds: Int) {
        let seat = dice.number(0...workers.count)
        if seat == workers.count {
            coordinator?.leap += microseconds
        } else {
            workers[seat].process?.leap += microseconds
        }
    }

    private mutating func partition(until: Instant) {
        let seat = dice.number(0...workers.count + producers.count - 1)
        if seat < workers.count {
            workers[seat].link.partitionedUntil = until
        } else {
            producers[seat - workers.count].link.partitionedUntil = until
        }
    }

    private mutating func fillDisks(until: Instant) {
        if dice.happens(600) { weather.journalFullUntil = until }
        if dice.happens(600) { weather.shardsFullUntil = until }
    }

    /// Of one machine: producers and readers are elsewhere.
    private mutating func losePower() {
        endCoordinator(restartAfter: dice.number(500...2000))
        for seat in workers.indices { end(seat, restartAfter: dice.number(500...2000)) }
        for edition in files.keys.sorted() {
            for shard in files[edition]!.indices {
                files[edition]![shard].losePower(upTo: UInt64(dice.number(0...3)))
            }
        }
    }

    /// Not noticed where that bug is planted; else the file is another one from then on.
    private mutating func loseLog() {
        guard !files.isEmpty else { return }
        let edition = dice.one(of: files.keys.sorted())
        let file = dice.number(0...scenario.map(of: edition).files - 1)
        guard scenario.bug == .unnoticedLoss else { return loseFile(edition, file) }
        files[edition]![file].loseLog(of: UInt64(dice.number(1...200)))
    }

    private mutating func loseFile() {
        guard !files.isEmpty else { return }
        let edition = dice.one(of: files.keys.sorted())
        loseFile(edition, dice.number(0...scenario.map(of: edition).files - 1))
    }

    private mutating func loseFile(_ edition: EditionID, _ file: Int) {
        for shard in scenario.map(of: edition).shards(of: FileNumber(UInt16(file))) {
            lost.insert(shard)
            bereave(shard)
        }
        findings += files[edition]![file].audit.findings
        files[edition]![file] = ShardFile(
            origin: ShardOrigin(dice.next()), ordersAfter: journal.latest, bug: scenario.bug)
    }
}
