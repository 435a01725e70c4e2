import Foundation
import Glibc
import Secrets
import TestSupport
import Testing

private let now = TokenTime(seconds: 1_800_000_000)

private func token(_ key: borrowing TokenSigningKey, subject: String = "") -> String {
    key.token(
        TokenClaims(
            key: key.publicKey.id, rights: .read, scope: .all, subject: subject, issued: now,
            expires: now + .seconds(3600)))
}

private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

@Test func `keys are made once, rotated and revoked, and tokens follow them`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    #expect(throws: SecretsError.noKeys(folder: folder.path)) { _ = try folder.signingKey() }
    let first = try folder.make()
    #expect(throws: SecretsError.hasKeys(folder: folder.path)) { try folder.make() }
    let old = token(try folder.signingKey())
    var verifier = TokenVerifier(try folder.ring())
    #expect(try verifier.verify(old, at: now).claims.key == first)

    let second = try folder.rotate()
    verifier.replace(try folder.ring())
    let new = token(try folder.signingKey())
    #expect(try verifier.verify(new, at: now).claims.key == second)
    #expect(throws: Never.self) { try verifier.verify(old, at: now) }

    try folder.revoke(first)
    verifier.replace(try folder.ring())
    #expect(throws: TokenError.unknownKey) { try verifier.verify(old, at: now) }
    #expect(throws: Never.self) { try verifier.verify(new, at: now) }
    #expect(throws: SecretsError.unknownKey("\(first)", folder: folder.path)) { try folder.revoke(first) }

    try folder.revoke(second)
    #expect(try folder.ring() == TokenKeyRing())
    #expect(try folder.signingKeyID() == nil)
}

@Test func `what signs is for its owner alone, and whoever checks needs none of it`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let id = try folder.make()
    #expect(try mode(folder.path) == 0o700)
    let file = folder.path + "/signing.key"
    #expect(try mode(file) == 0o600)
    let text = token(try folder.signingKey())
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(throws: SecretsError.exposed(path: file)) { _ = try folder.signingKey() }
    try FileManager.default.removeItem(atPath: file)
    var verifier = TokenVerifier(try folder.ring())
    #expect(try verifier.verify(text, at: now).claims.key == id)
}

@Test func `a revoked token is listed until it would have expired`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let key = try folder.signingKey()
    let tokens = ["a", "b"].map { token(key, subject: $0) }
    for text in tokens { try folder.revoke(try #require(Token(text)).id, until: now + .seconds(3600), at: now) }
    #expect(try folder.ring().revoked.count == 2)
    var verifier = TokenVerifier(try folder.ring())
    #expect(throws: TokenError.revoked) { try verifier.verify(tokens[0], at: now) }
    try folder.revoke(try #require(Token(tokens[0])).id, until: now + .seconds(7200), at: now + .seconds(3600))
    #expect(try folder.ring().revoked == [try #require(Token(tokens[0])).id])
}

@Test func `of tokens that are revoked at the same time each is listed`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let key = try folder.make()
    let ids = try (0..<64).map { try #require(Token.ID("\($0 + 10)" + String(repeating: "0", count: 30))) }
    // Each thread opens the folder for itself, as another process does.
    DispatchQueue.concurrentPerform(iterations: ids.count) { number in
        do {
            // Keys that are made meanwhile are changes of the same folder.
            if number % 8 == 0 { _ = try folder.rotate() }
            try folder.revoke(ids[number], until: now + .seconds(3600), at: now)
        } catch {
            Issue.record("\(error)")
        }
    }
    let ring = try folder.ring()
    #expect(ring.revoked == Set(ids) && ring.keys.count == 9 && ring.keys[key] != nil)
    #expect(try ring.keys[folder.signingKey().publicKey.id] != nil)
}

@Test func `what a process that was killed has left does not keep others from revoking and making keys`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let draft = "torn".utf8
    for name in ["revoked", "signing.key"] {
        for end in [".new", ".\(getpid()).new"] {
            #expect(FileManager.default.createFile(atPath: folder.path + "/" + name + end, contents: Data(draft)))
        }
    }
    let id = try #require(Token.ID(String(repeating: "0", count: 32)))
    try folder.revoke(id, until: now + .seconds(3600), at: now)
    let key = try folder.rotate()
    #expect(try folder.ring().revoked == [id])
    #expect(try folder.signingKeyID() == key)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains("revoked.new") && !names.contains("signing.key.new"))
}

@Test(arguments: [
    "", "forme token key, public\n", "forme token key, secret\nAAAA\n", "forme token key, public\nAAAA\n", "\u{0}",
])
func `a damaged key is named, and no other is used in its place`(text: String) throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let id = try folder.make()
    let file = "\(folder.path)/\(id).public"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: SecretsError.damaged(path: file)) { try folder.ring() }
}

@Test func `the public half of one key under the name of another is damaged`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let id = try folder.make()
    let other = try folder.rotate()
    let files = FileManager.default
    try files.removeItem(atPath: "\(folder.path)/\(other).public")
    try files.copyItem(atPath: "\(folder.path)/\(id).public", toPath: "\(folder.path)/\(other).public")
    #expect(throws: SecretsError.damaged(path: "\(folder.path)/\(other).public")) { try folder.ring() }
}

