import CZMQ
import Glibc

/// A ZeroMQ socket, which lives and dies on the thread that made it: the compiler refuses to let it go anywhere else.
///
/// Sending and receiving never block. A message that cannot be sent now is reported, and the caller decides what to do.
@safe package struct Socket: ~Copyable {
    package enum Kind {
        /// Answers many peers by name, and is told when one of them is gone.
        case router
        /// Talks to one peer, and to nobody while it is not connected. Messages to it have one part: libzmq (4.3.4,
        /// ZMQ_IMMEDIATE) ends the process when such a connection breaks between the parts of a message that is being
        /// received.
        case dealer
        /// A dealer for messages of many parts. A message that had not left when the connection broke leaves when it
        /// stands again.
        case steadyDealer
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

    /// A message and its sender.
    package struct Message {
        /// The parts; one that is longer than the socket takes is empty.
        package var parts: [[UInt8]]
        /// Bytes of the longest part that was thrown away for its length; nil where none was.
        package var refused: Int?
        /// The holder of the key that it came under; nil where there are no keys.
        package var sender: Guest?
    }

    private let handle: SocketHandle
    private let security: Security
    private let context: Context
    private let (frameLimit, longestFrame): (Int, Int)
    /// The watch of a dealer or subscriber: those connect, the others listen.
    private let caller: Caller?
    /// The unread bytes of a router's peers.
    private let unread: UnreadBytes?
    /// The bytes that wait to leave a calling socket; nil where they have no limit.
    private let unsent: UnsentBytes?

    /// The most bytes that wait to be received from one peer, if all its frames are as long as they may be.
    private static let mostWaiting = 64 << 20

    /// - Parameters:
    ///   - frameLimit: a peer that sends a larger frame is disconnected.
    ///   - longestFrame: of a larger frame within the limit only the length is received, so that the refusal can name
    ///     it.
    ///   - mostUnsent: the most bytes of messages to a service that it has not taken, short messages left aside; nil
    ///     for no limit but that of libzmq, which counts messages.
    package init(
        _ kind: Kind, in context: Context, frameLimit: Int = 1 << 20, longestFrame: Int = .max,
        security: Security = .plain(), mostUnsent: Int? = nil
    ) throws(TransportError) {
        let type =
            switch kind {
            case .router: ZMQ_ROUTER
            case .dealer, .steadyDealer: ZMQ_DEALER
            case .publisher: ZMQ_XPUB
            case .subscriber: ZMQ_SUB
            }
        let handle = try SocketHandle(type: type, context: context)
        // Messages that are still queued when a socket closes get this long to leave.
        try handle.set(ZMQ_LINGER, 1000)
        // No heartbeats of ZMTP: libzmq 4.3.4 ends the process where one is due on a connection that broke while its
        // messages waited at the mark (libzmq issues 4364 and 4767), so that a peer that sends much and hangs up
        // would end the process it called. The kernel looks after machines that are gone.
        try handle.set(ZMQ_TCP_KEEPALIVE, 1)
        try handle.set(ZMQ_TCP_KEEPALIVE_IDLE, 2)
        try handle.set(ZMQ_TCP_KEEPALIVE_INTVL, 2)
        try handle.set(ZMQ_TCP_KEEPALIVE_CNT, 3)
        try handle.set(ZMQ_TCP_MAXRT, 6000)
        try handle.set(ZMQ_HANDSHAKE_IVL, 5000)
        try handle.set(ZMQ_RECONNECT_IVL, 100)
        // A service is there again soon after it ended, and is to be found then.
        try handle.set(ZMQ_RECONNECT_IVL_MAX, 1000)
        try handle.set(ZMQ_MAXMSGSIZE, wide: Int64(frameLimit))
        // Only on sockets that listen: libzmq 4.3.4 ends the process when a connection breaks whose messages wait at
        // the mark, and a caller knows the service that it called.
        let incoming: Int? =
            switch kind {
            case .router: min(1000, max(16, Self.mostWaiting / frameLimit))
            case .publisher: 64
            case .dealer, .steadyDealer, .subscriber: nil
            }
        if let incoming { try handle.set(ZMQ_RCVHWM, Int32(incoming)) }
        // The mark counts messages; `UnreadBytes` looks after the long ones.
        try handle.set(ZMQ_SNDHWM, kind == .publisher ? 256 : 1000)
        switch kind {
        case .router: try handle.set(ZMQ_ROUTER_MANDATORY, 1)
        case .dealer: try handle.set(ZMQ_IMMEDIATE, 1)
        case .steadyDealer: break
        // Each subscription is reported, so that they can be counted.
        case .publisher: try handle.set(ZMQ_XPUB_VERBOSER, 1)
        case .subscriber: try handle.subscribeToEverything()
        }
        var credentials: Credentials?
        switch security {
        case .plain: break
        case .curveServer(let pair, let door, let roles):
            try context.keep(door)
            try handle.set(ZMQ_CURVE_SERVER, 1)
            try handle.set(ZMQ_CURVE_SECRETKEY, bytes: pair.secretKey.bytes)
            try handle.set(ZMQ_ZAP_DOMAIN, bytes: Array(Doorkeeper.domain(of: roles).utf8))
        case .curveClient(let own):
            try handle.set(ZMQ_CURVE_PUBLICKEY, bytes: own.pair.publicKey.bytes)
            try handle.set(ZMQ_CURVE_SECRETKEY, bytes: own.pair.secretKey.bytes)
            credentials = own
        }
        switch kind {
        case .router, .publisher: caller = nil
        case .dealer, .subscriber: caller = Caller(handle, credentials, in: context)
        case .steadyDealer: caller = Caller(handle, credentials, in: context, knowsWhetherConnected: true)
        }
        unread = kind == .router ? UnreadBytes() : nil
        unsent = mostUnsent.map { UnsentBytes(atMost: $0) }
        self.handle = handle
        self.security = security
        self.context = context
        (self.frameLimit, self.longestFrame) = (frameLimit, longestFrame)
    }

    /// Watches for connections that this socket ends because of the bytes they sent. For a socket that does not
    /// listen yet.
    ///
    /// - Parameter ended: called for each of them, on a thread of its own.
    package func watchConnections(_ ended: @escaping @Sendable (EndedConnection) -> Void) throws(TransportError) {
        var door: (Door, domain: String)?
        if case .curveServer(_, let keeper, let roles) = security { door = (keeper, Doorkeeper.domain(of: roles)) }
        let visitors = Visitors(at: door)
        handle.visitors = visitors
        try ConnectionWatch.start(handle, in: context, visitors, frameLimit: frameLimit, ended: ended)
    }

    package var source: Source { Source(kind: .socket(handle)) }

    package func bind(_ endpoint: String) throws(TransportError) {
        try security.refuseUnprotected(endpoint)
        // libzmq removes an ipc file that it finds and takes its place, in use or not.
        if let path = ipcPath(endpoint), isListening(path) { throw .taken(endpoint: endpoint) }
        if handle.visitors == nil { try watchConnections { _ in } }
        try handle.bind(endpoint)
    }

    /// The endpoint at which the socket listens, with the port that the kernel chose for `*`.
    func lastEndpoint() throws(TransportError) -> String {
        var text = [UInt8](repeating: 0, count: 256)
        var length = text.count
        guard unsafe zmq_getsockopt(handle.raw, ZMQ_LAST_ENDPOINT, &text, &length) == 0 else {
            throw failure("zmq_getsockopt", "")
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    package func connect(_ endpoint: String) throws(TransportError) {
        try security.refuseUnprotected(endpoint)
        if let caller { try caller.connect(endpoint) } else { try handle.connect(endpoint) }
    }

    /// Sends the parts as one message: all of them or none.
    package func send(_ parts: [UInt8]...) throws(TransportError) -> Sent { try send(parts: parts) }

    /// Sends the parts as one message: all of them or none.
    package func send(parts: [[UInt8]]) throws(TransportError) -> Sent {
        if let caller, try !caller.mayBeConnected() { return .full }
        var account: UnreadBytes.Account?
        if unread != nil || unsent != nil {
            let count = parts.reduce(0) { $0 + ($1.count < UnreadBytes.least ? 0 : $1.count) }
            if count > 0 {
                account = unread?.account(of: parts[0], for: count) ?? unsent?.account(for: count)
                if account == nil { return .full }
            }
        }
        for (index, part) in parts.enumerated() {
            let flags = ZMQ_DONTWAIT | (index + 1 < parts.count ? ZMQ_SNDMORE : 0)
            guard handle.send(part, flags: flags, account) < 0 else { continue }
            switch zmq_errno() {
            case EAGAIN, EINTR: return .full
            case EHOSTUNREACH: return .gone
            default: throw failure("zmq_send", "")
            }
        }
        return .done
    }

    /// The bytes that were sent to peers and that they have not read.
    package var unreadBytes: Int { unread?.bytes ?? 0 }
    /// The bytes that wait to leave, where they have a limit.
    var unsentBytes: Int { unsent?.bytes ?? 0 }

    /// Looks after the peers of a listening socket; to be called now and then, and for a publisher whenever something
    /// came.
    ///
    /// - Returns: the peers that were cut off.
    package func tend() throws(TransportError) -> [CutPeer] {
        guard let visitors = handle.visitors else { return [] }
        if unread == nil {
            while let (word, descriptor) = try handle.receiveSubscription() { visitors.hear(word, from: descriptor) }
        }
        return visitors.takeCut()
    }

    /// Cuts off the peer that sent most since the last call, if that was at least so much. For use where memory runs
    /// short.
    package func cutBusiest(atLeast bytes: Int = 1 << 20) -> [CutPeer] {
        handle.visitors?.cutBusiest(atLeast: Int64(bytes))
        return handle.visitors?.takeCut() ?? []
    }

    /// The number of times that the connection of a `steadyDealer` broke. Questions from before a break may stay
    /// unanswered.
    package func breaks() throws(TransportError) -> Int {
        try caller?.lookAround()
        return caller?.breaks ?? 0
    }

    /// Whether a `steadyDealer` had its peer when it last looked for breaks, or sent.
    package var isConnected: Bool { caller?.isConnected ?? true }

    /// Waits until something can be sent, for a dealer: until it is connected. False when time is up first.
    package func waitUntilWritable(atMost time: Duration) throws(TransportError) -> Bool {
        let deadline = ContinuousClock.now + time
        while true {
            try caller?.lookAround()
            let isLast = ContinuousClock.now >= deadline
            let isThere = try caller?.mayBeConnected() ?? true
            // A socket that is not connected waits for its connection alone.
            let wanted = Int16(isThere ? ZMQ_POLLOUT : 0)
            var items = unsafe [zmq_pollitem_t(socket: handle.raw, fd: 0, events: wanted, revents: 0)]
            if let events = caller?.events {
                unsafe items.append(
                    zmq_pollitem_t(socket: events.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
            }
            guard
                unsafe zmq_poll(&items, Int32(items.count), (deadline - .now).wholeMilliseconds) >= 0
                    || zmq_errno() == EINTR
            else {
                throw failure("zmq_poll", "")
            }
            if unsafe items[0].revents != 0 { return true }
            if isLast { return false }
        }
    }

    /// The next message, part by part; nil when none waits.
    package func receive() throws(TransportError) -> [[UInt8]]? { try receiveMessage()?.parts }

    /// The next message of a sender who is still admitted, and the sender; nil when none waits.
    package func receiveMessage() throws(TransportError) -> Message? {
        while let message = try handle.receiveMessage(ZMQ_DONTWAIT, longest: longestFrame) {
            // A message without parts had more of them than any message here.
            guard !message.parts.isEmpty else { continue }
            guard case .curveServer(_, let door, let roles) = security else {
                return Message(parts: message.parts, refused: message.refused, sender: nil)
            }
            // The connection may outlast the permission.
            guard let key = message.user.flatMap({ PublicKey($0) }), let sender = door.guest(with: key, among: roles)
            else { continue }
            return Message(parts: message.parts, refused: message.refused, sender: sender)
        }
        try caller?.lookAround()
        return nil
    }
}
