import CGnuTLS

/// SHA-256 as in FIPS 180-4: a collision-resistant hash of 32 bytes. It makes names that must stay the same for ever;
/// where nothing is stored under a hash, `Fingerprint` is faster.
///
/// GnuTLS uses the processor's instructions for it, and libsodium none: 0.19 µs for the key of a message, not 0.74.
package enum SHA256 {
    package static let length = 32

    package static func hash(of bytes: [UInt8]) -> InlineArray<32, UInt8> {
        var hash = InlineArray<32, UInt8>(repeating: 0)
        var span = hash.mutableSpan
        let status = unsafe span.withUnsafeMutableBufferPointer { hash in
            unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, hash.baseAddress!)
        }
        precondition(status == 0, "SHA-256 refuses nothing")
        return hash
    }
}
