/// How a socket and its peers know each other.
package enum Security: Sendable {
    /// Nothing is encrypted, and a peer is whoever reaches the address.
    case plain(PlainTransport = .onThisMachine)
    /// Only for peers that know the public key of this pair, and whose own is known at the door in one of the roles.
    case curveServer(KeyPair, Door, admits: Set<Role>)
    case curveClient(Credentials)

    /// Throws where a socket would be open to others than this machine without keys.
    package func refuseUnprotected(_ endpoint: String) throws(TransportError) {
        switch (Locality(endpoint), self) {
        case (.foreign, _): throw .badEndpoint(endpoint)
        case (.network, .plain(.onThisMachine)): throw .unprotected(endpoint: endpoint)
        case (.file, _), (.loopback, _), (.network, _): break
        }
    }
}

/// Where sockets may be opened without keys.
package enum PlainTransport: Equatable, Sendable {
    /// Sockets in the file system and on the loopback interface.
    case onThisMachine
    /// Everywhere: somebody has accepted, in words, that everyone there can read and write everything.
    case anywhere
}

/// What a process shows to a service, and how it knows that service.
package struct Credentials: Sendable {
    package var pair: KeyPair
    /// The public keys that the service may have. There are two while the service changes its key: a listening socket of
    /// libzmq has one, so those who call try both.
    package var servers: [PublicKey]

    package init(pair: KeyPair, servers: [PublicKey]) {
        precondition(!servers.isEmpty, "a service is known by its key")
        (self.pair, self.servers) = (pair, servers)
    }
}

/// Everything that the sockets of a process need to know about keys. Without any, they stay on this machine.
package struct Access: Sendable {
    /// What sockets that listen prove themselves with, and whom they let in.
    package var server: KeyPair?
    package var door: Door
    /// What sockets that call show.
    package var credentials: Credentials?
    package var plain: PlainTransport

    package init(
        server: KeyPair? = nil, door: Door = Door(), credentials: Credentials? = nil,
        plain: PlainTransport = .onThisMachine
    ) {
        (self.server, self.door, self.credentials, self.plain) = (server, door, credentials, plain)
    }

    /// Whether keys are used there by whoever has them.
    package static func needsKeys(_ endpoint: String) -> Bool { !Locality(endpoint).isFile }

    /// Sockets in the file system need no keys: the owner of the folder is whoever can open them.
    package func listening(at endpoint: String, admits roles: Set<Role>) -> Security {
        guard let server, Self.needsKeys(endpoint) else { return .plain(plain) }
        return .curveServer(server, door, admits: roles)
    }

    package func calling(_ endpoint: String) -> Security {
        guard let credentials, Self.needsKeys(endpoint) else { return .plain(plain) }
        return .curveClient(credentials)
    }
}

/// The reach of an endpoint: those who can connect to it.
package enum Locality: Equatable, Sendable {
    /// Users who may open a file, or this process alone.
    case file
    /// Every user of this machine.
    case loopback
    case network
    /// Of a transport that is not used here, as it takes no keys.
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

    /// 127.0.0.0/8, written in full: whatever else libzmq may understand counts as the network.
    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.allSatisfy(\.isNumber) && UInt8($0) != nil }
    }
}
