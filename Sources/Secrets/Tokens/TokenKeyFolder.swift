import Glibc

/// The keys of tokens, in a folder: `signing.key`, the half that signs (mode 0600), at most one; `ID.public`, the halves that
/// check, for as long as tokens of theirs hold; and `revoked`, a line for each token that does not.
///
/// Whoever checks needs no secret, and can be given the folder without it. Files appear and go whole, so a folder that is
/// read while it changes is one or the other.
package struct TokenKeyFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    private var signingFile: String { path + "/signing.key" }
    private var revokedFile: String { path + "/revoked" }
    private func publicFile(_ id: TokenKeyID) -> String { "\(path)/\(id).public" }

    // MARK: Reading

    /// Changes whenever the folder does.
    package struct Stamp: Equatable, Sendable {
        fileprivate let inode: UInt64
        fileprivate let nanoseconds: Int64
        /// The kernel's clock ticks slowly: what was read within a tick or two of a change may have changed again, unseen.
        package let isSettled: Bool
    }

    package func stamp() throws(SecretsError) -> Stamp {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = Int64(now.tv_sec) - Int64(status.st_mtim.tv_sec)
        return Stamp(
            inode: UInt64(status.st_ino),
            nanoseconds: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec),
            isSettled: age > 1 || age < 0)
    }

    package func ring() throws(SecretsError) -> TokenKeyRing {
        var keys: [TokenPublicKey] = []
        for name in try SecretFile.names(in: path) where name.hasSuffix(".public") {
            let bytes = try SecretFile.read(path + "/" + name, as: .publicKey)
            guard bytes.count == TokenPublicKey.length, name == "\(TokenPublicKey(bytes).id).public" else {
                throw .damaged(path: path + "/" + name)
            }
            keys.append(TokenPublicKey(bytes))
        }
        return TokenKeyRing(keys, revoked: Set(try revocations().map(\.id)))
    }

    package func signingKey() throws(SecretsError) -> TokenSigningKey {
        guard SecretFile.exists(signingFile) else { throw .noKeys(folder: path) }
        let seed = try SecretFile.read(signingFile, as: .signingKey)
        guard seed.count == TokenSigningKey.seedLength else { throw .damaged(path: signingFile) }
        return TokenSigningKey(seed: seed)
    }

    /// Nil where nothing can be signed.
    package func signingKeyID() throws(SecretsError) -> TokenKeyID? {
        SecretFile.exists(signingFile) ? try signingKey().publicKey.id : nil
    }

    // MARK: Changing

    /// The first key.
    package func make() throws(SecretsError) -> TokenKeyID {
        try SecretFile.makeFolder(path)
        guard !SecretFile.exists(signingFile) else { throw .hasKeys(folder: path) }
        return try replaceSigningKey()
    }

    /// Another key to sign with. What the one before has signed holds until it expires, or the key is revoked.
    package func rotate() throws(SecretsError) -> TokenKeyID {
        guard SecretFile.exists(signingFile) else { throw .noKeys(folder: path) }
        return try replaceSigningKey()
    }

    /// From now on nothing holds that this key has signed.
    package func revoke(_ id: TokenKeyID) throws(SecretsError) {
        guard SecretFile.exists(publicFile(id)) else { throw .unknownKey("\(id)", folder: path) }
        if SecretFile.exists(signingFile), try signingKey().publicKey.id == id { try SecretFile.remove(signingFile) }
        try SecretFile.remove(publicFile(id))
    }

    /// From now on this token does not hold. Its line goes when it would have expired.
    package func revoke(_ token: Token.ID, until expiry: TokenTime, at now: TokenTime) throws(SecretsError) {
        var lines = try revocations().filter { now < $0.expires && $0.id != token }
        lines.append(Revocation(id: token, expires: expiry))
        let text = lines.map { "\($0.id) \($0.expires.seconds)\n" }.joined()
        try SecretFile.write(Array(text.utf8), to: revokedFile, mode: 0o644)
    }

    /// Checks come to know a key before anything is signed with it.
    private func replaceSigningKey() throws(SecretsError) -> TokenKeyID {
        let key = TokenSigningKey()
        try SecretFile.write(
            SecretFile.Kind.publicKey.text(key.publicKey.bytes), to: publicFile(key.publicKey.id), mode: 0o644)
        let result = key.withSeed { seed in
            Result { () throws(SecretsError) in
                try SecretFile.write(SecretFile.Kind.signingKey.text(seed), to: signingFile, mode: 0o600)
            }
        }
        try result.get()
        return key.publicKey.id
    }

    private struct Revocation {
        let id: Token.ID
        let expires: TokenTime
    }

    private func revocations() throws(SecretsError) -> [Revocation] {
        guard SecretFile.exists(revokedFile) else { return [] }
        var found: [Revocation] = []
        for line in try SecretFile.text(revokedFile).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let id = Token.ID(String(words[0])), let seconds = UInt32(words[1]) else {
                throw .damaged(path: revokedFile)
            }
            found.append(Revocation(id: id, expires: TokenTime(seconds: seconds)))
        }
        return found
    }
}