@Test func `every change of the folder can be seen`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let id = try folder.make()
    // A reading right after a change is not settled, so that the folder is read again, whatever the clock's ticks.
    #expect(try !folder.stamp().isSettled)
    let list = folder.path + "/revoked"
    func age() throws {
        let paths = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { folder.path + "/" + $0 }
        for path in paths + [folder.path] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
        }
    }
    let changes: [() throws -> Void] = [
        { _ = try folder.rotate() }, { try folder.revoke(id) },
        { try folder.revoke(Token.ID(String(repeating: "0", count: 32))!, until: now, at: now) },
        // An editor or a script writes into the file and keeps it.
        {
            let file = try #require(FileHandle(forWritingAtPath: list))
            try file.seekToEnd()
            try file.write(contentsOf: Data((String(repeating: "1", count: 32) + " 9\n").utf8))
            try file.close()
        },
    ]
    for change in changes {
        try age()
        let before = try folder.stamp()
        #expect(before.isSettled)
        try change()
        #expect(try folder.stamp() != before)
    }
}

@Test func `no damaged key keeps a token alive that is revoked, and the others hold`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let old = try folder.make()
    let id = try folder.rotate()
    let tokens = ["a", "b"].map { subject in Result { token(try folder.signingKey(), subject: subject) } }
    let (one, other) = (try tokens[0].get(), try tokens[1].get())
    try Data("nonsense".utf8).write(to: URL(filePath: "\(folder.path)/\(old).public"))
    try folder.revoke(try #require(Token(one)).id, until: now + .seconds(3600), at: now)
    let reading = try folder.reading()
    #expect(reading.damaged == [.damaged(path: "\(folder.path)/\(old).public")])
    #expect(Set(reading.ring.keys.keys) == [id])
    var verifier = TokenVerifier(reading.ring)
    #expect(throws: TokenError.revoked) { try verifier.verify(one, at: now) }
    #expect(throws: Never.self) { try verifier.verify(other, at: now) }
    // A key is revoked also where the one that signs is damaged.
    try Data("nonsense".utf8).write(to: URL(filePath: folder.path + "/signing.key"))
    _ = try? folder.revoke(id)
    #expect(try folder.reading().ring.keys.isEmpty)
}

@Test func `lines of the list that say nothing are told, and change nothing for the others`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let ids = try (0..<3).map { try #require(Token.ID(String(repeating: "\($0)", count: 32))) }
    let list = folder.path + "/revoked"
    try "\(ids[0]) 4000000000\r\nspilled coffee\n\(ids[1])\n".write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try folder.reading().ring.revoked == Set(ids.prefix(2)))
    #expect(try folder.reading().damaged == [.damagedList(path: list)])
    try folder.revoke(ids[2], until: now + .seconds(9), at: now)
    #expect(try folder.reading().ring.revoked == Set(ids))
    #expect(try String(contentsOfFile: list, encoding: .utf8).contains("spilled coffee"))
}

@Test func `a list that is there and cannot be read is not one that says nothing`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let known = try folder.ring()
    let list = folder.path + "/revoked"
    try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
    #expect(throws: SecretsError.unreadableList(path: list, code: EISDIR)) { _ = try folder.ring() }
    let reading = try folder.reading(knowing: known)
    #expect(!reading.knowsRevoked && reading.ring == known)
    try FileManager.default.removeItem(atPath: list)
    try Data([0xFF]).write(to: URL(filePath: list))
    #expect(throws: SecretsError.unreadableList(path: list, code: nil)) { _ = try folder.ring() }
    try FileManager.default.removeItem(atPath: list)
    #expect(try folder.reading().knowsRevoked)
}

@Test func `another mode of the list can be seen, though its contents stay`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    try folder.revoke(Token.ID(String(repeating: "0", count: 32))!, until: now, at: now)
    let before = try folder.stamp()
    // The kernel's clock has to tick once.
    for mode in 0..<1_000_000 {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode % 2 == 0 ? 0o600 : 0o640], ofItemAtPath: folder.path + "/revoked")
        if try folder.stamp() != before { return }
    }
    Issue.record("a million changes were not seen")
}

@Test func `what gateways read has its mode whatever the umask, and what signs is for its owner`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let mask = umask(0o077)
    defer { umask(mask) }
    let id = try folder.make()
    try folder.revoke(Token.ID(String(repeating: "0", count: 32))!, until: now, at: now)
    #expect(try mode(folder.path + "/revoked") == 0o644 && mode("\(folder.path)/\(id).public") == 0o644)
    #expect(try mode(folder.path + "/signing.key") == 0o600)
}

@Test(.enabled(if: geteuid() == 0, "only root can write for others"))
func `what root writes belongs to the owner of the folder`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes(
        [.ownerAccountID: 4242, .groupOwnerAccountID: 4343], ofItemAtPath: folder.path)
    let id = try folder.make()
    try folder.revoke(Token.ID(String(repeating: "0", count: 32))!, until: now, at: now)
    for name in ["revoked", "signing.key", "\(id).public"] {
        let found = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
        #expect(found[.ownerAccountID] as? Int == 4242 && found[.groupOwnerAccountID] as? Int == 4343, "\(name)")
    }
}
