import Names
package import Wire

/// A hash that is the same on every machine and in every process, for stored data. It does not resist an enemy who
/// chooses the bytes.
package struct StableHash: Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds bytes, eight at a time, then their number.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        var (word, count): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            count += 1
            if count & 7 == 0 {
                add(word)
                word = 0
            }
        }
        add(word)
        add(count)
    }

    /// Adds bytes that lie together, with the same result.
    package mutating func add(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { (bytes) in
            var place = 0
            while place + 8 <= bytes.count {
                add(UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
                place += 8
            }
            var last: UInt64 = 0
            for rest in place..<bytes.count { last = last << 8 | UInt64(unsafe bytes[rest]) }
            add(last)
            add(UInt64(bytes.count))
        }
    }

    package mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 32
    }
}

extension MessageBody {
    /// A hash that tells a repetition from another body under the same revision.
    package var hash: UInt64 {
        var hash = StableHash()
        hash.add(sender.text.utf8)
        hash.add(UInt64(bitPattern: time.milliseconds))
        hash.add(content)
        return hash.value
    }
}
