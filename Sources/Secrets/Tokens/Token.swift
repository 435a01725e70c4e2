import Bytes

/// A token as it was presented: its claims, not yet verified.
package struct Token: Sendable {
    /// The beginning of every token, by which a leaked one can be found.
    static let start = "forme1_"
    static let limit = 1024

    /// The id of one token, in the list of revoked tokens. It is not a secret.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        static let length = 16
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        package init?(_ text: String) {
            guard let bytes = Hexadecimal.bytes(text), bytes.count == Self.length else { return nil }
            self.bytes = bytes
        }

        package var description: String { Hexadecimal.text(bytes) }

        package func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    package let claims: TokenClaims
    let message: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>

    /// The token in a text; nil for a text that is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit, text.hasPrefix(Self.start),
            let bytes = Base64URL.bytes(text.dropFirst(Self.start.count)),
            bytes.count > TokenSigningKey.signatureLength,
            let claims = TokenClaims(bytes.dropLast(TokenSigningKey.signatureLength))
        else { return nil }
        self.claims = claims
        message = bytes.dropLast(TokenSigningKey.signatureLength)
        signature = bytes.suffix(TokenSigningKey.signatureLength)
    }

    /// The hash of the claims, without the signature: the same claims are the same token.
    package var id: ID { ID(Array(Fingerprint.of(Array(message)).prefix(ID.length))) }
}

/// The reason why a token is refused. It is for logs and `forme token show`; the client is only told of the refusal.
package enum TokenError: Error, Equatable, Sendable {
    case malformed
    /// Signed with a key that was never here, or was revoked.
    case unknownKey
    case badSignature
    case expired
    case revoked
    /// Issued in the future.
    case early
    /// Valid for longer than tokens may be here.
    case overlong
    /// Not remembered, and its signature was not to be checked.
    case unchecked
}
