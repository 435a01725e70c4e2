/// Tells tokens that hold from those that do not, and remembers those that do.
///
/// A signature costs some 50 µs; a token that was met before costs a hash. What is remembered is checked against the clock
/// and the revoked each time, forgotten with its key, and never more than twice `capacity`.
package struct TokenVerifier: Sendable {
    package struct Verified: Sendable {
        package let id: Token.ID
        package let claims: TokenClaims
    }

    private var ring: TokenKeyRing
    private let hash = KeyedHash()
    private let capacity: Int
    /// When the first is full it becomes the second: what is still used moves to the front again, the rest goes.
    private var recent: [KeyedHash.Value: Verified] = [:]
    private var older: [KeyedHash.Value: Verified] = [:]
    /// Stands in for a key that is not known, so that no key at all takes as long as a wrong one.
    private let nobody = TokenSigningKey().publicKey

    package init(_ ring: TokenKeyRing, capacity: Int = 16384) {
        self.ring = ring
        self.capacity = capacity
    }

    package var rememberedCount: Int { recent.count + older.count }

    /// Other keys, and others revoked: from now on nothing holds that was signed with a key that is not among them.
    package mutating func replace(_ ring: TokenKeyRing) {
        self.ring = ring
        recent = recent.filter { ring.holds($0.value) }
        older = older.filter { ring.holds($0.value) }
    }

    package mutating func verify(_ text: String, at time: TokenTime) throws(TokenError) -> Verified {
        try verify(text[...], at: time)
    }

    package mutating func verify(_ text: Substring, at time: TokenTime) throws(TokenError) -> Verified {
        let place = hash(text)
        let verified: Verified
        if let known = recent[place] ?? older[place] { verified = known } else { verified = try meet(text) }
        guard time < verified.claims.expires else { throw .expired }
        guard !ring.revoked.contains(verified.id) else { throw .revoked }
        if recent[place] == nil { remember(verified, at: place) }
        return verified
    }

    private func meet(_ text: Substring) throws(TokenError) -> Verified {
        guard let token = Token(String(text)) else { throw .malformed }
        let key = ring.keys[token.claims.key]
        let holds = (key ?? nobody).verifies(token.signature, of: token.message)
        guard key != nil else { throw .unknownKey }
        guard holds else { throw .badSignature }
        return Verified(id: token.id, claims: token.claims)
    }

    private mutating func remember(_ verified: Verified, at place: KeyedHash.Value) {
        if recent.count >= capacity {
            older = recent
            recent = [:]
        }
        recent[place] = verified
    }
}

/// The keys whose tokens hold, and the tokens that do not hold all the same.
package struct TokenKeyRing: Equatable, Sendable {
    package let keys: [TokenKeyID: TokenPublicKey]
    package let revoked: Set<Token.ID>

    package init(_ keys: some Sequence<TokenPublicKey> = [], revoked: Set<Token.ID> = []) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        self.revoked = revoked
    }

    func holds(_ verified: TokenVerifier.Verified) -> Bool {
        keys[verified.claims.key] != nil && !revoked.contains(verified.id)
    }
}
