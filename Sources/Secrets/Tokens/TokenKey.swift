import Bytes
import CSodium

/// The id of the key that signed a token: the first bytes of the hash of its public half.
package struct TokenKeyID: Hashable, Sendable, CustomStringConvertible {
    static let length = 8
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.length)
        self.bytes = bytes
    }

    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == Self.length else { return nil }
        self.init(bytes)
    }

    package var description: String { Hexadecimal.text(bytes) }
}

/// The half of a key that checks signatures, and can make none.
package struct TokenPublicKey: Hashable, Sendable {
    static let length = Int(crypto_sign_PUBLICKEYBYTES)
    let bytes: [UInt8]

    package let id: TokenKeyID

    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.length)
        self.bytes = bytes
        id = TokenKeyID(Array(Fingerprint.of(bytes).prefix(TokenKeyID.length)))
    }

    /// Checks an Ed25519 signature of the message. The check takes the same time for every wrong signature; and as
    /// all of its inputs are public, its time gives nothing away.
    func verifies(_ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>) -> Bool {
        guard signature.count == TokenSigningKey.signatureLength else { return false }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe crypto_sign_verify_detached(
                    signature.baseAddress!, message.baseAddress, UInt64(message.count), bytes) == 0
            }
        }
    }
}

/// The half of a key that signs: in memory that is never swapped or dumped, and wiped at the end.
@safe package struct TokenSigningKey: ~Copyable {
    static let signatureLength = Int(crypto_sign_BYTES)
    static let seedLength = Int(crypto_sign_SEEDBYTES)

    package let publicKey: TokenPublicKey
    private let secret: UnsafeMutableRawPointer

    /// Makes a new key.
    package init() {
        makeSodiumReady()
        var seed = [UInt8](repeating: 0, count: Self.seedLength)
        unsafe randombytes_buf(&seed, seed.count)
        self.init(seed: seed)
        unsafe sodium_memzero(&seed, seed.count)
    }

    init(seed: borrowing [UInt8]) {
        precondition(seed.count == Self.seedLength)
        makeSodiumReady()
        guard let secret = unsafe sodium_malloc(Int(crypto_sign_SECRETKEYBYTES)) else {
            preconditionFailure("no memory that can be locked")
        }
        var point = [UInt8](repeating: 0, count: TokenPublicKey.length)
        unsafe crypto_sign_seed_keypair(&point, secret.assumingMemoryBound(to: UInt8.self), seed)
        unsafe self.secret = unsafe secret
        publicKey = TokenPublicKey(point)
    }

    deinit { unsafe sodium_free(secret) }

    /// The token of these claims, with the id of this key.
    package func token(_ claims: TokenClaims) -> String {
        var claims = claims
        claims.key = publicKey.id
        let message = claims.bytes
        var signature = [UInt8](repeating: 0, count: Self.signatureLength)
        unsafe crypto_sign_detached(
            &signature, nil, message, UInt64(message.count), secret.assumingMemoryBound(to: UInt8.self))
        return Token.start + Base64URL.text(message + signature)
    }

    /// Lends the seed, from which the key can be made again. For its file only.
    func withSeed<Result>(_ body: ([UInt8]) -> Result) -> Result {
        var seed = [UInt8](repeating: 0, count: Self.seedLength)
        unsafe crypto_sign_ed25519_sk_to_seed(&seed, secret.assumingMemoryBound(to: UInt8.self))
        defer { unsafe sodium_memzero(&seed, seed.count) }
        return body(seed)
    }
}
