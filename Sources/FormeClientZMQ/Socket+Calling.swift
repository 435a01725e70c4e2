import Transport
import Wire

/// The one way in which clients open a socket and receive from it, with the errors of this module.
extension Socket {
    /// A socket that calls an endpoint of the service, with the keys for that endpoint.
    ///
    /// - Parameter context: nil for a context of the socket's own.
    static func calling(
        _ endpoint: String, as kind: Kind, in context: Context? = nil, access: Access
    ) throws(ClientError) -> Socket {
        do throws(TransportError) {
            let shared = if let context { context } else { try Context() }
            let socket = try Socket(
                kind, in: shared, frameLimit: Limits.frame, security: access.calling(endpoint))
            try socket.connect(endpoint)
            return socket
        } catch {
            throw .transport(error)
        }
    }

    /// The parts of the next message that is here; nil when there is none.
    func nextParts() throws(ClientError) -> [[UInt8]]? {
        do throws(TransportError) { return try receive() } catch { throw .transport(error) }
    }

    /// Waits until something can be sent; false when time is up first.
    func reach(within time: Duration) throws(ClientError) -> Bool {
        do throws(TransportError) { return try waitUntilWritable(atMost: time) } catch { throw .transport(error) }
    }

    /// Waits until there may be something to receive.
    func listen(atMost time: Duration) throws(ClientError) {
        do throws(TransportError) { _ = try wait(for: [source], atMost: time) } catch { throw .transport(error) }
    }
}
