package import Wire

/// What producers may ask of the coordinator. Past a limit there is a clear answer, and nothing grows.
package struct IngestLimits: Equatable, Sendable {
    /// Bytes of a message's body.
    package var messageBytes = Limits.body
    package var eventsPerRequest = Limits.eventsPerRequest
    /// Bytes of any one string in a message's body, as JSON spells it.
    package var textBytes = Limits.body
    /// Different conversations that one connection may speak of.
    package var conversationsPerConnection = 1 << 20
    /// Different conversations that are remembered of all connections together.
    package var conversationsRemembered = 1 << 21
    /// Events that are accepted and not laid out yet.
    package var eventsInFlight = 16_384

    package init() {}

    /// What producers are told of one request.
    package var request: RequestLimits { RequestLimits(events: eventsPerRequest) }

    /// What of the body is too long.
    package func fault(in event: MessageEvent) -> EventFault? {
        guard let content = event.body?.content else { return nil }
        guard content.count <= messageBytes else {
            return EventFault(field: "body", reason: "expected at most \(messageBytes) bytes")
        }
        guard content.count <= textBytes || longestString(in: content) <= textBytes else {
            return EventFault(field: "body", reason: "expected texts of at most \(textBytes) bytes")
        }
        return nil
    }
}

/// How many more events may be accepted just now, and when to ask again past that.
package struct IngestRoom: Equatable, Sendable {
    package var live: Int
    package var backfill: Int
    /// Milliseconds until what waits already is laid out.
    package var retryAfter: Int
    /// Events that are laid out in a second; 0 where nothing is known of it, or nothing is laid out.
    package var pace: Int
    /// What is said where there is no room.
    package var reason: BusyReason
    /// Of the live events, those that are for who has had less than a fair share lately.
    package var reserve: Int

    package init(
        live: Int, backfill: Int, retryAfter: Int, reason: BusyReason = .full, reserve: Int = 0, pace: Int = 0
    ) {
        (self.live, self.backfill, self.retryAfter, self.reason) = (live, backfill, retryAfter, reason)
        (self.reserve, self.pace) = (reserve, pace)
    }

    package func has(_ lane: Lane, isGreedy: Bool = false) -> Bool {
        switch lane {
        case .live: live > (isGreedy ? reserve : 0)
        case .backfill, .relayout: backfill > 0
        }
    }

    mutating func take(_ lane: Lane) {
        switch lane {
        case .live: live -= 1
        case .backfill, .relayout: backfill -= 1
        }
    }
}

/// Bytes of the longest string of a JSON text, as it is spelled.
private func longestString(in json: [UInt8]) -> Int {
    var (longest, start, isEscaped): (Int, Int?, Bool) = (0, nil, false)
    for (place, byte) in json.enumerated() {
        if isEscaped {
            isEscaped = false
        } else if byte == 0x5C {
            isEscaped = true
        } else if byte == 0x22 {
            if let open = start { longest = max(longest, place - open - 1) }
            start = start == nil ? place : nil
        }
    }
    return longest
}
