import Bytes

/// A token that somebody brings: what it claims, not yet believed.
package struct Token: Sendable {
    /// How every token begins, so that one that leaked can be found by its look.
    static let start = "forme1_"
    static let limit = 1024

    /// Names one token, in the list of those that are revoked; it is not a secret.
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

    /// Nil for what is no token.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit, text.hasPrefix(Self.start),
            let bytes = Base64.bytes(text.dropFirst(Self.start.count)), bytes.count > TokenSigningKey.signatureLength,
            let claims = TokenClaims(bytes.dropLast(TokenSigningKey.signatureLength))
        else { return nil }
        self.claims = claims
        message = bytes.dropLast(TokenSigningKey.signatureLength)
        signature = bytes.suffix(TokenSigningKey.signatureLength)
    }

    /// Of what it says, not of how it is signed: the same claims are the same token.
    package var id: ID { ID(Array(Fingerprint.of(Array(message)).prefix(ID.length))) }
}

/// Why a token opens nothing. For logs and `forme token show`; whoever brought it is only told that it does not.
package enum TokenError: Error, Equatable, Sendable {
    case malformed
    /// Made with a key that was never here, or was revoked.
    case unknownKey
    case badSignature
    case expired
    case revoked
    /// Issued in what is still the future.
    case early
    /// Made to hold for longer than tokens may here.
    case overlong
    /// Not met before, and nobody looked.
    case unchecked
}
