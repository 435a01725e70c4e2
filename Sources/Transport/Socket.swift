import CZMQ
import Glibc

/// A ZeroMQ socket, which lives and dies on the thread that made it: the compiler refuses to let it go anywhere else.
///
/// Nothing blocks. What cannot be sent now is reported, and it is for the caller to decide what that means.
@safe package struct Socket: ~Copyable {
    package enum Kind {
        /// Answers many peers by name, and is told when one of them is gone.
        case router
        /// Talks to one peer, and to nobody while it is not connected.
        case dealer
        case publisher
        case subscriber
    }

    package enum Sent: Sendable {
        case done
        /// The peer takes no more for now, or is not there yet.
        case full
        /// The peer is not there any more.
        case gone
    }

    private let handle: SocketHandle

    /// - Parameter frameLimit: a peer that sends a larger frame is disconnected.
    package init(_ kind: Kind, in context: Context, frameLimit: Int = 1 << 20) throws(TransportError) {
        let type =
            switch kind {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher: ZMQ_PUB
            case .subscriber: ZMQ_SUB
            }
        let handle = try SocketHandle(type: type, context: context)
        // What is still queued when a socket closes gets this long to leave; nobody waits for more.
        try handle.set(ZMQ_LINGER, 1000)
        try handle.set(ZMQ_HEARTBEAT_IVL, 2000)
        try handle.set(ZMQ_HEARTBEAT_TIMEOUT, 6000)
        try handle.set(ZMQ_HANDSHAKE_IVL, 5000)
        try handle.set(ZMQ_RECONNECT_IVL, 100)
        try handle.set(ZMQ_RECONNECT_IVL_MAX, 5000)
        try handle.set(ZMQ_MAXMSGSIZE, wide: Int64(frameLimit))
        switch kind {
        case .router: try handle.set(ZMQ_ROUTER_MANDATORY, 1)
        case .dealer: try handle.set(ZMQ_IMMEDIATE, 1)
        case .publisher: break
        case .subscriber: try handle.subscribeToEverything()
        }
        self.handle = handle
    }

    package var source: Source { Source(kind: .socket(handle)) }

    package func bind(_ endpoint: String) throws(TransportError) {
        // libzmq removes an ipc file that it finds and takes its place, in use or not.
        if let path = ipcPath(endpoint), isListening(path) { throw .taken(endpoint: endpoint) }
        guard unsafe zmq_bind(handle.raw, endpoint) == 0 else { throw failure("zmq_bind", endpoint) }
    }

    /// Where the socket listens, with the port that the kernel chose for `*`.
    func lastEndpoint() throws(TransportError) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        var length = text.count
        guard unsafe zmq_getsockopt(handle.raw, ZMQ_LAST_ENDPOINT, &text, &length) == 0 else {
            throw failure("zmq_getsockopt", "")
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    package func connect(_ endpoint: String) throws(TransportError) {
        guard unsafe zmq_connect(handle.raw, endpoint) == 0 else { throw failure("zmq_connect", endpoint) }
    }

    /// Sends the parts as one message: all of them or none.
    package func send(_ parts: [UInt8]...) throws(TransportError) -> Sent {
        for (index, part) in parts.enumerated() {
            let more = index + 1 < parts.count ? ZMQ_SNDMORE : 0
            let sent = unsafe part.withUnsafeBytes {
                unsafe zmq_send(handle.raw, $0.baseAddress, $0.count, ZMQ_DONTWAIT | more)
            }
            guard sent < 0 else { continue }
            switch zmq_errno() {
            case EAGAIN, EINTR: return .full
            case EHOSTUNREACH: return .gone
            default: throw failure("zmq_send", "")
            }
        }
        return .done
    }

    /// Waits until something can be sent, for a dealer: until it is connected. False when time is up first.
    package func waitUntilWritable(atMost time: Duration) throws(TransportError) -> Bool {
        var item = unsafe zmq_pollitem_t(socket: handle.raw, fd: 0, events: Int16(ZMQ_POLLOUT), revents: 0)
        guard unsafe zmq_poll(&item, 1, time.wholeMilliseconds) >= 0 || zmq_errno() == EINTR else {
            throw failure("zmq_poll", "")
        }
        return unsafe item.revents != 0
    }

    /// The next message, part by part; nil when none waits.
    package func receive() throws(TransportError) -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        var more = true
        while more {
            guard let part = try handle.receivePart() else { return nil }
            parts.append(part.bytes)
            more = part.more
        }
        return parts
    }
}

/// What the sockets of one thread share: libzmq's own threads, ended when the last of the sockets is closed.
@safe package final class Context {
    fileprivate let raw: UnsafeMutableRawPointer

    package init() throws(TransportError) {
        guard let raw = unsafe zmq_ctx_new() else { throw failure("zmq_ctx_new", "") }
        unsafe self.raw = unsafe raw
    }

    deinit { unsafe zmq_ctx_term(raw) }
}

/// The socket itself, closed before the context that it came from can go.
@safe final class SocketHandle {
    private let context: Context
    let raw: UnsafeMutableRawPointer

    init(type: Int32, context: Context) throws(TransportError) {
        guard let raw = unsafe zmq_socket(context.raw, type) else { throw failure("zmq_socket", "") }
        self.context = context
        unsafe self.raw = unsafe raw
    }

    deinit { unsafe zmq_close(raw) }

    func set(_ option: Int32, _ value: Int32) throws(TransportError) {
        var value = value
        guard unsafe zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw failure("zmq_setsockopt \(option)", "")
        }
    }

    func set(_ option: Int32, wide value: Int64) throws(TransportError) {
        var value = value
        guard unsafe zmq_setsockopt(raw, option, &value, MemoryLayout<Int64>.size) == 0 else {
            throw failure("zmq_setsockopt \(option)", "")
        }
    }

    func subscribeToEverything() throws(TransportError) {
        guard unsafe zmq_setsockopt(raw, ZMQ_SUBSCRIBE, nil, 0) == 0 else {
            throw failure("zmq_setsockopt ZMQ_SUBSCRIBE", "")
        }
    }

    /// One part, and whether more of the same message follow.
    func receivePart() throws(TransportError) -> (bytes: [UInt8], more: Bool)? {
        var message = zmq_msg_t()
        unsafe zmq_msg_init(&message)
        defer { unsafe zmq_msg_close(&message) }
        guard unsafe zmq_msg_recv(&message, raw, ZMQ_DONTWAIT) >= 0 else {
            guard [EAGAIN, EINTR].contains(zmq_errno()) else { throw failure("zmq_msg_recv", "") }
            return nil
        }
        let content = unsafe UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
        return (unsafe Array(content), unsafe zmq_msg_more(&message) != 0)
    }
}

/// What the last call of libzmq failed with.
private func failure(_ call: String, _ endpoint: String) -> TransportError {
    switch zmq_errno() {
    case EADDRINUSE: .taken(endpoint: endpoint)
    case EINVAL, EPROTONOSUPPORT, ENODEV: .badEndpoint(endpoint)
    case ENAMETOOLONG: .pathTooLong(endpoint: endpoint, limit: 107)
    case EACCES, EPERM, EROFS: .notPermitted(endpoint: endpoint)
    case let code: .system(call: call, code: code, endpoint: endpoint)
    }
}
