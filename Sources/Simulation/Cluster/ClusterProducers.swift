import Replication
import Wire

/// Backends that send their events to some host, and again, maybe to another, until they are answered.
struct ClusterProducers {
    private struct Seat {
        /// By queue, the lines that are still to be sent, in their order.
        var waiting: [[Int]]
        /// By queue, the host that is asked next, and the request that is under way.
        var host: [Int]
        var request: [(number: Int, lines: [Int], sent: Instant)?]
        var from: [Instant]
    }

    private var seats: [Seat]
    private(set) var verdicts: [EventAnswer?]
    private(set) var busy = 0
    /// The number of requests with events of several partitions.
    private(set) var split = 0
    private var lastRequest = 0
    private let scenario: ClusterScenario

    private static let linesAtOnce = 8
    private static let patience = 1500 * Length.millisecond

    init(_ scenario: ClusterScenario) {
        self.scenario = scenario
        let queues = scenario.queues
        verdicts = Array(repeating: nil, count: scenario.script.lines.count)
        seats = (0..<scenario.producers).map { _ in
            Seat(
                waiting: Array(repeating: [], count: queues), host: Array(repeating: 0, count: queues),
                request: Array(repeating: nil, count: queues), from: Array(repeating: .start, count: queues))
        }
        for (line, said) in scenario.script.lines.enumerated() {
            // Lines that are no events, and events of conversations, are left to the other world.
            guard said.event != nil else {
                verdicts[line] = .duplicate
                continue
            }
            seats[said.producer].waiting[scenario.queue(of: line)].append(line)
        }
    }

    var indices: Range<Int> { seats.indices }
    var unanswered: Int { verdicts.count { $0 == nil } }

    /// The requests that are sent now: one at a time of each queue.
    mutating func send(_ seat: Int, at now: Instant, _ dice: inout Dice) -> [(mail: HostMail, queue: Int, host: Int)] {
        var sent: [(mail: HostMail, queue: Int, host: Int)] = []
        for queue in 0..<scenario.queues {
            if let request = seats[seat].request[queue] {
                guard request.sent + Self.patience < now else { continue }
                // This host does not answer: maybe another does.
                seats[seat].request[queue] = nil
                seats[seat].host[queue] = dice.number(0...scenario.hosts.count - 1)
            }
            let lines = next(seat, queue, at: now)
            guard !lines.isEmpty, now >= seats[seat].from[queue] else { continue }
            lastRequest += 1
            if scenario.hasOneJournal, Set(lines.map { scenario.partition(of: $0) }).count > 1 { split += 1 }
            seats[seat].request[queue] = (lastRequest, lines, now)
            sent.append((.lines(lines, number: lastRequest, producer: seat), queue, seats[seat].host[queue]))
        }
        return sent
    }

    /// The next lines of one lane and one person.
    private func next(_ seat: Int, _ queue: Int, at now: Instant) -> [Int] {
        let script = scenario.script.lines
        guard let first = seats[seat].waiting[queue].first else { return [] }
        return Array(
            seats[seat].waiting[queue].prefix(Self.linesAtOnce).prefix {
                scenario.due($0) <= now && script[$0].lane == script[first].lane
                    && script[$0].subject == script[first].subject
            })
    }

    mutating func hear(
        _ answer: ProducerAnswer, _ number: Int, _ seat: Int, _ queue: Int, at now: Instant, _ dice: inout Dice
    ) {
        guard let request = seats[seat].request[queue], request.number == number else { return }
        seats[seat].request[queue] = nil
        switch answer {
        case .elsewhere(let host):
            seats[seat].host[queue] = host
            seats[seat].from[queue] = now + 20 * Length.millisecond
        case .answers(let answers):
            for (line, answer) in zip(request.lines, answers) {
                if case .busy(let milliseconds, _) = answer {
                    busy += 1
                    seats[seat].from[queue] = now + milliseconds * Length.millisecond
                    if dice.happens(300) {
                        seats[seat].host[queue] = dice.number(0...scenario.hosts.count - 1)
                    }
                } else {
                    verdicts[line] = answer
                    seats[seat].waiting[queue].removeAll { $0 == line }
                }
            }
        }
    }
}
