import FormeClientZMQ
import Transport
import Wire

/// A lane that hears hints from now on.
final class HintLane {
    private let hints: ReadyHints
    init(_ endpoint: String, _ access: Access) throws { hints = try ReadyHints(endpoint, access: access) }
    var source: Source { hints.source }
    func receive() throws -> [ReadyWord.Row] { try hints.receive() }
}
