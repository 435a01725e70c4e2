import JSON

/// The limits of one request. A service tells them with every error of a request, and in answer to a request
/// without events.
package struct RequestLimits: Equatable, Sendable {
    package var events: Int
    /// Bytes of the whole request, in UTF-8.
    package var bytes: Int

    /// The limits that a producer keeps until a service tells others: every service with the default
    /// configuration takes as much.
    package init(events: Int = 256, bytes: Int = Limits.frame) { (self.events, self.bytes) = (events, bytes) }

    /// The smaller of both.
    package func within(_ other: RequestLimits) -> RequestLimits {
        RequestLimits(events: min(events, other.events), bytes: min(bytes, other.bytes))
    }
}

/// The reason why nothing of a request was kept, or even looked at.
package struct RequestFault: Error, Equatable, Sendable {
    package var reason: String
    /// The limits; nil where a service does not tell them.
    package var limits: RequestLimits?

    package init(reason: String, limits: RequestLimits?) { (self.reason, self.limits) = (reason, limits) }

    /// The fault of a request with too many bytes.
    package static func tooLong(_ bytes: Int, _ limits: RequestLimits) -> RequestFault {
        RequestFault(
            reason: "expected at most \(limits.bytes) bytes in one request, found \(bytes); send fewer events at once",
            limits: limits)
    }
}

/// Events as a request, as many of them as fit.
package struct PackedRequest: Equatable, Sendable {
    /// The number of events that it holds, from the first on; at least one.
    package let count: Int
    package let bytes: [UInt8]

    /// A request with events of messages alone.
    package init(_ events: some Collection<MessageEvent>, lane: Lane = .live, within limits: RequestLimits) {
        self.init(events.lazy.map { ChatEvent.message($0) }, lane: lane, within: limits)
    }

    /// - Parameter events: at least one.
    package init(_ events: some Collection<ChatEvent>, lane: Lane = .live, within limits: RequestLimits) {
        let tail = Array((lane == .backfill ? #"],"lane":"backfill"}"# : "]}").utf8)
        var bytes = Array(#"{"events":["#.utf8)
        var count = 0
        for event in events.prefix(max(1, limits.events)) {
            var json = JSONWriter()
            event.write(to: &json)
            guard count == 0 || bytes.count + 1 + json.bytes.count + tail.count <= limits.bytes else { break }
            if count > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += json.bytes
            count += 1
        }
        (self.count, self.bytes) = (count, bytes + tail)
    }
}
