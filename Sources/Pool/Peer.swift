package import Wire

/// Whom a message came from: the routing id that a socket gave to a connection. A process that restarts is another peer.
package struct Peer: Hashable, Sendable {
    package var route: [UInt8]
    package init(route: [UInt8]) { self.route = route }
}

/// A producer's request to lay out some events.
package struct Post: Equatable, Sendable {
    package var peer: Peer
    package var request: RequestID
    package var events: [Wire.Event]

    package init(peer: Peer, request: RequestID, events: [Wire.Event]) {
        self.peer = peer
        self.request = request
        self.events = events
    }
}
