import Pool
import Replication
import Wire

/// A request of a producer, as it came off the socket.
struct HeardRequest {
    var request: IngestRequest
    /// The frames that stood before the request: the producer that asked, and marks of its own.
    var envelope: [[UInt8]]
    var payer: Bookkeeper.Payer?
    /// The bytes of the request, as they came; none of a part of a request.
    var bytes: [UInt8]
    /// The partition of all of its events, where a log has several; nil where that was not asked yet.
    var partition: Partition?

    /// The bytes that it takes up, about.
    var size: Int {
        let words = bytes.isEmpty ? request.events.reduce(0) { $0 + Self.size(of: $1) } : bytes.count
        return envelope.reduce(words) { $0 + $1.count }
    }

    /// The bytes of an event, about: those of its long texts, or the most that these may have, and some for the rest.
    private static func size(of event: Result<ChatEvent, EventFault>) -> Int {
        let rest = 256
        switch event {
        case .success(.message(let event)):
            let texts = (event.body?.content.count ?? 0) + (event.status?.count ?? 0) + (event.reactions?.count ?? 0)
            return rest + texts + (event.react == nil ? 0 : 2 * Limits.choices * Limits.choice)
        case .success(.conversation): return rest + Limits.title + Limits.picture
        case .failure(let fault): return rest + fault.field.utf8.count + fault.reason.utf8.count
        }
    }
}

/// An answer that a producer gets once the turn is in the journal.
struct PendingAnswer {
    /// The frames that stood before the request, of the first asker; they stand before the answer, too.
    var envelope: [[UInt8]]
    var answers: [Judgement]
    /// The partition of all of its events, where a log has several.
    var partition: Partition?

    /// Takes back the judgements, as they were not kept.
    mutating func unkeep(retryAfter: Int, reason: BusyReason) {
        answers = answers.map { Judgement($0.unkept(retryAfter: retryAfter, reason: reason)) }
    }

    func json(_ limits: RequestLimits) -> [UInt8] {
        var warnings: [Int: String] = [:]
        for (place, answer) in answers.enumerated() { warnings[place] = answer.warning }
        return EventAnswer.json(answers.lazy.map(\.answer), warnings: warnings, limits: limits)
    }
}
