import MessageLayout
import Secrets

/// The first half of a SHA-256: equal for equal inputs on every machine, and for nothing else.
package struct Digest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package static let length = 16

    init(of bytes: [UInt8]) {
        let hash = SHA256.hash(of: bytes)
        (high, low) = unsafe hash.span.withUnsafeBytes {
            unsafe (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    package var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe [UInt8]($0) }
    }
}

extension Digest: CustomStringConvertible {
    /// The digest in 32 hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension KeyBytes {
    var digest: Digest { Digest(of: bytes) }

    mutating func digest(_ digest: Digest) { self.digest(digest.bytes) }
}
