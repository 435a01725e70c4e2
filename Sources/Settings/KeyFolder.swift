package import Transport

/// The keys of one service: its own in `server.key`, its gateway's in `gateway.key`, its workers' in `worker.key`,
/// the list of guests in `allowed.json5`, and a file for each client whose pair was made here.
///
/// The gateway faces the outside, so it has a pair of its own, for its calls and for its callers, and reads no other
/// secret. Clients trust both: the service's key at the coordinator, the gateway's at the gateway.
///
/// The key of a service is changed in two steps. After the first, `next.key` is there, and callers learn to trust
/// both; the service goes on with the old one, as a listening socket has one. After the second, the new key is the
/// service's at its next start, and callers change over by themselves.
package struct KeyFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var server: String { path + "/server.key" }
    package var next: String { path + "/next.key" }
    package var allowed: String { path + "/allowed.json5" }
    package func client(_ name: String) -> String { "\(path)/\(name).key" }

    package var gateway: String { client(Self.gatewayName) }

    package static let gatewayName = "gateway"
    package static let workerName = "worker"
    package static let reserved = ["server", "next"]

    /// Makes the pairs of a new service and of its gateway.
    package func makeServer() throws {
        try TrustedFile.makeFolder(path)
        try KeyFile(path: server, pair: KeyPair()).write(replacing: false)
        if !TrustedFile.exists(allowed) {
            try TrustedFile.write(AllowList.empty, to: allowed, .list, replacing: false)
        }
        if !TrustedFile.exists(gateway) { _ = try makeClient(Guest(name: Self.gatewayName, role: .gateway)) }
    }

    /// Makes all pairs that `forme serve` needs: of a new service, of its gateway and of its workers.
    package func makeService() throws {
        try makeServer()
        _ = try makeClient(Guest(name: Self.workerName, role: .worker))
    }

    /// Makes the pair of a client, which is let in from the next reading of the list on.
    package func makeClient(_ guest: Guest, at file: String? = nil) throws -> KeyFile {
        var list = try AllowList(reading: allowed)
        if file == nil, let made = try ownWorker(guest, in: list) { return made }
        let servers = trusted(of: try named(), as: guest.role)
        let made = KeyFile(path: file ?? client(guest.name), pair: try KeyPair(), servers: servers)
        try made.write(replacing: false)
        try list.add(AllowList.Entry(guest: guest, key: made.pair.publicKey), in: allowed)
        // From now on the gateway shows this key, so the clients whose files are here trust it from their next start
        // on.
        if guest.name == Self.gatewayName { try trustInClients(named()) }
        return made
    }

    /// The key of the workers, where the guest is the workers and they have one: it was made with the service's, but
    /// older recipes make it themselves.
    private func ownWorker(_ guest: Guest, in list: AllowList) throws -> KeyFile? {
        guard guest == Guest(name: Self.workerName, role: .worker), TrustedFile.exists(client(guest.name)) else {
            return nil
        }
        let made = try KeyFile(reading: client(guest.name))
        return list.guests[made.pair.publicKey] == guest ? made : nil
    }

    /// The guests by their keys, as the door takes them.
    package func guests() throws -> [PublicKey: Guest] { try AllowList(reading: allowed).guests }

    /// The keys that callers should trust: the service's, and its next and its gateway's where they exist.
    package func publicKeys() throws(SettingsError) -> [PublicKey] { try named().map(\.key) }

    /// The same, with the names of their files.
    package func named() throws(SettingsError) -> [(name: String, key: PublicKey)] {
        var keys: [(name: String, key: PublicKey)] = []
        for (name, path) in [("server", server), ("next", next), (Self.gatewayName, gateway)]
        where name == "server" || TrustedFile.exists(path) {
            keys.append((name, try KeyFile(reading: path).pair.publicKey))
        }
        return keys
    }

    /// Whether the gateway of this service has a pair of its own.
    package var hasGateway: Bool { TrustedFile.exists(gateway) }

    /// The first step: a next key, which the clients whose files are here trust from their next start on.
    package func beginRotation() throws -> PublicKey {
        if !TrustedFile.exists(next) { try KeyFile(path: next, pair: KeyPair()).write(replacing: false) }
        try trustInClients(named())
        return try KeyFile(reading: next).pair.publicKey
    }

    /// The second step: the next key takes the place of the first, which nobody here trusts any more. A client's file
    /// that cannot be read is found before anything is changed. The next key is removed last: where this was ended
    /// before, it is done once more.
    package func finishRotation() throws -> PublicKey {
        let file = try KeyFile(reading: next)
        let old = try KeyFile(reading: server).pair.publicKey
        var keys = [(name: "server", key: file.pair.publicKey)]
        if hasGateway { try keys.append((Self.gatewayName, KeyFile(reading: gateway).pair.publicKey)) }
        _ = try clients()
        // The old key is known for as long as it is the service's.
        try trustInClients(keys, insteadOf: old)
        try KeyFile(path: server, pair: file.pair).write(replacing: true)
        try TrustedFile.remove(next)
        return file.pair.publicKey
    }

    /// The keys of this service, of all, that a client of a role trusts. A host of a cluster calls the coordinators of
    /// others, and no gateway: with a gateway's key, which faces the outside, nobody is to pass for a host.
    private func trusted(of keys: [(name: String, key: PublicKey)], as role: KeyRole) -> [PublicKey] {
        keys.filter { role != .host || $0.name != Self.gatewayName }.map(\.key)
    }

    /// The files of clients that are here, with the roles of the clients.
    private func clients() throws -> [(role: KeyRole, file: KeyFile)] {
        try AllowList(reading: allowed).entries.filter { TrustedFile.exists(client($0.guest.name)) }
            .map { ($0.guest.role, try KeyFile(reading: client($0.guest.name))) }
    }

    /// Has clients whose files are here trust these keys of the service. A host of a cluster calls other services,
    /// too, and goes on trusting their keys.
    private func trustInClients(_ keys: [(name: String, key: PublicKey)], insteadOf old: PublicKey? = nil) throws {
        let known = keys.map(\.key)
        for client in try clients() {
            var file = client.file
            let others = client.role == .host ? file.servers.filter { !known.contains($0) && $0 != old } : []
            file.servers = trusted(of: keys, as: client.role) + others
            try file.write(replacing: true)
        }
    }
}
