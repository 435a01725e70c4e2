import TestSupport
import Testing

@testable import Secrets

private let now = TokenTime(seconds: 1_800_000_000)

private func claims(
    _ scope: TokenScope = .conversation("c1"), rights: TokenRights = .read, subject: String = "ada",
    for time: Duration = .seconds(3600)
) -> TokenClaims {
    TokenClaims(
        key: TokenKeyID([UInt8](repeating: 0, count: 8)), rights: rights, scope: scope, subject: subject, issued: now,
        expires: now + time)
}

@Test(arguments: [
    claims(), claims(.all, rights: [.read, .write]), claims(.prefix("team/"), rights: .write, subject: ""),
    claims(.conversation(String(repeating: "é", count: 127)), subject: String(repeating: "x", count: 255)),
    claims(.prefix("")), claims(rights: []), claims(.all, rights: [.write, .backend], subject: ""),
])
func `a token says what it was made to say, and holds`(claims: TokenClaims) throws {
    let key = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]))
    let text = key.token(claims)
    for _ in 0..<2 {
        var said = try verifier.verify(text, at: now).claims
        #expect(said.key == key.publicKey.id)
        said.key = claims.key
        #expect(said == claims)
    }
}

@Test func `a token looks like one, and is short`() {
    let text = TokenSigningKey().token(claims())
    #expect(text.hasPrefix("forme1_") && text.utf8.count < 140)
    #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
}

@Test func `no token holds in which a bit was changed`() throws {
    let key = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]))
    let bytes = try #require(Base64URL.bytes(key.token(claims()).dropFirst(7)))
    for place in bytes.indices {
        for bit in 0..<8 {
            var changed = bytes
            changed[place] ^= 1 << UInt8(bit)
            #expect(throws: TokenError.self) { try verifier.verify("forme1_" + Base64URL.text(changed), at: now) }
        }
    }
    #expect(verifier.rememberedCount == 0)
}

@Test func `no token holds that is cut, longer, or written in another way`() throws {
    let key = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]))
    let text = key.token(claims())
    var others = (0..<text.count).map { String(text.prefix($0)) }
    others += ["A", "AA", "AAAA", "=", "==", " ", "\n", "\0"].map { text + $0 }
    others += [" " + text, text.uppercased(), String(text.dropFirst()), String(repeating: "A", count: 5000)]
    // The last letter holds fewer bits than it could: there are others that would decode to the same.
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where letter != text.last {
        others.append(text.dropLast() + String(letter))
    }
    for other in others { #expect(throws: TokenError.self) { try verifier.verify(other, at: now) } }
}

@Test func `any bytes are claims or none, and claims have one form`() {
    let sample = claims(.prefix("team/")).bytes
    forEachSeed(2000) { random in
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        return TokenClaims(bytes).map { $0.bytes == bytes } ?? true
    }
}

@Test func `a token holds to the second before it expires, remembered or not`() throws {
    let key = TokenSigningKey()
    let text = key.token(claims(for: .seconds(10)))
    for isRemembered in [false, true] {
        var verifier = TokenVerifier(TokenKeyRing([key.publicKey]))
        if isRemembered { _ = try verifier.verify(text, at: now) }
        #expect(throws: Never.self) { try verifier.verify(text, at: now + .seconds(9)) }
        #expect(throws: TokenError.expired) { try verifier.verify(text, at: now + .seconds(10)) }
    }
}

@Test func `a token of another key does not hold, nor one that names a key it was not signed with`() throws {
    let key = TokenSigningKey()
    let other = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]))
    #expect(throws: TokenError.unknownKey) { try verifier.verify(other.token(claims()), at: now) }
    var bytes = try #require(Base64URL.bytes(other.token(claims()).dropFirst(7)))
    bytes.replaceSubrange(1..<9, with: key.publicKey.id.bytes)
    #expect(throws: TokenError.badSignature) { try verifier.verify("forme1_" + Base64URL.text(bytes), at: now) }
}

@Test(arguments: [
    (TokenScope.all, "anything", true), (.conversation("a"), "a", true), (.conversation("a"), "ab", false),
    (.conversation("\u{E9}"), "e\u{301}", false), (.prefix("team/"), "team/1", true), (.prefix("team/"), "team/", true),
    (.prefix("team/"), "team", false), (.prefix("e"), "e\u{301}", true), (.prefix(""), "x", true),
])
func `a scope covers the bytes that it names`(scope: TokenScope, conversation: String, covers: Bool) {
    #expect(scope.covers(conversation) == covers)
}

@Test func `what is remembered goes with its key, and with its revocation`() throws {
    let one = TokenSigningKey()
    let other = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([one.publicKey, other.publicKey]))
    let tokens = [one.token(claims()), other.token(claims())]
    let ids = try tokens.map { try verifier.verify($0, at: now).id }
    #expect(verifier.rememberedCount == 2)
    verifier.replace(TokenKeyRing([other.publicKey]))
    #expect(verifier.rememberedCount == 1)
    #expect(throws: TokenError.unknownKey) { try verifier.verify(tokens[0], at: now) }
    #expect(throws: Never.self) { try verifier.verify(tokens[1], at: now) }
    verifier.replace(TokenKeyRing([other.publicKey], revoked: [ids[1]]))
    #expect(verifier.rememberedCount == 0)
    #expect(throws: TokenError.revoked) { try verifier.verify(tokens[1], at: now) }
}

@Test func `no more is remembered than there is room for, and what is used stays`() throws {
    let key = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]), capacity: 10)
    let used = key.token(claims(subject: "used"))
    for number in 0..<100 {
        _ = try verifier.verify(key.token(claims(subject: "\(number)")), at: now)
        _ = try verifier.verify(used, at: now)
        #expect(verifier.rememberedCount <= 20)
    }
}

@Test func `no token holds that is issued in the future, or made for longer than tokens may live`() throws {
    let key = TokenSigningKey()
    func token(issued: TokenTime, for life: Duration) -> String {
        var said = claims()
        (said.issued, said.expires) = (issued, issued + life)
        return key.token(said)
    }
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey]), longestLife: .seconds(86400))
    #expect(throws: TokenError.early) {
        try verifier.verify(token(issued: now + .seconds(61), for: .seconds(9)), at: now)
    }
    // Clocks differ by a little.
    #expect(throws: Never.self) { try verifier.verify(token(issued: now + .seconds(60), for: .seconds(90)), at: now) }
    #expect(throws: TokenError.overlong) { try verifier.verify(token(issued: now, for: .seconds(86401)), at: now) }
    #expect(throws: Never.self) { try verifier.verify(token(issued: now, for: .seconds(86400)), at: now) }
}

@Test func `tokens of one subject are one holder, and those of nobody are each their own`() throws {
    let key = TokenSigningKey()
    let other = TokenSigningKey()
    var verifier = TokenVerifier(TokenKeyRing([key.publicKey, other.publicKey]))
    func holder(_ text: String) throws -> TokenVerifier.Holder { try verifier.verify(text, at: now).holder }
    let ada = try holder(key.token(claims()))
    #expect(try holder(key.token(claims(.all, for: .seconds(60)))) == ada)
    #expect(try holder(key.token(claims(subject: "bob"))) != ada)
    #expect(try holder(other.token(claims())) != ada)
    let (one, two) = (key.token(claims(subject: "")), key.token(claims(.all, subject: "")))
    #expect(try holder(one) == holder(one) && holder(one) != holder(two))
}
