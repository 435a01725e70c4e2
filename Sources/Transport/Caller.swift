import CZMQ
import Glibc

/// Watches how the connection of a calling socket is made, as libzmq tries again in silence whatever the reason.
///
/// Where the service does not have the key that was expected, the next of the known ones is tried, on the same socket.
final class Caller {
    private let socket: SocketHandle
    private let context: Context
    /// Nil where it is not watched.
    private(set) var events: SocketHandle?
    private let credentials: Credentials?
    private var endpoint = ""
    private var current = 0
    /// Handshakes in a row that broke off without a word, which is how a service answers that has another key.
    private var broken = 0
    /// As of the last look around; nil where it is not known.
    private(set) var isConnected: Bool?
    /// How often a connection that stood did not any more.
    private(set) var breaks = 0

    /// At least three, as a service that ends in the middle of a handshake breaks one off, too.
    private var patience: Int { 2 * (credentials?.servers.count ?? 1) + 1 }

    init(
        _ socket: SocketHandle, _ credentials: Credentials?, in context: Context, knowsWhetherConnected: Bool = false
    ) {
        (self.socket, self.credentials, self.context) = (socket, credentials, context)
        isConnected = knowsWhetherConnected ? false : nil
    }

    /// False where it is known that nobody is there.
    func mayBeConnected() throws(TransportError) -> Bool {
        guard isConnected != nil else { return true }
        try lookAround()
        return isConnected!
    }

    func connect(_ endpoint: String) throws(TransportError) {
        self.endpoint = endpoint
        // Where there are no keys there is nothing to see, and a look costs three descriptors.
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

    /// Throws where trying again would change nothing.
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
        // Which of the two ends of a connection is the first to see that only one uses keys is a matter of chance.
        guard broken < patience else { throw .wrongServerKey(endpoint: endpoint) }
        guard credentials.servers.count > 1 else { return }
        current = (current + 1) % credentials.servers.count
        try socket.disconnect(endpoint)
        // libzmq has tried again in silence: what it tells of that is of the key before.
        while try events?.receiveMessage(ZMQ_DONTWAIT) != nil {}
        try connect(endpoint)
    }
}
