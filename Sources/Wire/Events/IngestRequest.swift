import JSON
package import Names

/// A producer's request, in one message, to keep some events.
///
/// ```json
/// {"events": [{"conversation": "c1", "message": "m1", …}, …], "lane": "backfill"}
/// ```
///
/// An event by itself is a request, too. The answer to either form gives the outcome of each event, in the same order:
///
/// ```json
/// {"answers": [{"answer": "accepted"}, {"answer": "invalid", "field": "body", "reason": "…"}]}
/// ```
///
/// A request that cannot be read at all is answered `{"error": "…", "limits": {…}}`, and nothing of it is kept.
package struct IngestRequest: Equatable, Sendable {
    package var lane: Lane
    /// The person in whose name the request is made: nothing is done that this person may not do. Nil for a
    /// backend, which speaks for everybody. A subject only ever narrows the rights of a request.
    package var subject: SenderID?
    /// The events: each one that can be kept, or its fault.
    package var events: [Result<ChatEvent, EventFault>]
    /// Whether the request was one event by itself, without `events` around it.
    package var isBare = false

    package init(lane: Lane = .live, subject: SenderID? = nil, events: [Result<ChatEvent, EventFault>]) {
        (self.lane, self.subject, self.events) = (lane, subject, events)
    }

    /// A request with events of messages alone.
    package init(lane: Lane = .live, subject: SenderID? = nil, events: [Result<MessageEvent, EventFault>]) {
        self.init(lane: lane, subject: subject, events: events.map { event in event.map { ChatEvent.message($0) } })
    }
}

extension IngestRequest {
    /// The bytes of this request in the name of a person, to be passed on. Nothing of it is written anew, so that
    /// the service which judges it reports its faults.
    ///
    /// - Parameter bytes: the bytes that this request was read from.
    package func bytes(_ bytes: [UInt8], for subject: SenderID) -> [UInt8] {
        guard self.subject != subject, let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return bytes }
        var name = JSONWriter()
        name.string(subject.text)
        let head = Array(#"{"subject":"#.utf8) + name.bytes
        if isBare { return head + Array(#","events":["#.utf8) + bytes[start...] + Array("]}".utf8) }
        return head + [UInt8(ascii: ",")] + bytes[(start + 1)...]
    }
}

/// The urgency of work: all of an earlier lane comes before most of a later one.
package enum Lane: UInt8, CaseIterable, Comparable, Sendable {
    /// Somebody has just written it.
    case live
    /// History that is imported.
    case backfill
    /// Laid out before, and again for a new edition.
    case relayout

    package static func < (a: Lane, b: Lane) -> Bool { a.rawValue < b.rawValue }
}

/// The reason why an event is not kept: the field, and its fault.
package struct EventFault: Error, Hashable, Sendable {
    package var field: String
    package var reason: String

    package init(field: String, reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    package var answer: EventAnswer { .invalid(field: field, reason: reason) }
}
