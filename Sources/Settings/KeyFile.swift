import JSON
package import Transport

/// A key pair in a file of mode 0600, and, for callers, the keys of the service that they trust.
///
///     { public: "…", secret: "…", servers: ["…"] }
package struct KeyFile: Sendable {
    package let path: String
    package let pair: KeyPair
    package var servers: [PublicKey]

    package init(path: String, pair: KeyPair, servers: [PublicKey] = []) {
        (self.path, self.pair, self.servers) = (path, pair, servers)
    }

    /// Reads a key file. The error does not tell what is wrong inside: it would show a secret.
    package init(reading path: String) throws(SettingsError) {
        let bytes = try TrustedFile.read(path, .secret)
        do throws(JSONError) {
            let document = JSONDocument(name: path, bytes: bytes, dialect: .json5)
            self = try document.read { (root) throws(JSONError) in try KeyFile(root, path: path) }
        } catch {
            throw .notAKeyFile(path: path)
        }
    }

    private init(_ root: JSONReader, path: String) throws(JSONError) {
        let fields = try root.object(knownKeys: ["public", "secret", "servers"])
        let secret = try fields.required("secret")
        let open = try fields.required("public")
        guard let pair = try SecretKey(secret.string()).flatMap({ KeyPair($0) }),
            pair.publicKey == PublicKey(try open.string())
        else { throw secret.mismatch(expected: "a key") }
        var servers: [PublicKey] = []
        for element in try fields.optional("servers")?.elements() ?? [] {
            guard let key = PublicKey(try element.string()) else { throw element.mismatch(expected: "a key") }
            servers.append(key)
        }
        self.init(path: path, pair: pair, servers: servers)
    }

    package func write(replacing: Bool) throws(SettingsError) {
        var text = """
            // A key pair of Forme. Whoever can read this file can be whom it stands for.
            {
              public: "\(pair.publicKey)",
              secret: "\(pair.secretKey.revealed())",

            """
        if !servers.isEmpty {
            text += "  // The service that is called. Two while it changes its key.\n"
            text += "  servers: [\(servers.map { "\"\($0)\"" }.joined(separator: ", "))],\n"
        }
        try TrustedFile.write(text + "}\n", to: path, .secret, replacing: replacing)
    }

    /// The credentials that a calling socket shows; nil in the file of a service.
    package var credentials: Credentials? {
        servers.isEmpty ? nil : Credentials(pair: pair, servers: servers)
    }
}
