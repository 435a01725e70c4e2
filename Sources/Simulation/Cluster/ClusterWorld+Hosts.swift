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
        hosts[host].process = HostProcess(id, of: hosts[host], scenario, SimulatedLog(engine, client: id), at: now)
        if scenario.bug == .claimedUnread {
            for partition in partitions {
                let last = hosts[host].disks[partition].trail.last.sequence
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
                tell(host, Int(partition.number), hosts[host].opened(bytes, partition, sequence, in: scenario))
            case .end(let partition, let extent):
                let place = Int(partition.number)
                tell(host, place, .end(extent))
                // Drops no further than the replica: records of a lost one behind its first anchor are still to be
                // salvaged, maybe by the next process.
                let first = hosts[host].process!.replicas[place].trail.first.sequence
                hosts[host].disks[place].drop(before: first)
            case .reset(let partition): tell(host, Int(partition.number), .reset)
            case .appended, .overtaken, .full, .unknown: settle(host, event)
            }
        }
    }

    private mutating func settle(_ host: Int, _ event: LogEvent) {
        for (append, outcome) in hosts[host].process!.queue.take(planted(event, host)) {
            let behind = append.behind
            switch outcome {
            case .appended:
                tell(host, Int(append.partition.number), .appended(behind: behind, ChainLink(behind: append.bytes)))
            case .refused: tell(host, Int(append.partition.number), .refused(behind: behind))
            case .full: tell(host, Int(append.partition.number), .full(behind: behind))
            }
        }
    }

    private mutating func planted(_ event: LogEvent, _ host: Int) -> LogEvent {
        guard case .unknown(let ticket) = event else { return event }
        tally.unknown += 1
        switch scenario.bug {
        case .unknownTakenForDone: return .appended(ticket)
        case .unknownTakenForFailed:
            hosts[host].process!.isBlind = true
            return .overtaken(ticket, [])
        default: return event
        }
    }

    /// Sends the records that are to be appended.
    mutating func flush(_ host: Int) {
        while let records = hosts[host].process?.queue.next() {
            var sent = records
            if hosts[host].process!.isBlind {
                for place in sent.indices {
                    sent[place].behind = LogSequence(engine.logs[sent[place].partition]?.last ?? 0)
                }
                hosts[host].process!.isBlind = false
            }
            hosts[host].process!.log.now = now
            let ticket = hosts[host].process!.log.append(sent)
            hosts[host].process!.queue.sent(as: ticket)
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
        case .append(let record, let behind): append(record, behind, host, partition)
        case .withdraw: hosts[host].process!.queue.withdraw(name)
        case .trim(let place): trim(to: place, host, partition)
        case .begin(let after, let end):
            hosts[host].process!.log.now = now
            hosts[host].process!.log.begin(name, after: after, inPlaceOf: end)
        case .apply(let entry, let anchor, let isThere):
            let at = max(now, hosts[host].process!.writesUntil[partition]) + diskTime(host)
            hosts[host].process!.writesUntil[partition] = at
            agenda.add(
                .written(host: host, process: hosts[host].process!.id, partition, entry, anchor, isThere: isThere),
                at: at)
        case .settle(let isKept): settle(host, partition, isKept: isKept)
        case .restore(let position):
            if scenario.bug == .longerJournalIgnored { hosts[host].disks[partition].cut(to: position) }
            tell(host, partition, .surplus(hosts[host].disks[partition].turns(from: position)))
        case .salvage(let position): salvage(host, partition, from: position)
        case .copy(let source):
            let word = HostTalk.askCopy(name, process: hosts[host].process!.id)
            say(word, from: host, to: scenario.hosts.firstIndex(of: source)!)
        case .tell(let mark): for other in hosts.indices where other != host { say(.mark(mark), from: host, to: other) }
        case .makeKey(let number):
            let key = hosts[host].disks[partition].makeKey(number, &dice)
            tell(host, partition, .stored(number, key))
        case .storeKey(let number, let key):
            hosts[host].disks[partition].keys[number] = key
            tell(host, partition, .stored(number, key))
        case .giveKey(let other, let number, let key):
            say(.key(name, number, key), from: host, to: scenario.hosts.firstIndex(of: other)!)
        case .wipeKeys(let through): hosts[host].disks[partition].wipeKeys(through: through)
        case .call(let heir, let end):
            say(.call(name, end: end), from: host, to: scenario.hosts.firstIndex(of: heir)!)
        case .notice(let notice): tally.note(notice)
        }
    }

    private mutating func append(_ record: LogRecord, _ behind: LogSequence, _ host: Int, _ partition: Int) {
        var record = record
        if scenario.bug == .keyUsedBeforeShared, let newest = hosts[host].disks[partition].keys.keys.max() {
            record.head.key = newest
        }
        let name = Partition(UInt16(partition))
        let bytes = hosts[host].sealed(record, name, at: behind.next, in: scenario.cluster)
        if scenario.bug == .claimedUnread, case .claim = record.body { hosts[host].process!.isBlind = true }
        hosts[host].process!.queue.add(LogAppend(name, behind: behind, bytes))
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

    /// Writes a record that has reached the disk of a host.
    mutating func write(_ host: Int, _ partition: Int, _ entry: LogEntry, _ anchor: LogAnchor, _ isThere: Bool) {
        guard hosts[host].disks[partition].admits(anchor) else {
            return stop(host, "partition \(partition): record \(anchor.sequence.number) does not follow")
        }
        var turn: TurnContent?
        if case .turn(let content) = entry.record.body, !isThere {
            turn = content
            if scenario.bug == .jobsNumberedLocally, entry.record.head.host != hosts[host].id {
                turn = hosts[host].disks[partition].numberedAnew(content)
            }
            if let fault = hosts[host].disks[partition].fault(in: turn!) {
                return stop(host, "partition \(partition): \(fault)")
            }
        }
        hosts[host].disks[partition].commit(turn, hosts[host].process!.corrected(anchor, partition))
        tally.commits += 1
        tell(host, partition, .applied(anchor.sequence))
        wake(host, partition)
    }
}
