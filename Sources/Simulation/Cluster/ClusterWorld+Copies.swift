import Names
import Pool
import Replication

// Copies of disks, for hosts that cannot go on by reading.
extension ClusterWorld {
    /// Asks a host for a copy of its disk. One with several logs is asked of the host, and at the time, that
    /// `SharedJournal` names: where there is none, or it is not time, the replica asks again.
    mutating func fetch(_ partition: Int, from source: HostID, _ host: Int) {
        guard scenario.hasOneJournal else { return askForCopy(partition, from: source, number: 0, host) }
        let time = moment(of: host)
        switch hosts[host].process!.step(towards: source, scenario.bug) {
        case .wait: tell(host, partition, .notCopied)
        case .makeWay:
            makeWay(host)
            tell(host, partition, .notCopied)
        case .copy(let better):
            makeWay(host)
            guard let number = hosts[host].process!.beginCopy(for: partition, at: time) else { return }
            askForCopy(partition, from: better, number: number, host)
        }
    }

    private mutating func makeWay(_ host: Int) {
        for partition in partitions { tell(host, partition, .makeWay) }
    }

    private mutating func askForCopy(_ partition: Int, from source: HostID, number: Int, _ host: Int) {
        let process = hosts[host].process!.id
        say(
            .askCopy(Partition(UInt16(partition)), number: number, process: process), from: host,
            to: scenario.hosts.firstIndex(of: source)!)
    }

    /// Takes the answer to a host that asked for a copy.
    /// - Parameter given: nil where the other host gives none.
    mutating func install(_ given: GivenDisk?, _ number: Int, of process: Int, _ host: Int, _ partition: Int) {
        guard !scenario.hasOneJournal else {
            guard hosts[host].process!.id == process, hosts[host].process!.copy?.number == number else { return }
            guard let given else { return dropCopy(host) }
            hosts[host].process!.copy!.given = given.copied(scenario.bug)
            return settleCopy(host)
        }
        guard case .lost(.copying) = hosts[host].process!.replicas[partition].standing else { return }
        guard let disk = given?.copied(scenario.bug).disk else { return tell(host, partition, .notCopied) }
        tally.copies += 1
        hosts[host].copied[partition] = now
        hosts[host].disks[partition] = disk
        let records = hosts[host][partition]
        tell(host, partition, .copied(records.trail, keys: records.keys, wiped: records.wiped))
    }

    /// Decides about a copy that has come. Where it takes the place of the own disk, the process ends, and the next one
    /// starts over the copy.
    mutating func settleCopy(_ host: Int) {
        guard let copy = hosts[host].process?.copy, let given = copy.given else { return }
        switch hosts[host].process!.fate(of: copy) {
        case .taken:
            tally.copies += 1
            for log in hosts[host].replace(by: given, for: copy.partition, scenario.bug, at: now) {
                find("host \(hosts[host].id) gave up partition \(log), which went on, for a copy that had lost it")
            }
            end(host, restartAfter: dice.number(50...500))
        case .kept: break
        case .dropped: dropCopy(host)
        }
    }

    private mutating func dropCopy(_ host: Int) {
        hosts[host].process!.copy = nil
        for partition in partitions { tell(host, partition, .notCopied) }
    }
}
