/// A sum of bytes in which every bit counts: eight bytes at a time, the last filled up with zeros.
package struct BlockChecksum {
    package private(set) var value: UInt64

    package init(of bytes: [UInt8]) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe BlockChecksum(of: $0) }
    }

    init(of bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
        value = UInt64(bytes.count - start) &* 0x9E37_79B9_7F4A_7C15
        guard let base = bytes.baseAddress else { return }
        var place = start
        while place + 8 <= bytes.count {
            add(unsafe UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)))
            place += 8
        }
        var word: UInt64 = 0
        for i in place..<bytes.count { word |= unsafe UInt64(bytes[i]) << UInt64((i - place) * 8) }
        add(word)
    }

    private mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }

    /// The lowest first.
    var bytes: [UInt8] { Self.bytes(of: value) }

    static func bytes(of value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}

extension NumberReader {
    mutating func checksum() -> UInt64 {
        var value: UInt64 = 0
        for shift in 0..<8 { value |= UInt64(byte()) << UInt64(shift * 8) }
        return value
    }
}
