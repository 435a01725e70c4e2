import FormeClientZMQ
import Transport
import Wire

/// Hears hints from now on.
final class HintLane {
    private let hints: ReadyHints
    init(_ endpoint: String) throws { hints = try ReadyHints(endpoint) }
    var source: Source { hints.source }
    func receive() throws -> [Readiness] { try hints.receive() }
}
