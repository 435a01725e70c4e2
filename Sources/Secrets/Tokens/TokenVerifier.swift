/// A verifier of tokens, which remembers those that are valid.
///
/// A signature costs some 50 µs; a remembered token costs a hash. It is checked against the clock and the revoked
/// tokens each time, and forgotten with its key. Never more than twice `capacity` are remembered.
package struct TokenVerifier: Sendable {
    package struct Verified: Equatable, Sendable {
        package let id: Token.ID
        package let claims: TokenClaims
        /// The holder that is counted: all tokens of one key and one subject together, and a token without a subject
        /// by itself.
        package let holder: Holder

        init(_ token: Token) {
            (id, claims) = (token.id, token.claims)
            holder = claims.subject.isEmpty ? Holder(id.bytes) : Holder(of: claims.key, claims.subject)
        }
    }

    /// The name of a token's holder, for tables.
    package struct Holder: Hashable, Sendable {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        init(of key: TokenKeyID, _ subject: String) {
            bytes = Array(Fingerprint.of(key.bytes + Array(subject.utf8)).prefix(Token.ID.length))
        }

        package func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    package private(set) var ring: TokenKeyRing
    private let hash = KeyedHash()
    private let capacity: Int
    /// The longest time from the issue of a token to its expiry.
    private let longestLife: Duration
    /// Two generations of remembered tokens. When `recent` is full it becomes `older`: tokens still in use move to
    /// `recent` again, and the rest go.
    private var recent: [KeyedHash.Value: Verified] = [:]
    private var older: [KeyedHash.Value: Verified] = [:]
    /// The stand-in for an unknown key, so that such a token takes as long as one with a wrong signature.
    private let nobody = TokenSigningKey().publicKey

    /// The time by which the clock of a token's issuer may be ahead.
    private static let skew: Duration = .seconds(60)
    /// A leap year.
    package static let standardLife: Duration = .seconds(366 * 86400)

    package init(
        _ ring: TokenKeyRing, longestLife: Duration = TokenVerifier.standardLife, capacity: Int = 16384
    ) {
        self.ring = ring
        self.longestLife = longestLife
        self.capacity = capacity
    }

    package var rememberedCount: Int { recent.count + older.count }

    /// Replaces the keys and the revoked tokens: from now on no token of any other key is valid.
    package mutating func replace(_ ring: TokenKeyRing) {
        self.ring = ring
        recent = recent.filter { ring.holds($0.value) }
        older = older.filter { ring.holds($0.value) }
    }

    package mutating func verify(_ text: String, at time: TokenTime) throws(TokenError) -> Verified {
        try verify(text[...], at: time)
    }

    /// - Parameter mayCheck: whether a signature may be checked, which is the costly part; if not, only remembered
    ///   tokens pass.
    package mutating func verify(
        _ text: Substring, at time: TokenTime, checking mayCheck: Bool = true
    ) throws(TokenError) -> Verified {
        let place = hash(text)
        let verified: Verified
        if let known = recent[place] ?? older[place] {
            verified = known
        } else {
            guard mayCheck else { throw .unchecked }
            verified = try meet(text)
        }
        guard time < verified.claims.expires else { throw .expired }
        guard verified.claims.issued <= time + Self.skew else { throw .early }
        guard verified.claims.expires <= verified.claims.issued + longestLife else { throw .overlong }
        guard !ring.revoked.contains(verified.id) else { throw .revoked }
        if recent[place] == nil { remember(verified, at: place) }
        return verified
    }

    /// Whether a token that was valid once still is.
    package func holds(_ verified: Verified, at time: TokenTime) -> Bool {
        time < verified.claims.expires && ring.holds(verified)
    }

    private func meet(_ text: Substring) throws(TokenError) -> Verified {
        guard let token = Token(String(text)) else { throw .malformed }
        let key = ring.keys[token.claims.key]
        let holds = (key ?? nobody).verifies(token.signature, of: token.message)
        guard key != nil else { throw .unknownKey }
        guard holds else { throw .badSignature }
        return Verified(token)
    }

    private mutating func remember(_ verified: Verified, at place: KeyedHash.Value) {
        if recent.count >= capacity {
            older = recent
            recent = [:]
        }
        recent[place] = verified
    }
}

/// The keys whose tokens are valid, and the revoked tokens among those.
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
