import MessageLayout
import Secrets

/// The first half of a SHA-256: equal for equal inputs on every machine, and for nothing else.
package struct Digest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package static let length = 16

    init(of bytes: [UInt8]) {
        let hash = SHA256.hash(of: bytes)
        var words: (UInt64, UInt64) = (0, 0)
        for place in 0..<8 {
            words.0 = words.0 << 8 | UInt64(hash[place])
            words.1 = words.1 << 8 | UInt64(hash[place + 8])
        }
        (high, low) = words
    }

    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Digest.length)
        for place in 0..<8 {
            bytes[place] = UInt8(truncatingIfNeeded: high &>> UInt64(56 - 8 * place))
            bytes[place + 8] = UInt8(truncatingIfNeeded: low &>> UInt64(56 - 8 * place))
        }
        return bytes
    }
}

extension Digest: CustomStringConvertible {
    /// In 32 hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension KeyBytes {
    var digest: Digest { Digest(of: bytes) }

    mutating func digest(_ digest: Digest) { self.digest(digest.bytes) }
}
