import Pool
import Replication
import Wire

// The desks of hosts: an owner judges events against its journal, has the turn appended, and answers when that is on
// its own disk.
extension ClusterWorld {
    mutating func receive(_ mail: HostMail, _ partition: Int, _ host: Int) {
        perform(hosts[host].process!.desk.receive(mail, partition, at: now), host)
    }

    /// Has the mail of a partition judged; that of all others, too, where they have the same journal.
    mutating func judge(_ host: Int, _ partition: Int) {
        let together = scenario.hasOneJournal ? Array(partitions) : [partition]
        for one in together { tell(host, one, .tick(moment(of: host))) }
        guard let replicas = hosts[host].process?.replicas else { return }
        let disk = hosts[host].disk(of: partition)
        perform(hosts[host].process!.desk.judge(together, replicas, over: disk, at: now), host)
    }

    mutating func settle(_ host: Int, _ partition: Int, _ isKept: Bool) {
        perform(hosts[host].process!.desk.settle(partition, isKept: isKept), host)
    }

    mutating func perform(_ effects: [HostDesk.Effect], _ host: Int) {
        for effect in effects {
            guard let process = hosts[host].process?.id else { return }
            switch effect {
            case .propose(let piece, let partition): tell(host, partition, .proposed(.turn(piece), next: piece.next))
            case .say(let word, let other): say(word, from: host, to: other)
            case .answer(let whole, let queue): answer(whole, queue)
            case .elsewhere(let owner, let number, let producer, let queue):
                agenda.add(.answer(.elsewhere(owner), number: number, producer: producer, queue), at: now + 500)
            case .wake(let partition):
                agenda.add(.judge(host: host, process: process, partition), at: now + 200)
            }
        }
    }

    private mutating func answer(_ whole: SplitLines.Whole, _ queue: Int) {
        for (line, answer) in zip(whole.lines, whole.answers) where answer == .accepted { tally.accept(line) }
        guard !(isBad && dice.happens(20)) else { return }
        agenda.add(
            .answer(.answers(whole.answers), number: whole.number, producer: whole.producer, queue),
            at: now + dice.number(100...2000))
    }
}

// A journal that has several logs.
extension ClusterWorld {
    /// Does what a host does that has one journal: it answers requests of which an owner did not answer, gives
    /// partitions away, and decides about a copy that has come.
    mutating func tend(_ host: Int) {
        perform(hosts[host].process!.desk.takeOverdue(at: now), host)
        if let gift = hosts[host].process!.gift(at: now) {
            tally.gifts += 1
            tell(host, Int(gift.partition.number), .handOver(to: gift.heir))
        }
        settleCopy(host)
    }
}
