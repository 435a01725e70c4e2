/// Tells tokens that hold from those that do not, and remembers those that do.
///
/// A signature costs some 50 µs; a token that was met before costs a hash. What is remembered is checked against the clock
/// and the revoked each time, forgotten with its key, and never more than twice `capacity`.
package struct TokenVerifier: Sendable {
    package struct Verified: Equatable, Sendable {
        package let id: Token.ID
        package let claims: TokenClaims
        /// The holder that is counted: all tokens of one key and one subject together, and one without a subject for itself.
        package let holder: Holder

        init(_ token: Token) {
            (id, claims) = (token.id, token.claims)
            holder = claims.subject.isEmpty ? Holder(id.bytes) : Holder(of: claims.key, claims.subject)
        }
    }

    /// Names somebody who bears tokens, in tables.
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
    /// From when it was made until it expires.
    private let longestLife: Duration
    /// When the first is full it becomes the second: what is still used moves to the front again, the rest goes.
    private var recent: [KeyedHash.Value: Verified] = [:]
    private var older: [KeyedHash.Value: Verified] = [:]
    /// Stands in for a key that is not known, so that no key at all takes as long as a wrong one.
    private let nobody = TokenSigningKey().publicKey

    /// How far the clock of whoever makes tokens may be ahead.
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

    /// Other keys, and others revoked: from now on nothing holds that was signed with a key that is not among them.
    package mutating func replace(_ ring: TokenKeyRing) {
        self.ring = ring
        recent = recent.filter { ring.holds($0.value) }
        older = older.filter { ring.holds($0.value) }
    }

    package mutating func verify(_ text: String, at time: TokenTime) throws(TokenError) -> Verified {
        try verify(text[...], at: time)
    }

    /// - Parameter mayCheck: whether a signature may be checked, which is what costs; else only what is remembered holds.
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

    /// Whether what held once still does.
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
