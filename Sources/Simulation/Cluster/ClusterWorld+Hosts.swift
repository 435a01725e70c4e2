import Names
import Pool
import Replication
import Wire

// The shell of a host: it passes events of the log to its replicas, and carries out their effects.
extension ClusterWorld {
    mutating func start(_ host: Int) {
        guard hosts[host].process == nil else { return }
        let id = newProcess()
        (engine.unheard[id], engine.deaf[id]) = (hosts[host].unheardUntil, hosts[host].deafUntil)
        if let fault = hosts[host].catchUp(scenario.bug) { return stop(host, fault) }
        hosts[host].process = HostProcess(id, of: hosts[host], scenario, SimulatedLog(engine, client: id), at: now)
        if scenario.bug == .claimedUnread {
            for partition in partitions {
                let last = hosts[host][partition].trail.last.sequence
                tell(host, partition, .end(LogExtent(last: last, trimmed: .zero)))
            }
        }
        agenda.add(.tick(host: host, process: id), at: now + 1)
        agenda.add(.layOut(host: host, process: id), at: now + dice.number(1...200) * Length.millisecond)
    }

    /// Takes the events that have come from the log.
    mutating func drain(_ host: Int) {
        hosts[host].process!.log.now = now
        for event in hosts[host].process!.log.takeEvents() {
            switch event {
            case .entry(let partition, let sequence, let bytes):
                // Logs are seldom lost one by one otherwise, and only then may a host ask one that has lost another.
                let isSpoiled = scenario.bug == .worseJournalCopied && isBad && dice.happens(10)
                let entry = hosts[host].opened(bytes, partition, sequence, in: scenario)
                tell(host, Int(partition.number), isSpoiled ? .unreadable(sequence, .doesNotOpen) : entry)
            case .end(let partition, let extent):
                let place = Int(partition.number)
                tell(host, place, .end(extent))
                // Drops no further than the replica: records of a lost one behind its first anchor are still to be
                // salvaged, maybe by the next process.
                let first = hosts[host].process!.replicas[place].trail.first.sequence
                hosts[host][place].trail.drop(before: first)
            case .reset(let partition): tell(host, Int(partition.number), .reset)
            case .appended, .overtaken, .full, .unknown: settle(host, event)
            }
        }
    }

    private mutating func settle(_ host: Int, _ event: LogEvent) {
        if case .unknown = event { tally.unknown += 1 }
        let heard = hosts[host].process!.planted(event, scenario.bug)
        for (append, outcome) in hosts[host].process!.queue.take(heard) {
            let behind = append.behind
            switch outcome {
            case .appended:
                tell(host, Int(append.partition.number), .appended(behind: behind, ChainLink(behind: append.bytes)))
            case .refused: tell(host, Int(append.partition.number), .refused(behind: behind))
            case .full: tell(host, Int(append.partition.number), .full(behind: behind))
            }
        }
    }

    mutating func tell(_ host: Int, _ partition: Int, _ event: Replica.Event) {
        guard let effects = hosts[host].process?.replicas[partition].handle(event) else { return }
        for effect in effects { perform(effect, host, partition) }
    }

