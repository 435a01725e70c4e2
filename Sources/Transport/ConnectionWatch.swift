import CZMQ
import Glibc

/// A connection that a listening socket ended by itself, with bytes unread: the peer sent a frame that is longer than
/// the socket takes, or bytes that are no ZMTP.
package struct EndedConnection: Equatable, Sendable {
    /// An address and a port, or the process at the other end of a socket in a folder.
    package var peer: String
    /// The most bytes of a frame.
    package var frameLimit: Int
}

/// A watch for the connections that a listening socket ends by itself, as libzmq (4.3.4) reports them to nobody: a peer
/// whose frame is too long sees its connection end, connects again and sends the same, and neither side knows why.
///
/// A monitor tells when a connection begins and when it ends, but not the reason: the peer has gone, or has sent
/// bytes that are not allowed. In the second case the peer is still there, with bytes left in the kernel. So each
/// descriptor has a twin here, which is looked at once when its connection ends, and closed.
enum ConnectionWatch {
    /// Starts the watch, before the socket listens. It runs on a thread of its own, which ends with the socket.
    static func start(
        _ socket: SocketHandle, in context: Context, _ visitors: Visitors, frameLimit: Int,
        ended: @escaping @Sendable (EndedConnection) -> Void
    ) throws(TransportError) {
        let address = "inproc://watch-\(unsafe UInt(bitPattern: socket.raw))"
        guard unsafe zmq_socket_monitor(socket.raw, address, ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) == 0 else {
            throw .system(call: "zmq_socket_monitor", code: zmq_errno(), endpoint: "")
        }
        // The monitor must not keep the context: the end of the context is the end of the thread.
        let events = try SocketHandle(type: ZMQ_PAIR, context: context, keepsContext: false)
        try events.set(ZMQ_LINGER, 0)
        // No limit: with one, libzmq's threads wait until the events are read.
        try events.set(ZMQ_RCVHWM, 0)
        try events.connect(address)
        events.handOver { look(at: $0, visitors, frameLimit, ended) }
    }

    private static func look(
        at events: SocketHandle, _ visitors: Visitors, _ frameLimit: Int, _ ended: @Sendable (EndedConnection) -> Void
    ) {
        do throws(TransportError) {
            while true {
                guard let event = try events.receiveMessage(0)?.parts.first, event.count == 6 else { continue }
                let descriptor = Int32(bitPattern: event[2...].reversed().reduce(0) { $0 << 8 | UInt32($1) })
                switch Int32(event[0]) | Int32(event[1]) << 8 {
                case ZMQ_EVENT_ACCEPTED:
                    guard let twin = twin(of: descriptor) else { break }
                    // Each twin costs a descriptor; a connection without one is not watched.
                    if let none = visitors.enter(descriptor, twin, address: peer(of: twin)) { close(none) }
                case ZMQ_EVENT_DISCONNECTED:
                    guard let (twin, peer, isCut) = visitors.leave(descriptor) else { break }
                    if !isCut, hasMore(in: twin) { ended(EndedConnection(peer: peer, frameLimit: frameLimit)) }
                    close(twin)
                default: break
                }
            }
        } catch {
            // The socket, or its context, was closed.
        }
        for twin in visitors.clear() { close(twin) }
    }

    /// A twin of a descriptor; nil for one that has gone already.
    private static func twin(of descriptor: Int32) -> Int32? {
        let twin = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard twin >= 0 else { return nil }
        // The number may belong to another file by now. A twin of that file is kept open: closing any descriptor of a
        // file ends all locks that this process has on it, and SQLite lives by those.
        var status = stat()
        guard unsafe fstat(twin, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return twin
    }

    /// The time for the rest of a frame to come, in milliseconds. The end of a peer that has gone is there at once.
    private static let patience: Int32 = 100

    /// Whether a peer that is still there has sent more than was read. libzmq leaves bytes of a peer that has gone
    /// unread, too, where its messages waited to be taken.
    private static func hasMore(in socket: Int32) -> Bool {
        var end = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&end, 1, patience)
        guard Int32(end.revents) & (POLLHUP | POLLERR) == 0 else { return false }
        var count: Int32 = 0
        return unsafe forme_unread(socket, &count) == 0 && count > 0
    }

    private static func peer(of socket: Int32) -> String {
        var (process, user): (Int32, UInt32) = (0, 0)
        if unsafe forme_peer_process(socket, &process, &user) == 0 { return "process \(process) of user \(user)" }
        var name = [CChar](repeating: 0, count: 64)
        guard unsafe forme_peer_address(socket, &name, name.count) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
