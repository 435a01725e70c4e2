import Pool
import Transport
import Wire

/// What a gateway tells the coordinator: wishes. Nobody waits for an answer, and one that is lost is not told again: what it is
/// about comes in its turn, or is told again when more is known.
final class CoordinatorLine {
    private let socket: Socket

    init(to endpoint: String, _ access: Access) throws {
        // In a context of its own: those who call have no door.
        socket = try Socket(
            .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    /// Readers wait for these messages.
    func urge(_ messages: [MessageKey]) throws {
        if !messages.isEmpty { try tell(.urge(messages)) }
    }

    /// Readers asked for these screens.
    func want(_ targets: [WantedTarget]) throws {
        if !targets.isEmpty { try tell(.wanted(targets)) }
    }

    private func tell(_ request: OperatorRequest) throws {
        // Answers to what was told before.
        while try socket.receive() != nil {}
        _ = try socket.send(parts: [request.json])
    }
}
