/// The first half of a SHA-256: equal for equal inputs on every machine, and for nothing else.
package struct Digest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package static let length = 16

    init(of bytes: [UInt8]) {
        let words = SHA256.words(of: bytes)
        high = UInt64(words[0]) << 32 | UInt64(words[1])
        low = UInt64(words[2]) << 32 | UInt64(words[3])
    }

    package var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) &>> UInt64(56 - $0 % 8 * 8)) }
    }
}

extension Digest: CustomStringConvertible {
    /// In 32 hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
