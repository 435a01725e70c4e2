/// The sender of a message: the routing id that a socket gave to a connection. A process that restarts is another peer.
package struct Peer: Hashable, Sendable {
    package var route: [UInt8]
    package init(route: [UInt8]) { self.route = route }
}
