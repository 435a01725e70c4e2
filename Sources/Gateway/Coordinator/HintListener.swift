import Bytes
import Operations
import Transport
import Wire

private let log = Log("gateway")

/// A listener to the coordinator's hints that rows have changed. Hints may be lost; the truth is read from the cache.
final class HintListener {
    private let socket: Socket

    init(at endpoint: String, _ access: Access) throws {
        // In a context of its own, without a door: a socket that calls admits nobody.
        socket = try Socket(
            .subscriber, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
    }

    var source: Source { socket.source }

    /// Returns the hints that have arrived.
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
