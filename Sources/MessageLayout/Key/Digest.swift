/// The first half of a SHA-256: equal for equal inputs on every machine, and for nothing else.
package struct Digest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package static let length = 16

    init(of bytes: [UInt8]) {
        let hash = SHA256.hash(of: bytes)
        high = hash[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = hash[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var bytes: [UInt8] {
        [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
    }
}

extension Digest: CustomStringConvertible {
    /// In 32 hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
