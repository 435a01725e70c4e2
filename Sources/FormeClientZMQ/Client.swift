import Bytes
package import Transport
package import Wire

/// Why a service did not do what was asked.
package enum ClientError: Error, Equatable, Sendable {
    /// Nobody answered in time; nobody may be there.
    case noAnswer(endpoint: String)
    /// The answer cannot be read, or is none to this question.
    case unreadable(endpoint: String)
    /// The service did not take a request that could not be made smaller; of its events nothing is known.
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

    /// Has events kept, in as many requests as the service wants: what is accepted is on disk when this returns. While the
    /// service is busy, asks again for those that it had no room for; what it still has none for when time is up is answered
    /// "busy".
    ///
    /// - Parameters:
    ///   - waits: told each time that the service says that it is busy, and why.
    ///   - warns: told of events that were accepted, by their places, and are not drawn as they were meant.
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

    /// The same of messages alone.
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
    /// After how long it may be tried again, if it may, and why not now.
    fileprivate var retry: (time: Duration, reason: BusyReason?)? {
        if case .busy(let milliseconds, let reason) = self { (.milliseconds(milliseconds), reason) } else { nil }
    }
}
