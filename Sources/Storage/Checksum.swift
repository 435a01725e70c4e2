/// Tells damaged bytes from what was stored: eight bytes at a time, each multiplied into the rest. Not for what an enemy might
/// choose.
struct Checksum {
    private var state: UInt64

    init(seed: UInt64 = 0) { state = seed ^ 0x9E37_79B9_7F4A_7C15 }

    mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var last: UInt64 = 0
        while offset < bytes.count {
            last = unsafe last << 8 | UInt64(bytes[offset])
            offset += 1
        }
        add(last)
    }

    mutating func add(_ bytes: [UInt8], from place: Int) {
        unsafe bytes.withUnsafeBytes { unsafe add(UnsafeRawBufferPointer(rebasing: $0[place...])) }
    }

    var wide: UInt64 { state ^ state >> 32 }
    var value: UInt32 { UInt32(truncatingIfNeeded: wide) }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var sum = Checksum()
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }

    static func of(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        var sum = Checksum()
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }

    /// Of all bytes from a place on.
    static func of(_ bytes: [UInt8], from place: Int) -> UInt32 {
        var sum = Checksum()
        sum.add(bytes, from: place)
        return sum.value
    }

    static func of(_ bytes: ArraySlice<UInt8>, seed: UInt64) -> UInt32 {
        var sum = Checksum(seed: seed)
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }
}
