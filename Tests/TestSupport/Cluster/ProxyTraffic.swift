import Glibc

/// The connections of a `TCPProxy`, one turn of its loop after the other.
struct ProxyTraffic {
    private let listener: LoopbackSocket
    private let server: UInt16
    private let wake: Int32
    private var connections: [Connection] = []

    private static let most = 64 << 10

    private struct Connection {
        let client: Int32
        let server: Int32
        /// The times from which bytes may pass again, towards the server and towards the client.
        var next: (requests: ContinuousClock.Instant, answers: ContinuousClock.Instant)
        var answered = 0
        var isEnded = false
    }

    init(listener: LoopbackSocket, server: UInt16, wake: Int32) {
        (self.listener, self.server, self.wake) = (listener, server, wake)
    }

    /// Waits until there is something to pass on, or another mode, and passes it on.
    mutating func turn(_ mode: TCPProxy.Mode) {
        if mode == .reset {
            for place in connections.indices { end(place, isReset: true) }
            connections = []
        }
        let now = ContinuousClock.now
        var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        polled.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        for connection in connections {
            let isOpen = (isOpen(mode, requests: true), isOpen(mode, requests: false))
            let (ask, tell) = (isOpen.0 && connection.next.requests <= now, isOpen.1 && connection.next.answers <= now)
            polled.append(pollfd(fd: ask ? connection.client : -1, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: tell ? connection.server : -1, events: Int16(POLLIN), revents: 0))
        }
        let due = connections.flatMap { [$0.next.requests, $0.next.answers] }.filter { $0 > now }.min()
        let rest = due.map { Int32(clamping: Int(now.duration(to: $0) / .milliseconds(1)) + 1) } ?? -1
        guard unsafe poll(&polled, nfds_t(polled.count), rest) >= 0 else { return }
        if polled[0].revents != 0 {
            // The mode has changed: the next turn looks at it first.
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = unsafe read(wake, &bytes, bytes.count)
            return
        }
        for place in connections.indices where !connections[place].isEnded {
            if polled[2 + place * 2].revents != 0 { pass(place, mode, isRequest: true) }
            if !connections[place].isEnded, polled[3 + place * 2].revents != 0 {
                pass(place, mode, isRequest: false)
            }
        }
        connections.removeAll { $0.isEnded }
        if polled[1].revents != 0 { accept(mode) }
    }

    mutating func end() {
        for place in connections.indices { end(place, isReset: false) }
        close(listener.descriptor)
    }

    private func isOpen(_ mode: TCPProxy.Mode, requests: Bool) -> Bool {
        if case .held(let heldRequests, let heldAnswers) = mode {
            requests ? !heldRequests : !heldAnswers
        } else {
            true
        }
    }

    private mutating func accept(_ mode: TCPProxy.Mode) {
        let client = Glibc.accept(listener.descriptor, nil, nil)
        guard client >= 0 else { return }
        guard mode != .reset, let server = LoopbackSocket.connected(to: server) else {
            reset(client)
            close(client)
            return
        }
        let now = ContinuousClock.now
        connections.append(Connection(client: client, server: server.descriptor, next: (now, now)))
    }

    private mutating func pass(_ place: Int, _ mode: TCPProxy.Mode, isRequest: Bool) {
        let connection = connections[place]
        let (from, to) = isRequest ? (connection.client, connection.server) : (connection.server, connection.client)
        var most = Self.most
        if case .slow(let rate) = mode { most = max(1, rate / 50) }
        if case .cut(let bytes) = mode, !isRequest { most = min(most, bytes - connection.answered) }
        var bytes = [UInt8](repeating: 0, count: max(1, most))
        let count = unsafe read(from, &bytes, bytes.count)
        guard count > 0, most > 0, write(bytes.prefix(count), to) else { return end(place, isReset: false) }
        if !isRequest { connections[place].answered += count }
        if case .cut(let limit) = mode, connections[place].answered >= limit { return end(place, isReset: false) }
        guard case .slow(let rate) = mode else { return }
        let next = ContinuousClock.now + .seconds(1) * count / rate
        if isRequest { connections[place].next.requests = next } else { connections[place].next.answers = next }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private mutating func end(_ place: Int, isReset: Bool) {
        guard !connections[place].isEnded else { return }
        if isReset { reset(connections[place].client) }
        close(connections[place].client)
        close(connections[place].server)
        connections[place].isEnded = true
    }

    /// Makes the close of a connection a reset, which tells the other end at once.
    private func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
