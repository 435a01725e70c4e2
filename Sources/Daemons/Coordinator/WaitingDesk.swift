import JSON
import Pool
package import Transport
package import Wire

/// The desk of a coordinator that waits for room on its disk, and has no journal meanwhile: producers are told to come
/// back, and operators the reason.
package final class WaitingDesk {
    private let events: Socket
    private let operators: Socket
    private let limits: RequestLimits
    private let reason: String

    /// - Parameters:
    ///   - limits: the limits of a request, as the coordinator has them.
    ///   - reason: the reason of the wait, as operators read it.
    package init(
        at endpoints: Endpoints, access: Access, limits: RequestLimits, reason: String
    ) throws(TransportError) {
        let context = try Context()
        events = try Socket(
            .router, in: context, frameLimit: Limits.refusedFrame, longestFrame: Limits.frame,
            security: access.listening(at: endpoints.events, admits: CoordinatorSockets.producers))
        operators = try Socket(
            .router, in: context, frameLimit: Limits.frame,
            security: access.listening(at: endpoints.operators, admits: CoordinatorSockets.operators))
        (self.limits, self.reason) = (limits, reason)
        try events.bind(endpoints.events)
        try operators.bind(endpoints.operators)
    }

    package var sources: [Source] { [events.source, operators.source] }

    /// Answers those who have asked.
    package func answer() throws(TransportError) {
        for _ in 0..<CoordinatorLoop.framesPerTurn {
            guard let message = try events.receiveMessage() else { break }
            _ = try events.send(parts: envelope(of: message) + [refusal(of: message)])
        }
        let error = OperatorAnswer.error(reason).json
        for _ in 0..<CoordinatorLoop.framesPerTurn {
            guard let message = try operators.receiveMessage() else { break }
            _ = try operators.send(parts: envelope(of: message) + [error])
        }
    }

    /// The frames before a request, which stand before its answer, too.
    private func envelope(of message: Socket.Message) -> [[UInt8]] {
        Array(message.parts.prefix(max(1, message.parts.count - 1)))
    }

    private func refusal(of message: Socket.Message) -> [UInt8] {
        if let length = message.refused { return EventAnswer.json(RequestFault.tooLong(length, limits)) }
        let payload = message.parts.count > 1 ? message.parts[message.parts.count - 1] : []
        do throws(JSONError) {
            let events = try IngestRequest(parsing: payload, eventLimit: limits.events).events.count
            let busy = EventAnswer.busy(retryAfter: CoordinatorLoop.afterTrouble, reason: .disk)
            return EventAnswer.json(Array(repeating: busy, count: events), limits: limits)
        } catch {
            return EventAnswer.json(RequestFault(reason: "\(error)", limits: limits))
        }
    }
}
