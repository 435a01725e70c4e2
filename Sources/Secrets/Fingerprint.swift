import CSodium

/// The BLAKE2b hash of some bytes, 32 bytes long: equal for equal content on every machine, and for nothing else.
package enum Fingerprint {
    package static let length = Int(crypto_generichash_BYTES)

    package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe of(bytes, key: [])
    }

    private static func of(_ bytes: UnsafeRawBufferPointer, key: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        let input = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = unsafe crypto_generichash(&hash, length, input, UInt64(bytes.count), key, key.count)
        precondition(status == 0, "BLAKE2b refuses only lengths that are never asked for")
        return hash
    }

    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe of($0) }
    }

    /// A keyed hash, which cannot be made without the key of 16 to 64 bytes.
    package static func of(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition((16...64).contains(key.count))
        return unsafe bytes.withUnsafeBytes { unsafe of($0, key: key) }
    }
}