    private mutating func perform(_ effect: Replica.Effect, _ host: Int, _ partition: Int) {
        let name = Partition(UInt16(partition))
        switch effect {
        case .read(let after):
            hosts[host].process!.log.now = now
            hosts[host].process!.log.read(name, after: after, limit: 16)
        case .append(let record, let behind): hosts[host].append(record, behind: behind, name, in: scenario)
        case .withdraw: hosts[host].process!.queue.withdraw(name)
        case .trim(let place): trim(to: place, host, partition)
        case .begin(let after, let end):
            hosts[host].process!.log.now = now
            hosts[host].process!.log.begin(name, after: after, inPlaceOf: end)
        case .apply(let entry, let anchor, let isThere):
            let place = hosts[host].place(of: partition)
            let at = max(now, hosts[host].process!.recordsUntil[place]) + diskTime(host)
            hosts[host].process!.recordsUntil[place] = at
            agenda.add(
                .written(host: host, process: hosts[host].process!.id, partition, entry, anchor, isThere: isThere),
                at: at)
        case .settle(let isKept): settle(host, partition, isKept)
        case .restore(let position):
            if scenario.bug == .longerJournalIgnored {
                hosts[host].disks[hosts[host].place(of: partition)].cut(partition, to: position)
            }
            tell(host, partition, .surplus(hosts[host].disk(of: partition).turns(of: partition, from: position)))
        case .salvage(let position): salvage(host, partition, from: position)
        case .copy(let source): fetch(partition, from: source, host)
        case .tell(let mark): for other in hosts.indices where other != host { say(.mark(mark), from: host, to: other) }
        case .makeKey(let number):
            let key = hosts[host][partition].makeKey(number, &dice)
            tell(host, partition, .stored(number, key))
        case .storeKey(let number, let key):
            hosts[host][partition].keys[number] = key
            tell(host, partition, .stored(number, key))
        case .giveKey(let other, let number, let key):
            say(.key(name, number, key), from: host, to: scenario.hosts.firstIndex(of: other)!)
        case .wipeKeys(let through): hosts[host][partition].wipeKeys(through: through)
        case .call(let heir, let end):
            say(.call(name, end: end), from: host, to: scenario.hosts.firstIndex(of: heir)!)
        case .notice(let notice): tally.note(notice)
        }
    }

    mutating func trim(to place: LogSequence, _ host: Int, _ partition: Int) {
        for other in ClusterRest(self).hosts(that: host, knowsOf: partition, andLack: place) {
            find("records were trimmed that host \(hosts[other].id) has not got, and it was not away")
        }
        hosts[host].process!.log.now = now
        hosts[host].process!.log.trim(Partition(UInt16(partition)), to: place)
        tally.trims += 1
    }

    /// Does what a planted bug does by itself.
    mutating func misbehave(_ host: Int) {
        guard scenario.bug == .trimmedBeforeAllHaveIt else { return }
        for partition in partitions where hosts[host].process!.replicas[partition].standing == .owning {
            if dice.happens(50) {
                trim(to: hosts[host].process!.replicas[partition].applied.sequence, host, partition)
            }
        }
    }

    /// Ends a process with a finding: a daemon would end, and report the fault.
    private mutating func stop(_ host: Int, _ fault: String) {
        find("host \(hosts[host].id), \(fault)")
        hosts[host].process = nil
    }

    /// Records a record that has reached the disk of a host. A journal that is the only one takes turns one step later.
    mutating func write(_ host: Int, _ partition: Int, _ entry: LogEntry, _ anchor: LogAnchor, _ isThere: Bool) {
        if let fault = hosts[host].record(entry, anchor, partition, isThere: isThere, scenario.bug) {
            return stop(host, "partition \(partition): \(fault)")
        }
        var isTurn = false
        if case .turn = entry.record.body { isTurn = !isThere }
        guard scenario.hasOneJournal else { return apply(host, partition, anchor.sequence, isTurn) }
        let process = hosts[host].process!
        let at = max(now, process.takesUntil[0]) + diskTime(host)
        hosts[host].process!.takesUntil[0] = at
        agenda.add(
            .recorded(host: host, process: process.id, partition, anchor.sequence, isTurn: isTurn), at: at)
    }

    /// Has the journal take the turn of a record, if it is one: then the record is applied.
    mutating func apply(_ host: Int, _ partition: Int, _ sequence: LogSequence, _ isTurn: Bool) {
        if isTurn, let fault = hosts[host].disks[hosts[host].place(of: partition)].takeTurn() {
            return stop(host, "partition \(partition): \(fault)")
        }
        tally.commits += 1
        tell(host, partition, .applied(sequence))
        perform(hosts[host].process?.desk.wake(partition) ?? [], host)
    }
}
