import Replication
import Wire

/// Backends that send their events to some host, and again, maybe to another, until they are answered.
struct ClusterProducers {
    private struct Seat {
        /// By partition, the lines that are still to be sent, in their order.
        var waiting: [[Int]]
        /// By partition, the host that is asked next, and the request that is under way.
        var host: [Int]
        var request: [(number: Int, lines: [Int], sent: Instant)?]
        var from: [Instant]
    }

    private var seats: [Seat]
    private(set) var verdicts: [EventAnswer?]
    private(set) var busy = 0
    private var lastRequest = 0
    private let scenario: ClusterScenario

    private static let linesAtOnce = 8
    private static let patience = 1500 * Length.millisecond

    init(_ scenario: ClusterScenario) {
        self.scenario = scenario
        let partitions = scenario.map.partitions
        verdicts = Array(repeating: nil, count: scenario.script.lines.count)
        seats = (0..<scenario.producers).map { _ in
            Seat(
                waiting: Array(repeating: [], count: partitions), host: Array(repeating: 0, count: partitions),
                request: Array(repeating: nil, count: partitions),
                from: Array(repeating: .start, count: partitions))
        }
        for (line, said) in scenario.script.lines.enumerated() {
            // Lines that are no events, and events of conversations, are left to the other world.
            guard let event = said.event else {
                verdicts[line] = .duplicate
                continue
            }
            let partition = Int(scenario.map.partition(of: event.conversation).number)
            seats[said.producer].waiting[partition].append(line)
        }
    }

    var indices: Range<Int> { seats.indices }
    var unanswered: Int { verdicts.count { $0 == nil } }

    /// The requests that are sent now: one at a time for each partition.
    mutating func send(_ seat: Int, at now: Instant, _ dice: inout Dice) -> [(
        mail: HostMail, partition: Int, host: Int
    )] {
        var sent: [(mail: HostMail, partition: Int, host: Int)] = []
        for partition in 0..<scenario.map.partitions {
            if let request = seats[seat].request[partition] {
                guard request.sent + Self.patience < now else { continue }
                // This host does not answer: maybe another does.
                seats[seat].request[partition] = nil
                seats[seat].host[partition] = dice.number(0...scenario.hosts.count - 1)
            }
            let lines = next(seat, partition, at: now)
            guard !lines.isEmpty, now >= seats[seat].from[partition] else { continue }
            lastRequest += 1
            seats[seat].request[partition] = (lastRequest, lines, now)
            sent.append((.lines(lines, number: lastRequest, producer: seat), partition, seats[seat].host[partition]))
        }
        return sent
    }

    /// The next lines of one lane and one person.
    private func next(_ seat: Int, _ partition: Int, at now: Instant) -> [Int] {
        let script = scenario.script.lines
        guard let first = seats[seat].waiting[partition].first else { return [] }
        return Array(
            seats[seat].waiting[partition].prefix(Self.linesAtOnce).prefix {
                scenario.due($0) <= now && script[$0].lane == script[first].lane
                    && script[$0].subject == script[first].subject
            })
    }

    mutating func hear(
        _ answer: ProducerAnswer, _ number: Int, _ seat: Int, _ partition: Int, at now: Instant, _ dice: inout Dice
    ) {
        guard let request = seats[seat].request[partition], request.number == number else { return }
        seats[seat].request[partition] = nil
        switch answer {
        case .elsewhere(let host):
            seats[seat].host[partition] = host
            seats[seat].from[partition] = now + 20 * Length.millisecond
        case .answers(let answers):
            for (line, answer) in zip(request.lines, answers) {
                if case .busy(let milliseconds, _) = answer {
                    busy += 1
                    seats[seat].from[partition] = now + milliseconds * Length.millisecond
                    if dice.happens(300) {
                        seats[seat].host[partition] = dice.number(0...scenario.hosts.count - 1)
                    }
                } else {
                    verdicts[line] = answer
                    seats[seat].waiting[partition].removeAll { $0 == line }
                }
            }
        }
    }
}
