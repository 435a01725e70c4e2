import CZMQ
import Foundation
import Glibc

/// The socket itself, closed before the context that it came from can go.
@safe final class SocketHandle {
    private let context: Context?
    let raw: UnsafeMutableRawPointer
    /// The connections to a listening socket.
    var visitors: Visitors?

    /// The most parts of one message. Envelopes have a few, and questions to the doorkeeper seven.
    private static let mostParts = 16

    /// - Parameter keepsContext: false for a socket that is closed because its context ends.
    init(type: Int32, context: Context, keepsContext: Bool = true) throws(TransportError) {
        guard let raw = unsafe zmq_socket(context.raw, type) else { throw failure("zmq_socket", "") }
        self.context = keepsContext ? context : nil
        unsafe self.raw = unsafe raw
    }

    deinit { unsafe zmq_close(raw) }

    /// Starts a thread that owns the socket from now on: its maker does not use it again.
    func handOver(to body: @escaping @Sendable (SocketHandle) -> Void) {
        // Safe: a socket may move to another thread where a fence, such as the start of that thread, stands between
        // its uses.
        nonisolated(unsafe) let socket = self
        Thread.detachNewThread { unsafe body(socket) }
    }

    func bind(_ endpoint: String) throws(TransportError) {
        guard unsafe zmq_bind(raw, endpoint) == 0 else { throw failure("zmq_bind", endpoint) }
    }

    func connect(_ endpoint: String) throws(TransportError) {
        guard unsafe zmq_connect(raw, endpoint) == 0 else { throw failure("zmq_connect", endpoint) }
    }

    func disconnect(_ endpoint: String) throws(TransportError) {
        guard unsafe zmq_disconnect(raw, endpoint) == 0 else { throw failure("zmq_disconnect", endpoint) }
    }

    func set(_ option: Int32, _ value: Int32) throws(TransportError) {
        try check(unsafe withUnsafeBytes(of: value) { unsafe set(option, $0) }, option)
    }

    func set(_ option: Int32, wide value: Int64) throws(TransportError) {
        try check(unsafe withUnsafeBytes(of: value) { unsafe set(option, $0) }, option)
    }

    func set(_ option: Int32, bytes: [UInt8]) throws(TransportError) {
        try check(unsafe bytes.withUnsafeBytes { unsafe set(option, $0) }, option)
    }

    func subscribeToEverything() throws(TransportError) { try set(ZMQ_SUBSCRIBE, bytes: []) }

    private func set(_ option: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        unsafe zmq_setsockopt(raw, option, bytes.baseAddress, bytes.count)
    }

    /// The error names the option, and never its value.
    private func check(_ status: Int32, _ option: Int32) throws(TransportError) {
        guard status == 0 else { throw failure("zmq_setsockopt \(option)", "") }
    }

    /// Sends a part, and returns the answer of libzmq: below zero where the part could not be sent.
    ///
    /// - Parameter account: the account on which a long part is counted, until it has left.
    func send(_ part: [UInt8], flags: Int32, _ account: UnreadBytes.Account? = nil) -> Int32 {
        unsafe part.withUnsafeBytes { bytes in
            if let account, bytes.count >= UnreadBytes.least {
                return unsafe forme_send_counted(raw, bytes.baseAddress, bytes.count, flags, account.raw)
            }
            return unsafe zmq_send(raw, bytes.baseAddress, bytes.count, flags)
        }
    }

    /// The next message, and the key that it came under; nil when none waits. A part that is longer than `longest` is
    /// empty, and only its length is told. A message with too many parts has none of them.
    func receiveMessage(
        _ flags: Int32, longest: Int = .max
    ) throws(TransportError) -> (parts: [[UInt8]], refused: Int?, user: String?)? {
        var parts: [[UInt8]] = []
        var refused: Int?
        var count = 0
        while true {
            guard let part = try receivePart(flags, longest) else { return nil }
            count += 1
            if count <= Self.mostParts { parts.append(part.bytes) } else { parts = [] }
            if part.count > longest { refused = max(refused ?? 0, part.count) }
            guard part.more else { return (parts, refused, part.user) }
        }
    }

    /// The word of a subscriber, and the descriptor of its connection; nil when none waits. Words of libzmq on behalf
    /// of subscribers that went have no descriptor, and are passed over.
    func receiveSubscription() throws(TransportError) -> (word: [UInt8], descriptor: Int32)? {
        while true {
            var message = zmq_msg_t()
            unsafe zmq_msg_init(&message)
            defer { unsafe zmq_msg_close(&message) }
            guard unsafe zmq_msg_recv(&message, raw, ZMQ_DONTWAIT) >= 0 else {
                guard [EAGAIN, EINTR].contains(zmq_errno()) else { throw failure("zmq_msg_recv", "") }
                return nil
            }
            let descriptor = unsafe zmq_msg_get(&message, ZMQ_SRCFD)
            guard descriptor >= 0 else { continue }
            let content = unsafe UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
            return (unsafe Array(content), descriptor)
        }
    }

    /// One part, and whether more of the same message follow. The last part names the sender: libzmq 4.3.4 can lose
    /// the name in the first.
    private func receivePart(
        _ flags: Int32, _ longest: Int
    ) throws(TransportError) -> (bytes: [UInt8], count: Int, more: Bool, user: String?)? {
        var message = zmq_msg_t()
        unsafe zmq_msg_init(&message)
        defer { unsafe zmq_msg_close(&message) }
        guard unsafe zmq_msg_recv(&message, raw, flags) >= 0 else {
            guard [EAGAIN, EINTR].contains(zmq_errno()) else { throw failure("zmq_msg_recv", "") }
            return nil
        }
        let content = unsafe UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
        let more = unsafe zmq_msg_more(&message) != 0
        let user = more ? nil : unsafe zmq_msg_gets(&message, "User-Id")
        let bytes = content.count > longest ? [] : unsafe Array(content)
        return (bytes, content.count, more, unsafe user.map { unsafe String(cString: $0) })
    }
}

/// The error that the last call of libzmq ended with.
func failure(_ call: String, _ endpoint: String) -> TransportError {
    switch zmq_errno() {
    case EADDRINUSE: .taken(endpoint: endpoint)
    case EADDRNOTAVAIL: .notHere(endpoint: endpoint)
    case EINVAL, EPROTONOSUPPORT, ENODEV: .badEndpoint(endpoint)
    case ENAMETOOLONG: .pathTooLong(endpoint: endpoint, limit: 107)
    case EACCES, EPERM, EROFS: .notPermitted(endpoint: endpoint)
    case let code: .system(call: call, code: code, endpoint: endpoint)
    }
}
