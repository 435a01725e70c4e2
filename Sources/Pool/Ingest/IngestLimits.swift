package import Wire

/// The limits of producers. Past a limit there is a clear answer, and nothing grows.
package struct IngestLimits: Equatable, Sendable {
    /// The most bytes of a message's body.
    package var messageBytes = Limits.body
    package var eventsPerRequest = Limits.eventsPerRequest
    /// The most bytes of any one string in a message's body, as JSON spells it.
    package var textBytes = Limits.body
    /// The most different conversations that one connection may speak of.
    package var conversationsPerConnection = 1 << 20
    /// The most different conversations that are remembered of all connections together.
    package var conversationsRemembered = 1 << 21

    package init() {}

    /// The limits of one request, as producers are told them.
    package var request: RequestLimits { RequestLimits(events: eventsPerRequest) }

    /// Returns the fault of a body that is too long; nil where it is not.
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

/// The room for more events at present, and the time to ask again past that.
package struct IngestRoom: Equatable, Sendable {
    package var live: Int
    package var backfill: Int
    /// The milliseconds until all that waits already is laid out.
    package var retryAfter: Int
    /// The events that are laid out in a second; 0 where nothing is known of it, or nothing is laid out.
    package var pace: Int
    /// The reason that is told where there is no room.
    package var reason: BusyReason
    /// The part of the live events that is for payers with less than a fair share lately.
    package var reserve: Int

    package init(
        live: Int, backfill: Int, retryAfter: Int, reason: BusyReason = .full, reserve: Int = 0, pace: Int = 0
    ) {
        (self.live, self.backfill, self.retryAfter, self.reason) = (live, backfill, retryAfter, reason)
        (self.reserve, self.pace) = (reserve, pace)
    }

    /// - Parameter promised: the part of the room for live events that is for others.
    package func has(_ lane: Lane, isGreedy: Bool = false, besides promised: Int = 0) -> Bool {
        switch lane {
        case .live: live > promised + (isGreedy ? reserve : 0)
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

/// Returns the bytes of the longest string of a JSON text, as it is spelled.
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
