/// The way in which a socket and its peers identify each other.
package enum Security: Sendable {
    /// Nothing is encrypted, and a peer is any process that reaches the address.
    case plain(PlainTransport = .onThisMachine)
    /// A peer must know the public key of this pair, and its own must be known at the door in one of the roles.
    case curveServer(KeyPair, Door, admits: Set<KeyRole>)
    case curveClient(Credentials)

    /// Throws where a socket without keys would be open beyond this machine.
    package func refuseUnprotected(_ endpoint: String) throws(TransportError) {
        switch (Locality(endpoint), self) {
        case (.foreign, _): throw .badEndpoint(endpoint)
        case (.network, .plain(.onThisMachine)): throw .unprotected(endpoint: endpoint)
        case (.file, _), (.loopback, _), (.network, _): break
        }
    }
}

/// The places where sockets may be opened without keys.
package enum PlainTransport: Equatable, Sendable {
    /// Sockets in the file system and on the loopback interface.
    case onThisMachine
    /// Everywhere: the operator has accepted explicitly that everyone there can read and write everything.
    case anywhere
}

/// The keys of a process that calls a service: its own pair, and those by which it knows the service.
package struct Credentials: Sendable {
    package var pair: KeyPair
    /// The public keys that the service may have. There are two while the service changes its key: a listening socket
    /// of libzmq has one, so callers try both.
    package var servers: [PublicKey]

    package init(pair: KeyPair, servers: [PublicKey]) {
        precondition(!servers.isEmpty, "a service is known by its key")
        (self.pair, self.servers) = (pair, servers)
    }
}

/// Everything that the sockets of a process need to know about keys. Without any, they stay on this machine.
package struct Access: Sendable {
    /// The key pair of listening sockets, and the door that decides about their peers.
    package var server: KeyPair?
    package var door: Door
    /// The keys of calling sockets.
    package var credentials: Credentials?
    package var plain: PlainTransport

    package init(
        server: KeyPair? = nil, door: Door = Door(), credentials: Credentials? = nil,
        plain: PlainTransport = .onThisMachine
    ) {
        (self.server, self.door, self.credentials, self.plain) = (server, door, credentials, plain)
    }

    /// Whether sockets at the endpoint use keys, where a process has them.
    package static func needsKeys(_ endpoint: String) -> Bool { !Locality(endpoint).isFile }

    /// The security of a listening socket. Sockets in the file system need no keys: only the owner of the folder can
    /// open them.
    package func listening(at endpoint: String, admits roles: Set<KeyRole>) -> Security {
        guard let server, Self.needsKeys(endpoint) else { return .plain(plain) }
        return .curveServer(server, door, admits: roles)
    }

    package func calling(_ endpoint: String) -> Security {
        guard let credentials, Self.needsKeys(endpoint) else { return .plain(plain) }
        return .curveClient(credentials)
    }
}

/// The reach of an endpoint: the users that can connect to it.
package enum Locality: Equatable, Sendable {
    /// Users who may open a file, or this process alone.
    case file
    /// Every user of this machine.
    case loopback
    case network
    /// Every endpoint of a transport that is not used here, as it takes no keys.
    case foreign

    var isFile: Bool { self == .file }

    package init(_ endpoint: String) {
        if endpoint.hasPrefix("ipc://") || endpoint.hasPrefix("inproc://") {
            self = .file
        } else if endpoint.hasPrefix("tcp://") {
            let host = endpoint.dropFirst(6).prefix(upTo: endpoint.lastIndex(of: ":") ?? endpoint.endIndex)
            self = host == "localhost" || host == "[::1]" || Locality.isLoopback(host) ? .loopback : .network
        } else {
            self = .foreign
        }
    }

    /// Whether a host is in 127.0.0.0/8, written in full. Any other form that libzmq may understand counts as the
    /// network.
    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.allSatisfy(\.isNumber) && UInt8($0) != nil }
    }
}
