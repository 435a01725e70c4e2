import Bytes
package import Transport
package import Wire

/// Says words about windows without waiting for the answer to one before the next. It belongs to a loop of the
/// caller's, as `Producer` does.
package struct WindowQuestions: ~Copyable {
    package struct Reply: Sendable {
        /// The request that it answers; none for words that are said unasked.
        package var request: RequestID
        package var word: GatewayWord
    }

    package let endpoint: String
    private let socket: Socket

    package init(_ endpoint: String, in context: Context, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        socket = try .calling(endpoint, as: .dealer, in: context, access: access)
    }

    package var source: Source { socket.source }

    /// - Returns: false while the service takes no more, or is not there.
    package func send(_ word: ClientWord, as request: RequestID) throws(ClientError) -> Bool {
        do throws(TransportError) {
            return try socket.send(Framed(word, request: request).encoded()) == .done
        } catch {
            throw .transport(error)
        }
    }

    /// The next reply that is here; nil when there is none.
    package func receive() throws(ClientError) -> Reply? {
        guard let parts = try socket.nextParts() else { return nil }
        guard parts.count == 1, let frame = Self.readable(parts[0]) else { throw .unreadable(endpoint: endpoint) }
        return Reply(request: frame.request, word: frame.word)
    }

    private static func readable(_ bytes: [UInt8]) -> Framed<GatewayWord>? {
        do throws(ByteError) { return try Framed(decoding: bytes) } catch { return nil }
    }
}
