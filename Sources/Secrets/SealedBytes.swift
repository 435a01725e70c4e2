import CSodium

/// XChaCha20-Poly1305: bytes that nobody reads or changes without the key, under a random nonce that stands before them.
///
/// What is bound to them is not in them, and must be said to open them: a sealed thing that was put elsewhere does not open there.
package enum SealedBytes {
    package static let key = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
    private static let nonce = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tag = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// By how much they are longer than what is in them.
    package static let overhead = nonce + tag

    package static func makeKey() -> [UInt8] {
        makeSodiumReady()
        var bytes = [UInt8](repeating: 0, count: key)
        unsafe randombytes_buf(&bytes, bytes.count)
        return bytes
    }

    package static func seal(_ plain: [UInt8], under key: [UInt8], bound: [UInt8]) -> [UInt8] {
        precondition(key.count == Self.key)
        makeSodiumReady()
        var nonce = [UInt8](repeating: 0, count: nonce)
        unsafe randombytes_buf(&nonce, nonce.count)
        var sealed = [UInt8](repeating: 0, count: plain.count + tag)
        var length: UInt64 = 0
        let status = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, &length, plain, UInt64(plain.count), bound, UInt64(bound.count), nil, nonce, key)
        precondition(status == 0 && length == sealed.count, "libsodium refuses only lengths that are never asked for")
        return nonce + sealed
    }

    /// Nil where anything of them, of the key or of what is bound to them is another.
    package static func open(_ bytes: ArraySlice<UInt8>, under key: [UInt8], bound: [UInt8]) -> [UInt8]? {
        guard key.count == Self.key, bytes.count >= overhead else { return nil }
        let (nonce, sealed) = (Array(bytes.prefix(nonce)), Array(bytes.dropFirst(nonce)))
        var plain = [UInt8](repeating: 0, count: sealed.count - tag)
        var length: UInt64 = 0
        let status = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, &length, nil, sealed, UInt64(sealed.count), bound, UInt64(bound.count), nonce, key)
        return status == 0 && length == plain.count ? plain : nil
    }
}
