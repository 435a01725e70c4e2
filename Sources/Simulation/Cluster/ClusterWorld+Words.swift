import Pool
import Replication
import Wire

// The words between hosts: marks, keys, salvaged events, and questions.
extension ClusterWorld {
    mutating func say(_ word: HostTalk, from host: Int, to other: Int) {
        guard now >= hosts[host].cutUntil[other, default: .start], !(isBad && dice.happens(20)) else { return }
        var time = dice.number(100...2000)
        if case .copy = word { time += dice.number(20...400) * Length.millisecond }
        agenda.add(.word(word, from: host, to: other), at: now + time)
    }

    mutating func hear(_ word: HostTalk, _ from: Int, _ to: Int) {
        switch word {
        case .mark(let mark):
            // A loop that was stopped does the same: it looks at the clock before it hears the words that waited.
            tell(to, Int(mark.partition.number), .tick(moment(of: to)))
            hosts[to].process!.heard[Int(mark.partition.number)][from] = mark.isLost ? nil : now
            tell(to, Int(mark.partition.number), .mark(mark))
        case .key(let partition, let number, let key): tell(to, Int(partition.number), .given(number, key))
        case .post(let partition, let lines, let serial, let process):
            receive(.posted(lines, serial: serial, host: from, process: process), Int(partition.number), to)
        case .answered(let partition, let answers, let serial, let process):
            guard hosts[to].process!.id == process else { return }
            perform(hosts[to].process!.desk.take(answers, of: Int(partition.number), to: serial), to)
        case .salvage(let partition, let requests, let number, let process):
            receive(.salvage(requests, number: number, host: from, process: process), Int(partition.number), to)
        case .salvaged(let partition, let isKept, let number): hearSalvaged(to, Int(partition.number), isKept, number)
        case .askCopy(let partition, let number, let process):
            guard hosts[from].process?.id == process else { return }
            let given = hosts[to].given(Int(partition.number), to: scenario.hosts[from], scenario.bug)
            say(.copy(partition, given, number: number, process: process), from: to, to: from)
        case .copy(let partition, let given, let number, let process):
            install(given, number, of: process, to, Int(partition.number))
        case .call(let partition, let end): tell(to, Int(partition.number), .called(end))
        }
    }

    /// Salvages the events of a journal that another is to replace.
    mutating func salvage(_ host: Int, _ partition: Int, from position: LogPosition) {
        let requests = hosts[host].disk(of: partition).turns(of: partition, from: position).flatMap {
            SalvagedEvents.requests($0.content)
        }
        guard scenario.bug != .salvageDropped, !requests.isEmpty else { return tell(host, partition, .salvaged) }
        tally.salvaged += requests.count
        hosts[host].process!.salvages[partition] = HostProcess.Salvage(requests: requests)
    }

    /// Asks all other hosts: the one that owns the partition will answer.
    mutating func salvage(_ host: Int) {
        for partition in partitions {
            guard let asked = hosts[host].process!.salvages[partition]?.asked,
                now >= asked + 300 * Length.millisecond
            else { continue }
            ask(host, partition)
        }
    }

    private mutating func ask(_ host: Int, _ partition: Int) {
        let (name, id) = (Partition(UInt16(partition)), hosts[host].process!.id)
        guard let word = hosts[host].process!.salvages[partition]?.ask(name, as: id, at: now) else { return }
        for other in hosts.indices where other != host { say(word, from: host, to: other) }
    }

    private mutating func hearSalvaged(_ host: Int, _ partition: Int, _ isKept: [Bool], _ number: Int) {
        guard hosts[host].process!.salvages[partition]?.number == number else { return }
        hosts[host].process!.salvages[partition]?.take(isKept)
        guard hosts[host].process!.salvages[partition]?.requests.isEmpty ?? true else { return ask(host, partition) }
        hosts[host].process!.salvages[partition] = nil
        tell(host, partition, .salvaged)
    }
}
