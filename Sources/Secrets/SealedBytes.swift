import CSodium

/// Bytes sealed with XChaCha20-Poly1305: without the key they can be neither read nor changed. A random nonce stands
/// before them.
///
/// Bound bytes are not part of the sealed bytes, and are needed to open them: sealed bytes that were moved elsewhere
/// do not open there.
package enum SealedBytes {
    package static let key = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
    private static let nonce = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tag = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// The number of bytes that sealing adds.
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

    /// The plain bytes; nil where the sealed bytes, the key or the bound bytes differ in anything.
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
