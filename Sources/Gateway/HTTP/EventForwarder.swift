import HTTP
import JSON
import Names
package import Transport
import Wire

/// Passes events that come over HTTP on to the coordinator, and its answers back. Nobody is told "accepted" before it was.
package final class EventForwarder {
    private let socket: Socket
    private var lastTicket: UInt64 = 0
    private var waiting: [UInt64: Waiting] = [:]
    /// How many of them are of each who waits.
    private var counts: [Subject: Int] = [:]
    /// How often the connection to the coordinator broke.
    private var breaks = 0

    private struct Waiting {
        var request: Request.ID
        var payer: Subject
        var since: ContinuousClock.Instant
    }

    private static let mostWaiting = 1024
    /// Of one subject, so that the others have room.
    static let mostOfOne = 64
    private static let patience: Duration = .seconds(10)

    package init(to endpoint: String, _ access: Access) throws {
        // In a context of its own: those who call have no door. Steady, as an answer has two parts.
        socket = try Socket(
            .steadyDealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    package var source: Source { socket.source }

    /// The coordinator can be told. This connection is another than that on which it says how it is, and may stand later.
    var isConnected: Bool { socket.isConnected }

    /// Nil when the answer comes later.
    ///
    /// - Parameter bearer: whose own messages it writes; those of everybody, where it is a backend.
    func forward(
        _ request: Request, of conversation: ConversationID, for bearer: Grant, at now: ContinuousClock.Instant
    ) throws -> Response? {
        let payer = bearer.payer
        guard waiting.count < Self.mostWaiting, counts[payer, default: 0] < Self.mostOfOne else { return .unavailable }
        let subject = bearer.isBackend ? nil : bearer.subject
        let asked: IngestRequest
        do throws(JSONError) { asked = try IngestRequest(parsing: request.body) } catch {
            return QueryFault.body("\(error)").response
        }
        // Other conversations may be none of the bearer's business.
        if let fault = asked.stray(from: conversation) ?? asked.foreign(to: subject) { return fault.response }
        let body = subject.map { asked.bytes(request.body, for: $0) } ?? request.body
        lastTicket += 1
        guard try socket.send(frame(lastTicket), body) == .done else { return .unavailable }
        waiting[lastTicket] = Waiting(request: request.id, payer: payer, since: now)
        counts[payer, default: 0] += 1
        return nil
    }

    /// What the coordinator has answered, and those that it has not answered in time, or cannot any more, as it has ended: whoever
    /// posts the same again is answered by the next one.
    func answers(at now: ContinuousClock.Instant) throws -> [(Request.ID, Response)] {
        var answers: [(Request.ID, Response)] = []
        while let parts = try socket.receive() {
            guard parts.count == 2, let waiting = settle(number(parts[0])) else { continue }
            let isRefused = parts[1].starts(with: Array(#"{"error""#.utf8))
            answers.append((waiting.request, Response(isRefused ? 400 : 200, "application/json", parts[1])))
        }
        let breaks = try socket.breaks()
        let isBroken = breaks != self.breaks
        self.breaks = breaks
        for (ticket, late) in waiting where isBroken || now - late.since >= Self.patience {
            _ = settle(ticket)
            answers.append((late.request, .unavailable))
        }
        return answers
    }

    private func settle(_ ticket: UInt64) -> Waiting? {
        guard let settled = waiting.removeValue(forKey: ticket) else { return nil }
        let left = counts[settled.payer, default: 1] - 1
        counts[settled.payer] = left > 0 ? left : nil
        return settled
    }

    private func frame(_ ticket: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: ticket >> (56 - 8 * $0)) }
    }
    private func number(_ frame: [UInt8]) -> UInt64 { frame.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension IngestRequest {
    /// The first event that is not of the conversation in the path.
    fileprivate func stray(from conversation: ConversationID) -> QueryFault? {
        for (place, event) in events.enumerated() {
            guard case .success(let event) = event, event.conversation != conversation else { continue }
            return .field(
                isBare ? "conversation" : "events[\(place)].conversation", found: event.conversation.text,
                expected: "'\(conversation)', which the path names")
        }
        return nil
    }

    /// That it is in the name of another than the token.
    fileprivate func foreign(to subject: SenderID?) -> QueryFault? {
        guard let subject, let named = self.subject, named != subject else { return nil }
        return .field("subject", found: named.text, expected: "'\(subject)', whom the token names")
    }
}

extension Response {
    /// The same again changes nothing, and may be kept.
    static var unavailable: Response {
        var response = problem(503, "Busy")
        response.headers["Retry-After"] = "1"
        return response
    }
}
