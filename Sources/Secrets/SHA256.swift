import CSodium

/// SHA-256, as FIPS 180-4 has it: 32 bytes, for which nobody finds two inputs. Names that must stay the same for ever are made
/// with it; where nothing is stored under a hash, `Fingerprint` is the faster one.
package enum SHA256 {
    package static let length = Int(crypto_hash_sha256_BYTES)

    package static func hash(of bytes: [UInt8]) -> InlineArray<32, UInt8> {
        var hash = InlineArray<32, UInt8>(repeating: 0)
        var span = hash.mutableSpan
        let status = unsafe span.withUnsafeMutableBufferPointer { hash in
            unsafe crypto_hash_sha256(hash.baseAddress!, bytes, UInt64(bytes.count))
        }
        precondition(status == 0, "SHA-256 refuses nothing")
        return hash
    }
}
