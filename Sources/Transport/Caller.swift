import CZMQ
import Glibc

/// A watch over the connection that a calling socket makes, as libzmq retries in silence after any failure.
///
/// Where the service does not have the key that was expected, the next of the known ones is tried, on the same socket.
final class Caller {
    private let socket: SocketHandle
    private let context: Context
    /// The monitor of the socket; nil where it is not watched.
    private(set) var events: SocketHandle?
    private let credentials: Credentials?
    private var endpoint = ""
    private var current = 0
    /// Handshakes in a row that broke off without a word, as they do at a service with another key.
    private var broken = 0
    /// Whether the socket was connected at the last look around; nil where it is not known.
    private(set) var isConnected: Bool?
    /// The number of times that a standing connection broke.
    private(set) var breaks = 0

    /// The number of broken handshakes to allow. At least three, as a service that ends in the middle of a handshake
    /// breaks one off, too.
    private var patience: Int { 2 * (credentials?.servers.count ?? 1) + 1 }

    init(
        _ socket: SocketHandle, _ credentials: Credentials?, in context: Context, knowsWhetherConnected: Bool = false
    ) {
        (self.socket, self.credentials, self.context) = (socket, credentials, context)
        isConnected = knowsWhetherConnected ? false : nil
    }

    /// Whether the peer may be there: false only where it is known to be absent.
    func mayBeConnected() throws(TransportError) -> Bool {
        guard isConnected != nil else { return true }
        try lookAround()
        return isConnected!
    }

    func connect(_ endpoint: String) throws(TransportError) {
        self.endpoint = endpoint
        // Without keys there is nothing to see, and a monitor costs three descriptors.
        if events == nil, Access.needsKeys(endpoint) || isConnected != nil { events = try watch() }
        if let credentials { try socket.set(ZMQ_CURVE_SERVERKEY, bytes: credentials.servers[current].bytes) }
        try socket.connect(endpoint)
    }

    private func watch() throws(TransportError) -> SocketHandle {
        let watched =
            ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
        let address = "inproc://events-\(unsafe UInt(bitPattern: socket.raw))"
        guard unsafe zmq_socket_monitor(socket.raw, address, watched) == 0 else {
            throw .system(call: "zmq_socket_monitor", code: zmq_errno(), endpoint: "")
        }
        let events = try SocketHandle(type: ZMQ_PAIR, context: context)
        try events.set(ZMQ_LINGER, 0)
        try events.connect(address)
        return events
    }

    /// Reads the events of the socket. Throws where a retry would change nothing.
    func lookAround() throws(TransportError) {
        while let event = try events?.receiveMessage(ZMQ_DONTWAIT) {
            let number = event.parts[0].count >= 2 ? Int32(event.parts[0][0]) | Int32(event.parts[0][1]) << 8 : 0
            switch number {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
                broken = 0
                if isConnected != nil { isConnected = true }
            case ZMQ_EVENT_DISCONNECTED:
                breaks += 1
                if isConnected != nil { isConnected = false }
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: throw .notAdmitted(endpoint: endpoint)
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: throw .otherSecurity(endpoint: endpoint)
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: try tryNextKey()
            default: break
            }
        }
    }

    private func tryNextKey() throws(TransportError) {
        broken += 1
        guard let credentials else {
            if broken < patience { return }
            throw .otherSecurity(endpoint: endpoint)
        }
        // Where only one end of a connection uses keys, it is a matter of chance which end sees it first.
        guard broken < patience else { throw .wrongServerKey(endpoint: endpoint) }
        guard credentials.servers.count > 1 else { return }
        current = (current + 1) % credentials.servers.count
        try socket.disconnect(endpoint)
        // libzmq has retried in silence: its events about that belong to the key before.
        while try events?.receiveMessage(ZMQ_DONTWAIT) != nil {}
        try connect(endpoint)
    }
}
