import Pool
import Transport
import Wire

/// What a gateway tells the coordinator: wishes. Nobody waits for an answer, and one that is lost is not told again: what it is
/// about comes in its turn.
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
        guard !messages.isEmpty else { return }
        // Answers to what was told before.
        while try socket.receive() != nil {}
        _ = try socket.send(parts: [OperatorRequest.urge(messages).json])
    }
}
