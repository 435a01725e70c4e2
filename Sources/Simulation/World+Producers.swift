import Pool
import Wire

/// A backend that keeps what it has to say until it has an answer, and says it again when none comes.
struct ProducerSeat {
    /// Of the process that sends; nil while none runs. What has to be said outlives it.
    var process: Int?
    var link = Link()
    /// Lines of the script that are its own, in their order.
    let lines: [Int]
    /// How many of them are due.
    var taken = 0
    /// Lines that are to be sent, and not before.
    var waiting: [(line: Int, from: Instant)] = []
    var requests: [Int: Request] = [:]

    struct Request {
        var lines: [Int]
        var sent: Instant
    }

    init(_ script: Script, _ seat: Int) { lines = script.lines.indices.filter { script.lines[$0].producer == seat } }
}

extension World {
    private static let requestsAtOnce = 4
    private static let linesAtOnce = 12
    private static let patience = 1500 * Length.millisecond

    mutating func startProducer(_ seat: Int) {
        guard producers[seat].process == nil else { return }
        producers[seat].process = newProcess()
        producers[seat].link = Link()
        // Nothing is known of what the one before had sent: all that has no answer is said again.
        producers[seat].requests = [:]
        let due = producers[seat].lines.prefix(producers[seat].taken)
        producers[seat].waiting = due.filter { verdicts[$0] == nil && !givenUp.contains($0) }.map { ($0, now) }
        agenda.add(.producer(seat: seat, process: producers[seat].process!), at: now)
    }

    mutating func send(_ seat: Int) {
        let process = producers[seat].process!
        agenda.add(.producer(seat: seat, process: process), at: now + 20 * Length.millisecond)
        while producers[seat].taken < producers[seat].lines.count,
            script.lines[producers[seat].lines[producers[seat].taken]].at <= now
        {
            producers[seat].waiting.append((producers[seat].lines[producers[seat].taken], now))
            producers[seat].taken += 1
        }
        for (number, request) in producers[seat].requests.sorted(by: { $0.key < $1.key })
        where request.sent + Self.patience < now {
            producers[seat].requests[number] = nil
            producers[seat].waiting += request.lines.filter { verdicts[$0] == nil }.map { ($0, now) }
        }
        while producers[seat].requests.count < Self.requestsAtOnce, let request = nextRequest(seat) {
            send(request.lines, request.lane, seat, process)
        }
    }

    /// Some lines of one lane, for one person or for none.
    private mutating func nextRequest(_ seat: Int) -> (lines: [Int], lane: Lane)? {
        guard let first = producers[seat].waiting.first(where: { $0.from <= now }) else { return nil }
        let (lane, subject) = (script.lines[first.line].lane, script.lines[first.line].subject)
        var lines: [Int] = []
        producers[seat].waiting.removeAll {
            guard $0.from <= now, script.lines[$0.line].lane == lane, script.lines[$0.line].subject == subject,
                lines.count < Self.linesAtOnce
            else { return false }
            lines.append($0.line)
            return true
        }
        return (lines, lane)
    }

    private mutating func send(_ lines: [Int], _ lane: Lane, _ seat: Int, _ process: Int) {
        lastRequest += 1
        producers[seat].requests[lastRequest] = ProducerSeat.Request(lines: lines, sent: now)
        for at in arrivals(\.producers[seat].link, isUp: true) {
            agenda.add(.mail(.request(lines, lane, number: lastRequest, seat: seat, process: process)), at: at)
        }
    }

    mutating func hear(_ answers: [EventAnswer], _ number: Int, _ seat: Int) {
        guard let request = producers[seat].requests.removeValue(forKey: number) else { return }
        for (line, answer) in zip(request.lines, answers) where verdicts[line] == nil {
            switch answer {
            case .accepted, .duplicate, .superseded, .invalid: verdicts[line] = answer
            case .busy(let milliseconds, _):
                tally.busy += 1
                // Some give up, so that not everything that was said is kept; who does not at once goes on, however long it takes.
                if weather.isBad, toldBusy.insert(line).inserted, dice.happens(150) {
                    givenUp.insert(line)
                } else {
                    producers[seat].waiting.append((line, now + milliseconds * Length.millisecond))
                }
            }
        }
    }
}
