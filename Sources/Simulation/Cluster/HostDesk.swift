import Names
import Pool
import Replication
import Wire

/// The desk of a host, at which requests are judged that belong to partitions which the host owns. It has their turns
/// proposed, and answers when these are in the log and on the own disk. Other requests are for their owners.
///
/// ```text
///  lines ─▶ mail of a partition ─▶ judged ─▶ proposed ─▶ settled ─▶ answered
///                      └─ another host's ─▶ its name, or its desk ─────▲
/// ```
struct HostDesk {
    /// A judged turn that waits for the log.
    struct Turn {
        /// The pieces that are not in the log yet; the first is on its way.
        var pieces: [TurnContent] = []
        var answers: [(mail: HostMail, judgements: [Judgement])] = []
        var isAnswered = false
    }

    enum Effect {
        case propose(TurnContent, Int)
        case say(HostTalk, to: Int)
        /// The answers to lines, for a producer: they are true from here on.
        case answer(SplitLines.Whole, queue: Int)
        case elsewhere(Int, number: Int, producer: Int, queue: Int)
        /// Has the mail of a partition looked at.
        case wake(Int)
    }

    private let process: Int
    let scenario: ClusterScenario
    /// By journal, the judge of its events.
    var keepers: [Bookkeeper]
    /// By partition, requests that are to be judged, and the turn that is on its way.
    private var mail: [[HostMail]]
    private(set) var turns: [Turn?]
    private var splits = SplitLines()

    init(_ process: Int, journals: Int, _ scenario: ClusterScenario) {
        (self.process, self.scenario) = (process, scenario)
        keepers = Array(repeating: Bookkeeper(shards: scenario.map.shards), count: journals)
        mail = Array(repeating: [], count: scenario.map.partitions)
        turns = Array(repeating: nil, count: scenario.map.partitions)
    }

    mutating func receive(_ one: HostMail, _ partition: Int, at now: Instant) -> [Effect] {
        guard scenario.hasOneJournal, case .lines(let lines, let number, let producer) = one else {
            mail[partition].append(one)
            return wake(partition)
        }
        var effects: [Effect] = []
        for part in splits.begin(lines, number: number, producer: producer, in: scenario, at: now) {
            mail[part.partition].append(.part(part.lines, serial: part.serial))
            effects += wake(part.partition)
        }
        return effects
    }

    func wake(_ partition: Int) -> [Effect] { mail[partition].isEmpty ? [] : [.wake(partition)] }

    /// Takes the mail of these partitions: that of owned ones is judged in one turn. Mail waits while a turn of its
    /// partition is on its way.
    mutating func judge(_ partitions: [Int], _ replicas: [Replica], over disk: HostDisk, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        var own: [(partition: Int, mails: [HostMail])] = []
        for partition in partitions where turns[partition] == nil && !mail[partition].isEmpty {
            let (door, mails) = (replicas[partition].door, mail[partition])
            guard door != .wait else { continue }
            mail[partition] = []
            switch door {
            case .wait: break
            case .open: own.append((partition: partition, mails: mails))
            case .busy: for one in mails { effects += reply(to: one, one.busy(retryAfter: 200), partition) }
            case .elsewhere(let owner): for one in mails { effects += pass(one, to: owner, partition) }
            }
        }
        guard !own.isEmpty else { return effects }
        let judged = judged(own, replicas.map(\.applied.next), over: disk, at: now)
        for (partition, turn) in judged { effects += begin(turn, partition) }
        return effects
    }

    private mutating func begin(_ judged: Turn, _ partition: Int) -> [Effect] {
        guard let piece = judged.pieces.first else { return answer(judged, isKept: true, partition) }
        var turn = judged
        var effects: [Effect] = []
        if scenario.bug == .answeredBeforeQuorum {
            effects = answer(turn, isKept: true, partition)
            turn.isAnswered = true
        }
        turns[partition] = turn
        return effects + [.propose(piece, partition)]
    }

