import Bytes
package import Transport
package import Wire

/// Fetches pages without waiting for one before it asks for the next. It belongs to a loop of the caller's, as `Producer`.
package struct PageReader: ~Copyable {
    /// A page, or why there is none.
    package struct Reply: Sendable {
        package var request: RequestID
        package var page: Result<Page, Refusal>
    }

    package let endpoint: String
    private let socket: Socket

    package init(_ endpoint: String, in context: Context, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        do throws(TransportError) {
            let socket = try Socket(
                .dealer, in: context, frameLimit: Limits.frame, security: access.calling(endpoint))
            try socket.connect(endpoint)
            self.socket = socket
        } catch {
            throw .transport(error)
        }
    }

    package var source: Source { socket.source }

    /// - Returns: false while the service takes no more, or is not there.
    package func send(_ query: Query, as request: RequestID) throws(ClientError) -> Bool {
        do throws(TransportError) {
            return try socket.send(Framed(ReaderWord.fetch(query), request: request).encoded()) == .done
        } catch {
            throw .transport(error)
        }
    }

    /// The next reply that is here; nil when there is none.
    package func receive() throws(ClientError) -> Reply? {
        let parts: [[UInt8]]?
        do throws(TransportError) { parts = try socket.receive() } catch { throw .transport(error) }
        guard let parts else { return nil }
        guard parts.count == 1, let frame = Self.readable(parts[0]) else { throw .unreadable(endpoint: endpoint) }
        switch frame.word {
        case .page(let page): return Reply(request: frame.request, page: .success(page))
        case .refused(let refusal): return Reply(request: frame.request, page: .failure(refusal))
        }
    }

    private static func readable(_ bytes: [UInt8]) -> Framed<PageWord>? {
        do throws(ByteError) { return try Framed(decoding: bytes) } catch { return nil }
    }
}
