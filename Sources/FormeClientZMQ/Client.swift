import Bytes
package import Transport
package import Wire

/// The reason why a service did not do what was asked.
package enum ClientError: Error, Equatable, Sendable {
    /// No answer came in time; perhaps there is no service.
    case noAnswer(endpoint: String)
    /// The answer cannot be read, or does not belong to this question.
    case unreadable(endpoint: String)
    /// The service refused a request that cannot be made smaller; whether it took any of its events is not known.
    case requestRefused(endpoint: String, reason: String)
    case transport(TransportError)
}

/// Posts to one service, one request at a time, each with a deadline.
package struct Client: ~Copyable {
    private let endpoint: String
    private let socket: Socket
    private var lastRequest: UInt64 = 0
    private var size = RequestSize()

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        socket = try .calling(endpoint, as: .steadyDealer, access: access)
        self.endpoint = endpoint
    }

    /// Waits until the service is there; false when time is up first.
    package func waitUntilWritable(atMost time: Duration) throws(ClientError) -> Bool {
        try socket.reach(within: time)
    }

    /// Posts events, in as many requests as the service wants: those that are accepted are on disk when this returns.
    /// While the service is busy, it asks again for those that it had no room for; those that still have none when
    /// time is up are answered "busy".
    ///
    /// - Parameters:
    ///   - waits: called each time that the service says that it is busy, with the reason.
    ///   - warns: called with the places of events that were accepted, but are not drawn as they were meant.
    /// - Returns: an answer for each event, in their order.
    package mutating func post(
        _ events: [ChatEvent], lane: Lane = .live, within time: Duration, waits: (BusyReason?) -> Void = { _ in },
        warns: (Int, String) -> Void = { _, _ in }
    ) throws(ClientError) -> [EventAnswer] {
        let deadline = ContinuousClock.now + time
        var answers: [EventAnswer?] = Array(repeating: nil, count: events.count)
        var left = ArraySlice(events.indices)
        while !left.isEmpty {
            let request = size.pack(left.lazy.map { events[$0] }, lane: lane)
            let new: [EventAnswer]
            let warnings: [Int: String]
            switch try ask(request, before: deadline) {
            case .answered(let said, let told) where said.count == request.count: (new, warnings) = (said, told)
            case .answered: throw .unreadable(endpoint: endpoint)
            case .refused(let fault):
                guard size.shrink(after: fault, to: request) else {
                    throw .requestRefused(endpoint: endpoint, reason: fault.reason)
                }
                continue
            }
            let asked = left.prefix(request.count)
            left = left.dropFirst(request.count)
            for (place, words) in warnings.sorted(by: { $0.key < $1.key }) where place < request.count {
                warns(asked[asked.startIndex + place], words)
            }
            for (place, answer) in zip(asked, new) { answers[place] = answer }
            let busy = asked.filter { answers[$0]?.retry != nil }
            guard let retry = busy.compactMap({ answers[$0]?.retry }).max(by: { $0.time < $1.time }) else { continue }
            guard .now + retry.time < deadline else {
                return answers.map { $0 ?? .busy(retryAfter: Int(retry.time / .milliseconds(1)), reason: retry.reason) }
            }
            waits(retry.reason)
            let next = ContinuousClock.now + retry.time
            while .now < next { try socket.listen(atMost: next - .now) }
            left = busy + left
        }
        return answers.map { $0! }
    }

    /// Posts messages in the same way.
    package mutating func post(
        _ events: [MessageEvent], lane: Lane = .live, within time: Duration
    ) throws(ClientError) -> [EventAnswer] {
        try post(events.map { ChatEvent.message($0) }, lane: lane, within: time)
    }

    private mutating func ask(
        _ request: PackedRequest, before deadline: ContinuousClock.Instant
    ) throws(ClientError) -> IngestReply {
        lastRequest += 1
        let ticket = Producer.Ticket(lastRequest)
        while try !send(ticket.frame, request.bytes, before: deadline) {
            guard .now < deadline else { throw .noAnswer(endpoint: endpoint) }
        }
        while .now < deadline {
            try socket.listen(atMost: deadline - .now)
            while let parts = try socket.nextParts() {
                guard let reply = Producer.Reply(parts) else { throw .unreadable(endpoint: endpoint) }
                if reply.ticket == ticket { return reply.said }
            }
        }
        throw .noAnswer(endpoint: endpoint)
    }

    private func send(
        _ ticket: [UInt8], _ request: [UInt8], before deadline: ContinuousClock.Instant
    ) throws(ClientError) -> Bool {
        do throws(TransportError) {
            guard try socket.waitUntilWritable(atMost: deadline - .now) else { return false }
            return try socket.send(ticket, request) == .done
        } catch {
            throw .transport(error)
        }
    }
}

extension EventAnswer {
    /// The time after which it may be tried again, if it may, and the reason why not now.
    fileprivate var retry: (time: Duration, reason: BusyReason?)? {
        if case .busy(let milliseconds, let reason) = self { (.milliseconds(milliseconds), reason) } else { nil }
    }
}
