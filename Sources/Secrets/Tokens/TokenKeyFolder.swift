import Glibc

/// The keys of tokens, in a folder: `signing.key`, the half that signs (mode 0600), at most one; `ID.public`, the halves that
/// check, for as long as tokens of theirs hold; and `revoked`, a line for each token that does not.
///
/// Whoever checks needs no secret, and can be given the folder without it. Files appear and go whole, so a folder that is
/// read while it changes is one or the other.
package struct TokenKeyFolder: Equatable, Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    private var signingFile: String { path + "/signing.key" }
    private var revokedFile: String { path + "/revoked" }
    private func publicFile(_ id: TokenKeyID) -> String { "\(path)/\(id).public" }

    // MARK: Reading

    /// Changes whenever the folder or one of its files does, also one that is edited in place.
    package struct Stamp: Equatable, Sendable {
        fileprivate var files: [FileStamp] = []
        /// The kernel's clock ticks slowly: what was read within a tick or two of a change may have changed again, unseen.
        package fileprivate(set) var isSettled = true
    }

    fileprivate struct FileStamp: Equatable, Sendable {
        let name: String
        let inode: UInt64
        let size: Int64
        let nanoseconds: Int64
        /// Of the last change of its owner or mode, which may be what keeps it from being read.
        let changedAt: Int64
    }

    package func stamp() throws(SecretsError) -> Stamp {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var stamp = Stamp()
        let names = try SecretFile.names(in: path).filter { $0.hasSuffix(".public") || $0 == "revoked" }
        for name in ["."] + names {
            var status = stat()
            // One that has gone since it was listed changes the folder.
            guard unsafe stat(path + "/" + name, &status) == 0 else { continue }
            stamp.files.append(
                FileStamp(
                    name: name, inode: UInt64(status.st_ino), size: Int64(status.st_size),
                    nanoseconds: status.st_mtim.nanoseconds, changedAt: status.st_ctim.nanoseconds))
            let age = Int64(now.tv_sec) - Int64(status.st_mtim.tv_sec)
            if 0...1 ~= age { stamp.isSettled = false }
        }
        return stamp
    }

    /// What of a folder could be read, and what could not.
    package struct Reading: Equatable, Sendable {
        package let ring: TokenKeyRing
        /// Keys that are not among those of the ring, and lines of `revoked` that say nothing.
        package let damaged: [SecretsError]
        /// Whether it is known what is revoked.
        package var knowsRevoked: Bool {
            !damaged.contains { if case .unreadableList = $0 { true } else { false } }
        }
    }

    /// What is revoked is read first and by itself: no key that is damaged keeps a token alive.
    ///
    /// - Parameter known: what was revoked when the list could last be read, which then holds on; nil where it must be read.
    package func reading(knowing known: TokenKeyRing? = nil) throws(SecretsError) -> Reading {
        var damaged: [SecretsError] = []
        let revoked: Set<Token.ID>
        do throws(SecretsError) {
            let (list, lines) = try revocations()
            revoked = Set(list.map(\.id))
            if !lines.isEmpty { damaged.append(.damagedList(path: revokedFile)) }
        } catch {
            guard let known else { throw error }
            (revoked, damaged) = (known.revoked, [error])
        }
        var keys: [TokenPublicKey] = []
        for name in try SecretFile.names(in: path) where name.hasSuffix(".public") {
            do throws(SecretsError) { keys.append(try publicKey(name)) } catch { damaged.append(error) }
        }
        return Reading(ring: TokenKeyRing(keys, revoked: revoked), damaged: damaged)
    }

    /// All keys, and all that is revoked; nothing may be damaged.
    package func ring() throws(SecretsError) -> TokenKeyRing {
        let reading = try reading()
        if let error = reading.damaged.first { throw error }
        return reading.ring
    }

    private func publicKey(_ name: String) throws(SecretsError) -> TokenPublicKey {
        let bytes = try SecretFile.read(path + "/" + name, as: .publicKey)
        guard bytes.count == TokenPublicKey.length, name == "\(TokenPublicKey(bytes).id).public" else {
            throw .damaged(path: path + "/" + name)
        }
        return TokenPublicKey(bytes)
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
        // First what ends its tokens: nothing that is wrong with the key that signs may keep that from happening.
        try SecretFile.remove(publicFile(id))
        if SecretFile.exists(signingFile), try signingKey().publicKey.id == id { try SecretFile.remove(signingFile) }
    }

    /// From now on this token does not hold. Its line goes when it would have expired.
    package func revoke(_ token: Token.ID, until expiry: TokenTime, at now: TokenTime) throws(SecretsError) {
        let (known, damaged) = try revocations()
        var lines = known.filter { now < $0.expires && $0.id != token }
        lines.append(Revocation(id: token, expires: expiry))
        // Lines that say nothing stay for whoever can tell what they should have said.
        let text = (lines.map { "\($0.id) \($0.expires.seconds)" } + damaged).map { $0 + "\n" }.joined()
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

    /// The text of the list, which is empty where there is none. Nothing else than that it is not there says that nothing is revoked.
    private func revokedText() throws(SecretsError) -> String {
        do throws(SecretsError) { return try SecretFile.text(revokedFile) } catch {
            switch error {
            case .unreadable(_, ENOENT): return ""
            case .unreadable(_, let code): throw .unreadableList(path: revokedFile, code: code)
            case .unreadableList, .unwritable, .exposed, .damaged, .damagedList, .noKeys, .hasKeys, .unknownKey:
                throw .unreadableList(path: revokedFile, code: nil)
            }
        }
    }

    /// - Returns: what the lines say, and those that say nothing.
    private func revocations() throws(SecretsError) -> (known: [Revocation], damaged: [String]) {
        var found: [Revocation] = []
        var damaged: [String] = []
        for line in try revokedText().split(whereSeparator: \.isNewline) {
            // A line may be written by hand, without the moment until which it matters.
            let words = line.split(separator: " ")
            if let id = words.first.flatMap({ Token.ID(String($0)) }),
                let seconds = words.count == 1 ? .max : words.count == 2 ? UInt32(words[1]) : nil
            {
                found.append(Revocation(id: id, expires: TokenTime(seconds: seconds)))
            } else {
                damaged.append(String(line))
            }
        }
        return (found, damaged)
    }
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
