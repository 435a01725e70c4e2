import Pool
import Wire

/// A backend that keeps its lines until they are answered, and sends them again when no answer comes.
struct ProducerSeat {
    /// The process that sends; nil while none runs. The lines outlive it.
    var process: Int?
    var link = Link()
    /// Lines of the script that are its own, in their order.
    let lines: [Int]
    /// The number of its lines that are due.
    var taken = 0
    /// Lines that are to be sent, and the time before which they are not.
    var waiting: [(line: Int, from: Instant)] = []
    var requests: [Int: Request] = [:]

    struct Request {
        var lines: [Int]
        var sent: Instant
    }

    init(_ script: EventScript, _ seat: Int) {
        lines = script.lines.indices.filter { script.lines[$0].producer == seat }
    }
}

/// The backends of a world, and the answers that they have.
struct Producers {
    private var seats: [ProducerSeat]
    /// The answer to each line of the script, as far as its producer knows it.
    private(set) var verdicts: [EventAnswer?]
    /// Lines that their producer gave up.
    private(set) var givenUp: Set<Int> = []
    /// Events that were answered busy while the weather was bad.
    private var toldBusy: Set<Int> = []
    private var lastRequest = 0

    private static let requestsAtOnce = 4
    private static let linesAtOnce = 12
    private static let patience = 1500 * Length.millisecond

    init(_ count: Int, _ script: EventScript) {
        seats = (0..<count).map { ProducerSeat(script, $0) }
        verdicts = Array(repeating: nil, count: script.lines.count)
    }

    var indices: Range<Int> { seats.indices }
    /// The number of lines whose producer waits for an answer.
    var unanswered: Int { verdicts.indices.count { verdicts[$0] == nil && !givenUp.contains($0) } }
    var areAnswered: Bool { verdicts.indices.allSatisfy { verdicts[$0] != nil || givenUp.contains($0) } }

    func isRunning(_ process: Int, at seat: Int) -> Bool { seats[seat].process == process }

    mutating func start(_ seat: Int, _ stage: inout Stage) {
        guard seats[seat].process == nil else { return }
        seats[seat].process = stage.newProcess()
        seats[seat].link = Link()
        // The requests of the process before are not known: every line without an answer is sent again.
        seats[seat].requests = [:]
        let due = seats[seat].lines.prefix(seats[seat].taken)
        seats[seat].waiting = due.filter { verdicts[$0] == nil && !givenUp.contains($0) }.map { ($0, stage.now) }
        stage.agenda.add(.producer(seat: seat, process: seats[seat].process!), at: stage.now)
    }

    /// Ends a producer: nothing is sent until another is started.
    mutating func end(_ seat: Int) { seats[seat].process = nil }

    mutating func partition(_ seat: Int, until: Instant) { seats[seat].link.partitionedUntil = until }

    mutating func send(_ seat: Int, _ stage: inout Stage) {
        let process = seats[seat].process!
        stage.agenda.add(.producer(seat: seat, process: process), at: stage.now + 20 * Length.millisecond)
        while seats[seat].taken < seats[seat].lines.count,
            stage.script.lines[seats[seat].lines[seats[seat].taken]].at <= stage.now
        {
            seats[seat].waiting.append((seats[seat].lines[seats[seat].taken], stage.now))
            seats[seat].taken += 1
        }
        for (number, request) in seats[seat].requests.sorted(by: { $0.key < $1.key })
        where request.sent + Self.patience < stage.now {
            seats[seat].requests[number] = nil
            seats[seat].waiting += request.lines.filter { verdicts[$0] == nil }.map { ($0, stage.now) }
        }
        while seats[seat].requests.count < Self.requestsAtOnce, let request = nextRequest(seat, stage) {
            send(request.lines, request.lane, seat, process, &stage)
        }
    }

    /// The next lines of one lane, for one person or for none.
    private mutating func nextRequest(_ seat: Int, _ stage: Stage) -> (lines: [Int], lane: Lane)? {
        guard let first = seats[seat].waiting.first(where: { $0.from <= stage.now }) else { return nil }
        let (lane, subject) = (stage.script.lines[first.line].lane, stage.script.lines[first.line].subject)
        var lines: [Int] = []
        seats[seat].waiting.removeAll {
            let line = stage.script.lines[$0.line]
            guard $0.from <= stage.now, line.lane == lane, line.subject == subject, lines.count < Self.linesAtOnce
            else { return false }
            lines.append($0.line)
            return true
        }
        return (lines, lane)
    }

    private mutating func send(
        _ lines: [Int], _ lane: Lane, _ seat: Int, _ process: Int, _ stage: inout Stage
    ) {
        lastRequest += 1
        seats[seat].requests[lastRequest] = ProducerSeat.Request(lines: lines, sent: stage.now)
        for at in stage.arrivals(over: &seats[seat].link, isUp: true) {
            stage.agenda.add(.mail(.request(lines, lane, number: lastRequest, seat: seat, process: process)), at: at)
        }
    }

    /// Puts answers of the coordinator on their way.
    mutating func answer(
        _ answers: [EventAnswer], _ request: Int, _ seat: Int, _ process: Int, _ stage: inout Stage
    ) {
        for at in stage.arrivals(over: &seats[seat].link, isUp: false) {
            stage.agenda.add(.answers(answers, request: request, seat: seat, process: process), at: at)
        }
    }

    mutating func hear(_ answers: [EventAnswer], _ number: Int, _ seat: Int, _ stage: inout Stage) {
        guard let request = seats[seat].requests.removeValue(forKey: number) else { return }
        for (line, answer) in zip(request.lines, answers) where verdicts[line] == nil {
            switch answer {
            case .accepted, .duplicate, .superseded, .invalid: verdicts[line] = answer
            case .busy(let milliseconds, _):
                stage.tally.busy += 1
                // Some lines are given up, so that not all of them are kept. A line that is not given up at once goes
                // on, however long it takes.
                if stage.weather.isBad, toldBusy.insert(line).inserted, stage.dice.happens(150) {
                    givenUp.insert(line)
                } else {
                    seats[seat].waiting.append((line, stage.now + milliseconds * Length.millisecond))
                }
            }
        }
    }
}
