import Operations
import Transport
import Wire

private let log = Log("coordinator")

/// Sockets of a coordinator: one for each kind of peer, with who is let in and how long a frame may be.
struct CoordinatorSockets: ~Copyable {
    let events: Socket
    let workers: Socket
    let ready: Socket
    let operators: Socket

    init(at endpoints: Endpoints, access: Access) throws {
        let context = try Context()
        func listener(
            _ kind: Socket.Kind, at endpoint: String, for roles: Set<Role>, frameLimit: Int = Limits.frame
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
        // A request that is too long is answered, so that a producer hears why.
        let events = try listener(
            .router, at: endpoints.events, for: [.producer, .operator, .gateway], frameLimit: Limits.refusedFrame)
        let workers = try listener(.router, at: endpoints.workers, for: [.worker])
        let ready = try listener(
            .publisher, at: endpoints.ready, for: [.reader, .operator, .gateway], frameLimit: Limits.subscription)
        let operators = try listener(.router, at: endpoints.operators, for: [.operator, .gateway])
        self.events = events
        self.workers = workers
        self.ready = ready
        self.operators = operators
    }

    /// Peers that were cut off, of those for which at least so much is kept.
    func cutBusiest(atLeast least: Int) -> [CutPeer] {
        events.cutBusiest(atLeast: least) + workers.cutBusiest(atLeast: least) + operators.cutBusiest(atLeast: least)
            + ready.cutBusiest(atLeast: least)
    }
}

extension CutPeer {
    /// It may come back, as whoever connects does.
    func tell() {
        log.warning(
            "cut a peer off",
            ["address": "\(address)", "key": "\(key.map { "\($0)" } ?? "unknown")", "reason": "\(reason)"])
    }
}
