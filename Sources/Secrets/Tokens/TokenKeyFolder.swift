import Glibc

/// The keys of tokens, in a folder: `signing.key`, the half that signs (mode 0600), at most one; `ID.public`, the
/// halves that check, for as long as their tokens are valid; and `revoked`, a line for each revoked token.
///
/// A process that checks tokens needs no secret, and can be given the folder without it. Files appear and go whole,
/// so a reader of a folder that changes sees either the old state or the new one. Those who change it do so one after
/// the other (the folder is its own lock), and a change that returns is on the disk.
package struct TokenKeyFolder: Equatable, Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    private var signingFile: String { path + "/signing.key" }
    private var revokedFile: String { path + "/revoked" }
    private func publicFile(_ id: TokenKeyID) -> String { "\(path)/\(id).public" }

    // MARK: Reading

    /// A stamp that changes whenever the folder or one of its files does, also a file that is edited in place.
    package struct Stamp: Equatable, Sendable {
        fileprivate var files: [FileStamp] = []
        /// Whether the last change is some time ago. The kernel's clock ticks slowly: a file that was read within a
        /// tick or two of a change may have changed again, unseen.
        package fileprivate(set) var isSettled = true
    }

    fileprivate struct FileStamp: Equatable, Sendable {
        let name: String
        let inode: UInt64
        let size: Int64
        let nanoseconds: Int64
        /// The time of the last change of its owner or mode, which may be what keeps it from being read.
        let changedAt: Int64
    }

    package func stamp() throws(SecretsError) -> Stamp {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var stamp = Stamp()
        let names = try SecretFile.names(in: path).filter { $0.hasSuffix(".public") || $0 == "revoked" }
        for name in ["."] + names {
            var status = stat()
            // A file that has gone since it was listed changes the folder.
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

    /// The readable part of a folder, and the faults of the rest.
    package struct Reading: Equatable, Sendable {
        package let ring: TokenKeyRing
        /// The faults of keys that are not in the ring, and of lines of `revoked` that cannot be understood.
        package let damaged: [SecretsError]
        /// Whether the revoked tokens are known.
        package var knowsRevoked: Bool {
            !damaged.contains { if case .unreadableList = $0 { true } else { false } }
        }
    }

    /// Reads the folder. The revoked tokens are read first and by themselves: no damaged key keeps a token alive.
    ///
    /// - Parameter known: the ring of the last reading, whose revoked tokens stay revoked where the list cannot be
    ///   read; nil where it must be read.
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

    /// All keys and all revoked tokens; nothing may be damaged.
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

    /// The id of the key that signs; nil where there is none.
    package func signingKeyID() throws(SecretsError) -> TokenKeyID? {
        SecretFile.exists(signingFile) ? try signingKey().publicKey.id : nil
    }

    // MARK: Changing

    /// Makes the first key.
    package func make() throws(SecretsError) -> TokenKeyID {
        try SecretFile.makeFolder(path)
        return try SecretFile.change(path) { () throws(SecretsError) in
            guard !SecretFile.exists(signingFile) else { throw .hasKeys(folder: path) }
            return try replaceSigningKey()
        }
    }

    /// Makes another key to sign with. Tokens of the key before are valid until they expire, or the key is revoked.
    package func rotate() throws(SecretsError) -> TokenKeyID {
        guard SecretFile.exists(signingFile) else { throw .noKeys(folder: path) }
        return try SecretFile.change(path) { () throws(SecretsError) in try replaceSigningKey() }
    }

    /// Revokes a key: from now on no token that it has signed is valid.
    package func revoke(_ id: TokenKeyID) throws(SecretsError) {
        guard SecretFile.exists(publicFile(id)) else { throw .unknownKey("\(id)", folder: path) }
        try SecretFile.change(path) { () throws(SecretsError) in
            // The public half goes first, which ends the key's tokens: no fault of the signing half may keep that from
            // happening.
            try SecretFile.remove(publicFile(id))
            if SecretFile.exists(signingFile), try signingKey().publicKey.id == id {
                try SecretFile.remove(signingFile)
            }
        }
    }

    /// Revokes a token. Its line goes when the token would have expired.
    package func revoke(_ token: Token.ID, until expiry: TokenTime, at now: TokenTime) throws(SecretsError) {
        try SecretFile.change(path) { () throws(SecretsError) in
            let (known, damaged) = try revocations()
            var lines = known.filter { now < $0.expires && $0.id != token }
            lines.append(Revocation(id: token, expires: expiry))
            // Lines that cannot be understood stay, for a person who knows what they should have said.
            let text = (lines.map { "\($0.id) \($0.expires.seconds)" } + damaged).map { $0 + "\n" }.joined()
            try SecretFile.write(Array(text.utf8), to: revokedFile, mode: 0o644)
        }
    }

    /// Replaces the signing key. The public half is written first: checks know a key before anything is signed with it.
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

    /// The text of the list, which is empty where there is none. Only a missing list means that nothing is revoked.
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

    /// - Returns: the revocations, and the lines that cannot be understood.
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
