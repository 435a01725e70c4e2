import Bytes
import Operations
import Transport
import Wire

private let log = Log("gateway")

/// Hears from the coordinator when rows have changed. Hints may be lost; what matters is read from the cache.
final class HintListener {
    private let socket: Socket

    init(at endpoint: String, _ access: Access) throws {
        // In a context of its own: those who call have no door.
        socket = try Socket(
            .subscriber, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    var source: Source { socket.source }

    /// What is here by now.
    func receive() throws(TransportError) -> [ReadyWord] {
        var words: [ReadyWord] = []
        while let parts = try socket.receive() {
            do throws(ByteError) {
                words.append(try Framed<ReadyWord>(decoding: parts.count == 1 ? parts[0] : []).word)
            } catch {
                log.warning("a hint cannot be read; is the coordinator's version the same?", ["reason": "\(error)"])
            }
        }
        return words
    }
}
