package import Wire

/// The lines of a file that are answered. They are sent in many requests at once and answered in any order; an import
/// goes on behind the last line up to which all of them are.
package struct ImportLedger: Sendable {
    /// A place that an import has come to.
    package struct Place: Equatable, Sendable {
        /// The number of bytes before it.
        package var offset: UInt64
        package var lines: Int
        package init(offset: UInt64 = 0, lines: Int = 0) { (self.offset, self.lines) = (offset, lines) }
    }

    package struct Counts: Equatable, Sendable {
        package var accepted = 0
        package var duplicate = 0
        package var superseded = 0
        package var invalid = 0
        package init() {}
        package var total: Int { accepted + duplicate + superseded + invalid }
    }

    /// A request that is to be sent.
    package struct Request: Equatable, Sendable {
        package var number: UInt64
        package var events: [ChatEvent]
    }

    private struct Flight {
        var events: [(line: Int, event: ChatEvent)]
        var end: Place
        var isDone = false
        /// The number of lines up to its end that are not kept.
        var refused: Int
    }

    /// The place before which everything is answered.
    package private(set) var answered: Place
    package private(set) var counts = Counts()
    /// The number of lines before that place that were not kept, of those that were read here.
    package private(set) var refused = 0
    /// The number of lines that hold no event and belong to the next request.
    private var refusedSince = 0
    /// Requests in the order of the file, without those at the front that are done.
    private var flights: [(number: UInt64, flight: Flight)] = []
    private var nextNumber: UInt64 = 1

    package init(from place: Place = Place()) { answered = place }

    package var flightCount: Int { flights.count { !$0.flight.isDone } }
    package var isEmpty: Bool { flights.isEmpty }

    /// Takes some lines that hold events, and the place behind them.
    package mutating func send(_ events: [(line: Int, event: ChatEvent)], upTo end: Place) -> Request? {
        let number = nextNumber
        nextNumber += 1
        flights.append((number, Flight(events: events, end: end, isDone: events.isEmpty, refused: refusedSince)))
        refusedSince = 0
        advance()
        return events.isEmpty ? nil : Request(number: number, events: events.map(\.event))
    }

    /// Notes a line that holds no event.
    package mutating func refuse() {
        counts.invalid += 1
        refusedSince += 1
    }

    /// - Parameter answers: the answers to the first events of the request, as many as were sent.
    /// - Returns: the lines that were refused, with the reason, and the time after which the rest is to be sent
    ///   again, if any of it was refused as busy, or not sent yet.
    package mutating func answer(
        _ number: UInt64, _ answers: [EventAnswer]
    ) -> (faults: [(line: Int, EventFault)], retryAfter: Int?) {
        guard let place = flights.firstIndex(where: { $0.number == number && !$0.flight.isDone }) else {
            return ([], nil)
        }
        let events = flights[place].flight.events
        var faults: [(Int, EventFault)] = []
        var left: [(line: Int, event: ChatEvent)] = []
        var wait: Int?
        for (event, answer) in zip(events, answers) {
            switch answer {
            case .accepted: counts.accepted += 1
            case .duplicate: counts.duplicate += 1
            case .superseded: counts.superseded += 1
            case .invalid(let field, let reason):
                counts.invalid += 1
                flights[place].flight.refused += 1
                faults.append((event.line, EventFault(field: field, reason: reason)))
            case .busy(let milliseconds, _):
                left.append(event)
                wait = max(wait ?? 0, milliseconds)
            }
        }
        if answers.count < events.count {
            left += events[answers.count...]
            wait = wait ?? 0
        }
        flights[place].flight.events = left
        flights[place].flight.isDone = left.isEmpty
        advance()
        return (faults, wait)
    }

    /// The line of an event, in a request that waits for an answer.
    package func line(_ place: Int, of number: UInt64) -> Int? {
        guard let flight = flights.first(where: { $0.number == number })?.flight, flight.events.indices.contains(place)
        else { return nil }
        return flight.events[place].line
    }

    /// The rest of a request; nil when it is answered.
    package func request(_ number: UInt64) -> Request? {
        guard let flight = flights.first(where: { $0.number == number })?.flight, !flight.isDone else { return nil }
        return Request(number: number, events: flight.events.map(\.event))
    }

    /// Requests that wait for an answer.
    package var open: [UInt64] { flights.filter { !$0.flight.isDone }.map(\.number) }

    private mutating func advance() {
        while let first = flights.first, first.flight.isDone {
            answered = first.flight.end
            refused += first.flight.refused
            flights.removeFirst()
        }
    }
}
