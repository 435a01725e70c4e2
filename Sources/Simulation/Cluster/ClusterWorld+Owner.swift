import Names
import Pool
import Replication
import Wire

// The owner's part: it judges events against its journal, has the turn appended, and answers when that is on its own
// disk.
extension ClusterWorld {
    mutating func receive(_ mail: HostMail, _ partition: Int, _ host: Int) {
        hosts[host].process!.mail[partition].append(mail)
        wake(host, partition)
    }

    mutating func wake(_ host: Int, _ partition: Int) {
        guard let process = hosts[host].process, !process.mail[partition].isEmpty else { return }
        agenda.add(.judge(host: host, process: process.id, partition), at: now + 200)
    }

    mutating func judge(_ host: Int, _ partition: Int) {
        tell(host, partition, .tick(moment(of: host)))
        guard let process = hosts[host].process, process.turns[partition] == nil else { return }
        let door = process.replicas[partition].door
        guard door != .wait, !process.mail[partition].isEmpty else { return }
        hosts[host].process!.mail[partition] = []
        switch door {
        case .wait: break
        case .open: open(process.mail[partition], host, partition)
        case .busy:
            for mail in process.mail[partition] { reply(to: mail, mail.busy(retryAfter: 200), host, partition) }
        case .elsewhere(let owner):
            for mail in process.mail[partition] {
                guard case .lines(_, let number, let producer) = mail else { continue }
                let place = scenario.hosts.firstIndex(of: owner)!
                agenda.add(.answer(.elsewhere(place), number: number, producer: producer, partition), at: now + 500)
            }
        }
    }

    private mutating func open(_ mails: [HostMail], _ host: Int, _ partition: Int) {
        var waiting = hosts[host].process!.judge(
            mails, partition, over: hosts[host].disks[partition], scenario, at: now)
        guard let piece = waiting.pieces.first else { return answer(waiting, isKept: true, host, partition) }
        if scenario.bug == .answeredBeforeQuorum {
            answer(waiting, isKept: true, host, partition)
            waiting.isAnswered = true
        }
        hosts[host].process!.turns[partition] = waiting
        propose(piece, host, partition)
    }

    private mutating func propose(_ piece: TurnContent, _ host: Int, _ partition: Int) {
        tell(host, partition, .proposed(.turn(piece), next: piece.next))
    }

    /// Settles a proposal that is in the log and on the own disk, or is not to be answered.
    mutating func settle(_ host: Int, _ partition: Int, isKept: Bool) {
        guard var turn = hosts[host].process!.turns[partition] else { return }
        turn.pieces.removeFirst()
        hosts[host].process!.turns[partition] = isKept && !turn.pieces.isEmpty ? turn : nil
        if isKept, let piece = turn.pieces.first { return propose(piece, host, partition) }
        answer(turn, isKept: isKept || scenario.bug == .deposedAndAnswering, host, partition)
        wake(host, partition)
    }

    private mutating func answer(_ turn: HostProcess.Turn, isKept: Bool, _ host: Int, _ partition: Int) {
        guard !turn.isAnswered else { return }
        for (mail, judgements) in turn.answers {
            reply(to: mail, judgements.map { isKept ? $0.answer : $0.unkept(retryAfter: 100) }, host, partition)
        }
    }

    private mutating func reply(to mail: HostMail, _ answers: [EventAnswer], _ host: Int, _ partition: Int) {
        switch mail {
        case .lines(let lines, let number, let producer):
            for (line, answer) in zip(lines, answers) where answer == .accepted { tally.accept(line) }
            guard !(isBad && dice.happens(20)) else { return }
            agenda.add(
                .answer(.answers(answers), number: number, producer: producer, partition),
                at: now + dice.number(100...2000))
        case .salvage(_, let number, let other, _):
            let kept = answers.map { answer in if case .busy = answer { false } else { true } }
            say(.salvaged(Partition(UInt16(partition)), kept, number: number), from: host, to: other)
        }
    }
}
