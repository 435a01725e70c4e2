import CSodium

/// The BLAKE2b hash of some bytes, 32 bytes long: equal for equal content on every machine, and for nothing else.
package enum Fingerprint {
    package static let length = Int(crypto_generichash_BYTES)

    package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let status = unsafe crypto_generichash(
                buffer.baseAddress, length, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt64(bytes.count), nil, 0)
            precondition(status == 0, "BLAKE2b refuses only lengths that are never asked for")
            count = length
        }
    }

    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe of($0) }
    }
}
