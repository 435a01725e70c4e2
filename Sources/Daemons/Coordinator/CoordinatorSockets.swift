import Operations
import Pool
import Transport
import Wire

private let log = Log("coordinator")

/// The sockets of a coordinator: one for each kind of peer, each with the roles that it admits and its longest frame.
struct CoordinatorSockets: ~Copyable {
    let events: Socket
    let workers: Socket
    let ready: Socket
    let operators: Socket
    /// The door of workers of other hosts; nil where they come by the same one as others, or not at all.
    let remotes: RemoteDoor?

    /// The roles of those who post events, and of those who ask for the state or give orders.
    static let producers: Set<KeyRole> = [.producer, .operator, .gateway]
    static let operators: Set<KeyRole> = [.operator, .gateway]

    /// - Parameter remote: the endpoint for workers of other hosts.
    init(at endpoints: Endpoints, remote: String? = nil, access: Access) throws {
        let context = try Context()
        func listener(
            _ kind: Socket.Kind, at endpoint: String, for roles: Set<KeyRole>, frameLimit: Int = Limits.frame
        ) throws -> Socket {
            let socket = try Socket(
                kind, in: context, frameLimit: frameLimit, longestFrame: Limits.frame,
                security: access.listening(at: endpoint, admits: roles))
            try socket.watchConnections { ended in
                log.warning(
                    "ended a connection that sent a frame longer than one may be, or what is no ZMTP; send less at once",
                    [
                        "peer": "\(ended.peer)", "limit": .number(ended.frameLimit),
                        "endpoint": "\(endpoint)",
                    ])
            }
            try socket.bind(endpoint)
            return socket
        }
        // A request that is too long is answered, so that its producer hears why.
        let events = try listener(
            .router, at: endpoints.events, for: Self.producers, frameLimit: Limits.refusedFrame)
        let workers = try listener(.router, at: endpoints.workers, for: [.worker])
        let ready = try listener(
            .publisher, at: endpoints.ready, for: [.reader, .operator, .gateway], frameLimit: Limits.subscription)
        let operators = try listener(.router, at: endpoints.operators, for: Self.operators)
        let door: RemoteDoor? =
            if let remote { RemoteDoor(try listener(.router, at: remote, for: [.worker])) } else { nil }
        self.events = events
        self.workers = workers
        self.ready = ready
        self.operators = operators
        remotes = door
    }

    /// The next word of a worker, of this host first, and the holder of the key that it came under.
    func nextOfWorkers() throws(TransportError) -> (frame: [UInt8], peer: Peer, holder: String?)? {
        var peer: ([UInt8]) -> Peer = { Peer(route: $0) }
        var message = try workers.receiveMessage()
        if message == nil, let remotes {
            message = try remotes.socket.receiveMessage()
            peer = RemoteDoor.peer
        }
        guard let message else { return nil }
        let parts = message.parts
        return (parts.count == 2 ? parts[1] : [], peer(parts[0]), message.sender?.name)
    }

    func send(_ word: CoordinatorWord, toWorker peer: Peer) throws(TransportError) -> Socket.Sent {
        let frame = Framed(word).encoded()
        if let route = RemoteDoor.route(of: peer), let remotes { return try remotes.socket.send(route, frame) }
        return try workers.send(peer.route, frame)
    }

    /// Cuts off the busiest peers, of those for which at least so much is kept, and returns them.
    func cutBusiest(atLeast least: Int) -> [CutPeer] {
        events.cutBusiest(atLeast: least) + workers.cutBusiest(atLeast: least) + operators.cutBusiest(atLeast: least)
            + ready.cutBusiest(atLeast: least) + (remotes?.socket.cutBusiest(atLeast: least) ?? [])
    }
}

/// The socket of workers of other hosts. Routes of two sockets may be equal, so those of this one are marked.
final class RemoteDoor {
    let socket: Socket
    private static let mark: UInt8 = 0xFF

    init(_ socket: consuming Socket) { self.socket = socket }

    /// A peer of this socket, marked: libzmq's own routes begin with a zero.
    static func peer(_ route: [UInt8]) -> Peer { Peer(route: [mark] + route) }
    /// The route of a peer that came in here; nil for any other.
    static func route(of peer: Peer) -> [UInt8]? { peer.route.first == mark ? Array(peer.route.dropFirst()) : nil }
}

extension CutPeer {
    /// Warns in the log. The peer may come back, as any peer that connects.
    func tell() {
        log.warning(
            "cut a peer off",
            ["address": "\(address)", "key": "\(key.map { "\($0)" } ?? "unknown")", "reason": "\(reason)"])
    }
}
