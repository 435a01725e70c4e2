import Pool
import Replication
import Wire

/// Events of turns that a host has and the log lacks: posted again to whoever owns the log, one request after the other. What is known there is a
/// repetition.
struct Salvage {
    private var requests: [[UInt8]]
    private var nextPost = Moment.start
    /// The one that is on its way.
    private(set) var isAway = false

    private static let pause = Duration.milliseconds(200)

    init(_ turns: [ReplayedTurn]) {
        requests = turns.flatMap { SalvagedEvents.requests($0.content) }.map { request in
            let events = request.events.compactMap { try? $0.get() }
            return IngestRequest.json(of: events, lane: request.lane, subject: request.subject)
        }
    }

    var isDone: Bool { requests.isEmpty }

    /// The next one; nil where one is away, or it is not time.
    mutating func next(at now: Moment) -> [UInt8]? {
        guard !isAway, now >= nextPost, let first = requests.first else { return nil }
        isAway = true
        return first
    }

    /// - Parameter json: nil where no answer came.
    mutating func take(_ json: [UInt8]?, at now: Moment) {
        isAway = false
        nextPost = now + Self.pause
        guard let json, let reply = try? IngestReply(parsing: json), case .answered(let answers, _) = reply else {
            return
        }
        let isBusy = answers.contains { if case .busy = $0 { true } else { false } }
        guard !isBusy else { return }
        requests.removeFirst()
        nextPost = now
    }
}
