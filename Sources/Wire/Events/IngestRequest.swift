/// What a producer asks in one message: to keep some events.
///
/// ```json
/// {"events": [{"conversation": "c1", "message": "m1", …}, …], "lane": "backfill"}
/// ```
///
/// An event by itself is a request, too. The answer to either form names what became of each event, in the same order:
///
/// ```json
/// {"answers": [{"answer": "accepted"}, {"answer": "invalid", "field": "body", "reason": "…"}]}
/// ```
///
/// A request that cannot be read at all is answered `{"error": "…"}`, and nothing of it is kept.
package struct IngestRequest: Equatable, Sendable {
    package var lane: Lane
    /// What can be kept, or why it cannot.
    package var events: [Result<MessageEvent, EventFault>]

    package init(lane: Lane = .live, events: [Result<MessageEvent, EventFault>]) {
        (self.lane, self.events) = (lane, events)
    }
}

/// How urgent work is: all of an earlier lane comes before most of a later one.
package enum Lane: UInt8, CaseIterable, Comparable, Sendable {
    /// Somebody has just written it.
    case live
    /// History that is brought in.
    case backfill
    /// Laid out before, and again for a new edition.
    case relayout

    package static func < (a: Lane, b: Lane) -> Bool { a.rawValue < b.rawValue }
}

/// Why an event is not kept: the field, and what is wrong with it.
package struct EventFault: Error, Equatable, Sendable {
    package var field: String
    package var reason: String

    package init(field: String, reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    package var answer: EventAnswer { .invalid(field: field, reason: reason) }
}
