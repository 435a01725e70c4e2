import HTTP
import JSON
import Names
package import Transport
import Wire

/// A forwarder of events: it passes those that come over HTTP on to the coordinator, and its answers back. No client
/// is told "accepted" before the coordinator has accepted.
package final class EventForwarder {
    private let socket: Socket
    private var lastTicket: UInt64 = 0
    private var waiting: [UInt64: Waiting] = [:]
    /// The number of waiting requests of each subject.
    private var counts: [Subject: Int] = [:]
    /// The number of times that the connection to the coordinator broke.
    private var breaks = 0

    private struct Waiting {
        var request: Request.ID
        var payer: Subject
        var since: ContinuousClock.Instant
    }

    private static let mostWaiting = 1024
    /// The most waiting requests of one subject, so that the others have room.
    static let mostOfOne = 64
    private static let patience: Duration = .seconds(10)

    /// - Parameter mostUnsent: the most bytes of requests that the coordinator has not taken, of all subjects together.
    ///   Those that were given up are among them, as they leave when it goes on.
    package init(to endpoint: String, _ access: Access, mostUnsent: Int = 64 << 20) throws {
        // In a context of its own, without a door: a socket that calls admits nobody. Steady, as an answer has two
        // parts.
        socket = try Socket(
            .steadyDealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint),
            mostUnsent: mostUnsent)
        try socket.connect(endpoint)
    }

    package var source: Source { socket.source }

    /// Whether events can be passed on. This is another connection than the one for the coordinator's health, and may
    /// be up later.
    var isConnected: Bool { socket.isConnected }

    /// Passes a request's events on; nil when the answer comes later.
    ///
    /// - Parameter bearer: the sender of the request, who writes its own messages, or, as a backend, those of
    ///   everybody.
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
        if let fault = asked.stray(from: conversation, in: request.body) ?? asked.foreign(to: subject) {
            return fault.response
        }
        let body = subject.map { asked.bytes(request.body, for: $0) } ?? request.body
        lastTicket += 1
        guard try socket.send(frame(lastTicket), body) == .done else { return .unavailable }
        waiting[lastTicket] = Waiting(request: request.id, payer: payer, since: now)
        counts[payer, default: 0] += 1
        return nil
    }

    /// Returns the coordinator's answers, and refusals of requests that it did not answer in time, or cannot any
    /// more, as it has ended: if the client posts the same again, the next coordinator answers it.
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
    /// The fault of the first event that is not of the conversation in the path. An event that cannot be read here
    /// counts with what it names: a coordinator of a later version may be able to read it.
    /// - Parameter bytes: the bytes that this request was read from.
    fileprivate func stray(from conversation: ConversationID, in bytes: [UInt8]) -> QueryFault? {
        var named: [String?]?
        for (place, event) in events.enumerated() {
            let name: String?
            switch event {
            case .success(let event): name = event.conversation.text
            case .failure:
                let names = named ?? Self.conversations(in: bytes)
                named = names
                name = names.indices.contains(place) ? names[place] : nil
            }
            guard let name, !conversation.isSpelled(name) else { continue }
            return .field(
                isBare ? "conversation" : "events[\(place)].conversation", found: name,
                expected: "'\(conversation)', which the path names")
        }
        return nil
    }

    /// The conversations that the events of a request name, whether or not the events can be read; nil for one that
    /// names none.
    private static func conversations(in bytes: [UInt8]) -> [String?] {
        do throws(JSONError) {
            let request = try JSONValue.parse(bytes)
            return (request["events"]?.array ?? [request]).map { $0["conversation"]?.string }
        } catch {
            // It was parsed before.
            return []
        }
    }

    /// The fault of a request in the name of another than the token.
    fileprivate func foreign(to subject: SenderID?) -> QueryFault? {
        guard let subject, let named = self.subject, named != subject else { return nil }
        return .field("subject", found: named.text, expected: "'\(subject)', whom the token names")
    }
}

extension Response {
    /// The refusal of a request that may have been kept: sending the same again is idempotent.
    static var unavailable: Response {
        var response = problem(503, "Busy")
        response.headers["Retry-After"] = "1"
        return response
    }
}
