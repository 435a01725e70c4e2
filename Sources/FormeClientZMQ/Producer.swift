import JSON
package import Transport
package import Wire

/// Posts events without waiting for one answer before the next request: many are in flight at once.
///
/// It belongs to a loop of the caller's: `send` and `receive` never wait, `source` tells when there is something to
/// receive. The caller sends again what is not answered; the same event twice is one event.
package struct Producer: ~Copyable {
    /// The name of a request until it is answered.
    package struct Ticket: Hashable, Sendable {
        package var number: UInt64
        package init(_ number: UInt64) { self.number = number }
    }

    /// The outcome of one request.
    package struct Reply: Equatable, Sendable {
        package var ticket: Ticket
        package var said: IngestReply

        /// Nil for a message that is no reply.
        init?(_ parts: [[UInt8]]) {
            guard parts.count == 2, let ticket = Ticket(frame: parts[0]), let reply = readable(parts[1]) else {
                return nil
            }
            (self.ticket, said) = (ticket, reply)
        }

        /// An answer for each event, in their order. The fault of a request is the answer to each of its events.
        package func answers(toEvents count: Int) -> [EventAnswer] {
            switch said {
            case .answered(let answers, _) where answers.count == count: answers
            case .answered(let answers, _):
                Array(repeating: .invalid(field: "", reason: "answered \(answers.count) of \(count)"), count: count)
            case .refused(let fault):
                Array(repeating: .invalid(field: "", reason: fault.reason), count: count)
            }
        }
    }

    package let endpoint: String
    private let socket: Socket

    package init(_ endpoint: String, in context: Context, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        socket = try .calling(endpoint, as: .steadyDealer, in: context, access: access)
    }

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        socket = try .calling(endpoint, as: .steadyDealer, access: access)
    }

    package var source: Source { socket.source }

    /// - Parameters:
    ///   - request: the JSON of an `IngestRequest`.
    ///   - ticket: the name that its reply bears.
    /// - Returns: false while the service takes no more, or is not there.
    package func send(_ request: [UInt8], as ticket: Ticket) throws(ClientError) -> Bool {
        // The parts before the request come back before its answer.
        do throws(TransportError) { return try socket.send(ticket.frame, request) == .done } catch {
            throw .transport(error)
        }
    }

    /// Waits until a request can be sent; false when time is up first.
    package func waitUntilWritable(atMost time: Duration) throws(ClientError) -> Bool {
        try socket.reach(within: time)
    }

    /// The next reply that is here; nil when there is none.
    package func receive() throws(ClientError) -> Reply? {
        guard let parts = try socket.nextParts() else { return nil }
        guard let reply = Reply(parts) else { throw .unreadable(endpoint: endpoint) }
        return reply
    }
}

private func readable(_ bytes: [UInt8]) -> IngestReply? {
    do throws(JSONError) { return try IngestReply(parsing: bytes) } catch { return nil }
}

extension Producer.Ticket {
    var frame: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }

    fileprivate init?(frame: [UInt8]) {
        guard frame.count == 8 else { return nil }
        number = frame.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
