package import Transport

/// The keys of one service: its own in `server.key`, who may come in in `allowed.json5`, and a file for each client whose pair
/// was made here.
///
/// The key of a service is changed in two steps. After the first, `next.key` is there, and those who call learn to trust
/// both; the service goes on with the old one, as a listening socket has one. After the second, the new key is the service's at
/// its next start, and callers change over by themselves.
package struct KeyFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var server: String { path + "/server.key" }
    package var next: String { path + "/next.key" }
    package var allowed: String { path + "/allowed.json5" }
    package func client(_ name: String) -> String { "\(path)/\(name).key" }

    package static let reserved = ["server", "next"]

    /// The pair of a service that is new.
    package func makeServer() throws {
        try TrustedFile.makeFolder(path)
        try KeyFile(path: server, pair: KeyPair()).write(replacing: false)
        if !TrustedFile.exists(allowed) {
            try TrustedFile.write(AllowList.empty, to: allowed, .list, replacing: false)
        }
    }

    /// The pair of a client, who is let in from the next reading of the list on.
    package func makeClient(_ guest: Guest, at file: String? = nil) throws -> KeyFile {
        var list = try AllowList(reading: allowed)
        let made = KeyFile(path: file ?? client(guest.name), pair: try KeyPair(), servers: try publicKeys())
        try made.write(replacing: false)
        try list.add(AllowList.Entry(guest: guest, key: made.pair.publicKey), in: allowed)
        return made
    }

    /// As the door wants them.
    package func guests() throws -> [PublicKey: Guest] { try AllowList(reading: allowed).guests }

    /// Those that callers should trust: the service's, and the next where there is one.
    package func publicKeys() throws(SettingsError) -> [PublicKey] {
        let own = try KeyFile(reading: server).pair.publicKey
        return TrustedFile.exists(next) ? [own, try KeyFile(reading: next).pair.publicKey] : [own]
    }

    /// The first step: a next key, which the clients whose files are here trust from their next start on.
    package func beginRotation() throws -> PublicKey {
        if !TrustedFile.exists(next) { try KeyFile(path: next, pair: KeyPair()).write(replacing: false) }
        let keys = try publicKeys()
        try trustInClients(keys)
        return keys[1]
    }

    /// The second step: the next key takes the place of the first, which nobody here trusts any more.
    package func finishRotation() throws -> PublicKey {
        let file = try KeyFile(reading: next)
        try KeyFile(path: server, pair: file.pair).write(replacing: true)
        try TrustedFile.remove(next)
        try trustInClients([file.pair.publicKey])
        return file.pair.publicKey
    }

    private func trustInClients(_ keys: [PublicKey]) throws {
        for entry in try AllowList(reading: allowed).entries where TrustedFile.exists(client(entry.guest.name)) {
            var file = try KeyFile(reading: client(entry.guest.name))
            file.servers = keys
            try file.write(replacing: true)
        }
    }
}
