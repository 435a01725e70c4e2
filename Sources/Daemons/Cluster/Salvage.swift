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
    /// Requests of one event each, which the owner has not judged.
    private var requests: ArraySlice<IngestRequest>
    private var nextPost = Moment.start
    /// The number of those that are on their way, in one request.
    private var away = 0

    /// The most events of a request that is on its way.
    private static let most = 64
    private static let pause = Duration.milliseconds(200)

    init(_ turns: [ReplayedTurn]) { requests = turns.flatMap { SalvagedEvents.requests($0.content) }[...] }

    var isDone: Bool { requests.isEmpty }
    var isAway: Bool { away > 0 }

    /// The next request, of events in one lane and of one person; nil while one is away, or it is not time.
    mutating func next(at now: Moment) -> [UInt8]? {
        guard !isAway, now >= nextPost, let first = requests.first else { return nil }
        let together = requests.prefix(Self.most).prefix { $0.lane == first.lane && $0.subject == first.subject }
        away = together.count
        let events = together.flatMap(\.events).compactMap { try? $0.get() }
        return IngestRequest.json(of: events, lane: first.lane, subject: first.subject)
    }

    /// Takes an answer. Events from the first on that the owner did not judge are posted again, in their order.
    /// - Parameter json: nil where no answer came.
    mutating func take(_ json: [UInt8]?, at now: Moment) {
        let posted = requests.prefix(away)
        (away, nextPost) = (0, now + Self.pause)
        guard let json, let reply = try? IngestReply(parsing: json), case .answered(let answers, _) = reply else {
            return
        }
        let judged = zip(posted, answers).prefix { _, answer in answer.isJudgement }
        for (request, answer) in judged { Self.tellRefused(request, answer) }
        requests = requests.dropFirst(judged.count)
        if !judged.isEmpty { nextPost = now }
    }

    private static func tellRefused(_ request: IngestRequest, _ answer: EventAnswer) {
        guard case .invalid(let field, _) = answer, case .success(let event)? = request.events.first else { return }
        log.error(
            "an event that was accepted here is lost, as the owner of the log refuses it",
            ["conversation": .id(event.conversation.text), "field": "\(field)"])
    }
}

extension EventAnswer {
    /// True where the event was judged: the owner had room for it, and takes so many in one request.
    fileprivate var isJudgement: Bool {
        switch self {
        case .busy: false
        case .invalid(let field, _): field != "events"
        case .accepted, .duplicate, .superseded: true
        }
    }
}