    /// Settles a proposal that is in the log and on the own disk, or is not to be answered.
    mutating func settle(_ partition: Int, isKept: Bool) -> [Effect] {
        guard var turn = turns[partition] else { return [] }
        turn.pieces.removeFirst()
        turns[partition] = isKept && !turn.pieces.isEmpty ? turn : nil
        if isKept, let piece = turn.pieces.first { return [.propose(piece, partition)] }
        let isAnswered = isKept || scenario.bug == .deposedAndAnswering
        return answer(turn, isKept: isAnswered, partition) + wake(partition)
    }

    private mutating func answer(_ turn: Turn, isKept: Bool, _ partition: Int) -> [Effect] {
        guard !turn.isAnswered else { return [] }
        var effects: [Effect] = []
        for (mail, judgements) in turn.answers {
            let answers = judgements.map { isKept ? $0.answer : $0.unkept(retryAfter: 100) }
            effects += reply(to: mail, answers, partition)
        }
        return effects
    }

    private mutating func reply(to mail: HostMail, _ answers: [EventAnswer], _ partition: Int) -> [Effect] {
        switch mail {
        case .lines(let lines, let number, let producer):
            let whole = SplitLines.Whole(lines: lines, answers: answers, number: number, producer: producer)
            return [.answer(whole, queue: partition)]
        case .part(_, let serial): return take(answers, of: partition, to: serial)
        case .posted(_, let serial, let host, let process):
            return [.say(.answered(name(partition), answers, serial: serial, process: process), to: host)]
        case .salvage(_, let number, let host, _):
            let kept = answers.map { answer in if case .busy = answer { false } else { true } }
            return [.say(.salvaged(name(partition), kept, number: number), to: host)]
        }
    }

    private func name(_ partition: Int) -> Partition { Partition(UInt16(partition)) }

    /// Names the owner to those who can ask it, and asks it for the others.
    private mutating func pass(_ mail: HostMail, to owner: HostID, _ partition: Int) -> [Effect] {
        let place = scenario.hosts.firstIndex(of: owner)!
        switch mail {
        case .lines(_, let number, let producer):
            return [.elsewhere(place, number: number, producer: producer, queue: partition)]
        case .part(let lines, let serial):
            return [.say(.post(name(partition), lines, serial: serial, process: process), to: place)]
        // Requests of another host are not passed on: the two may each take the other for the owner.
        case .posted: return reply(to: mail, mail.busy(retryAfter: 200), partition)
        // All hosts were asked.
        case .salvage: return []
        }
    }

    /// Takes the answers to a part of a request.
    mutating func take(_ answers: [EventAnswer], of partition: Int, to serial: Int) -> [Effect] {
        let isHasty = scenario.bug == .answeredByOnePart
        guard let whole = splits.take(answers, of: partition, to: serial, isHasty: isHasty) else { return [] }
        return [.answer(whole, queue: 0)]
    }

    /// Answers requests of which some owner did not answer its part.
    mutating func takeOverdue(at now: Instant) -> [Effect] {
        splits.takeOverdue(at: now).map { .answer($0, queue: 0) }
    }
}

/// Mail of a desk: lines from producers, whole or in part, lines that another host was asked for, and events that other
/// hosts salvage.
enum HostMail {
    case lines([Int], number: Int, producer: Int)
    case part([Int], serial: Int)
    case posted([Int], serial: Int, host: Int, process: Int)
    case salvage([IngestRequest], number: Int, host: Int, process: Int)

    /// The answers of a host that judges nothing at the moment.
    func busy(retryAfter milliseconds: Int) -> [EventAnswer] {
        let count =
            switch self {
            case .lines(let lines, _, _), .part(let lines, _), .posted(let lines, _, _, _): lines.count
            case .salvage(let requests, _, _, _): requests.count
            }
        return Array(repeating: .busy(retryAfter: milliseconds), count: count)
    }
}
