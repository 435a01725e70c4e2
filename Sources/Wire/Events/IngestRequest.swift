import JSON
package import Names

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
/// A request that cannot be read at all is answered `{"error": "…", "limits": {…}}`, and nothing of it is kept.
package struct IngestRequest: Equatable, Sendable {
    package var lane: Lane
    /// The person who asks, where whoever passes the request on wants nothing to be done that this person may not do. Nil for a
    /// backend, which speaks for everybody. Naming somebody only ever narrows what is done.
    package var subject: SenderID?
    /// What can be kept, or why it cannot.
    package var events: [Result<ChatEvent, EventFault>]
    /// It was one event by itself, without `events` around it.
    package var isBare = false

    package init(lane: Lane = .live, subject: SenderID? = nil, events: [Result<ChatEvent, EventFault>]) {
        (self.lane, self.subject, self.events) = (lane, subject, events)
    }

    /// Events of messages alone.
    package init(lane: Lane = .live, subject: SenderID? = nil, events: [Result<MessageEvent, EventFault>]) {
        self.init(lane: lane, subject: subject, events: events.map { event in event.map { ChatEvent.message($0) } })
    }
}

extension IngestRequest {
    /// The same request in the name of a person, as it is to be passed on: nothing of it is written anew, so that whatever is
    /// wrong with it is told by who judges it.
    ///
    /// - Parameter bytes: what this request was read from.
    package func bytes(_ bytes: [UInt8], for subject: SenderID) -> [UInt8] {
        guard self.subject != subject, let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return bytes }
        var name = JSONWriter()
        name.string(subject.text)
        let head = Array(#"{"subject":"#.utf8) + name.bytes
        if isBare { return head + Array(#","events":["#.utf8) + bytes[start...] + Array("]}".utf8) }
        return head + [UInt8(ascii: ",")] + bytes[(start + 1)...]
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
package struct EventFault: Error, Hashable, Sendable {
    package var field: String
    package var reason: String

    package init(field: String, reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    package var answer: EventAnswer { .invalid(field: field, reason: reason) }
}
