import Names
import Operations
import Pool
import Replication
import Wire

private let log = Log("cluster")

/// Events of turns that a host has and the log lacks. They are posted again to the owner of the log, one request
/// after the other. Events that it knows are repetitions there; those that it refuses are lost, as it would refuse
/// them every time.
struct Salvage {
    private var requests: [IngestRequest]
    private var nextPost = Moment.start
    /// Whether a request is on its way.
    private(set) var isAway = false

    private static let pause = Duration.milliseconds(200)

    init(_ turns: [ReplayedTurn]) { requests = turns.flatMap { SalvagedEvents.requests($0.content) } }

    var isDone: Bool { requests.isEmpty }

    /// The next request; nil while one is away, or it is not time.
    mutating func next(at now: Moment) -> [UInt8]? {
        guard !isAway, now >= nextPost, let first = requests.first else { return nil }
        isAway = true
        let events = first.events.compactMap { try? $0.get() }
        return IngestRequest.json(of: events, lane: first.lane, subject: first.subject)
    }

    /// - Parameter json: the answer; nil where none came.
    mutating func take(_ json: [UInt8]?, at now: Moment) {
        isAway = false
        nextPost = now + Self.pause
        guard let json, let reply = try? IngestReply(parsing: json), case .answered(let answers, _) = reply else {
            return
        }
        let isBusy = answers.contains { if case .busy = $0 { true } else { false } }
        guard !isBusy else { return }
        for (event, answer) in zip(requests.removeFirst().events, answers) { Self.tellRefused(event, answer) }
        nextPost = now
    }

    private static func tellRefused(_ event: Result<ChatEvent, EventFault>, _ answer: EventAnswer) {
        guard case .invalid(let field, _) = answer, case .success(let event) = event else { return }
        log.error(
            "an event that was accepted here is lost, as the owner of the log refuses it",
            ["conversation": .id(event.conversation.text), "field": "\(field)"])
    }
}
