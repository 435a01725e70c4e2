/// A checksum that tells damaged bytes from what was stored: eight bytes at a time, each multiplied into the rest. It
/// does not resist an enemy who chooses the bytes. Files of a data folder carry it.
public struct Checksum {
    private var state: UInt64

    public init(seed: UInt64 = 0) { state = seed ^ 0x9E37_79B9_7F4A_7C15 }

    public mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
    }

    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        let rest = unsafe bytes.forEachWord { add($0) }
        // The last bytes go in with the highest first, as in every file.
        add(unsafe rest.reduce(0) { $0 << 8 | UInt64($1) })
    }

    public mutating func add(_ bytes: [UInt8], from place: Int = 0) {
        unsafe bytes.withUnsafeBytes { unsafe add(UnsafeRawBufferPointer(rebasing: $0[place...])) }
    }

    public var wide: UInt64 { state ^ state >> 32 }
    public var value: UInt32 { UInt32(truncatingIfNeeded: wide) }

    public static func of(_ bytes: [UInt8]) -> UInt32 { of(bytes[...]) }

    public static func of(_ bytes: borrowing Span<UInt8>, seed: UInt64 = 0) -> UInt32 {
        var sum = Checksum(seed: seed)
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }

    public static func of(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> UInt32 {
        var sum = Checksum(seed: seed)
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }
}

/// A checksum in which every bit counts: eight bytes at a time, the last filled up with zeros. Row blocks and pages
/// of a client's cache carry it, and it marks the row that an excerpt is of. `Checksum` does not replace it, as
/// stored bytes stay as they are.
public struct BlockChecksum {
    public private(set) var value: UInt64

    public init(of bytes: [UInt8]) { self = unsafe bytes.withUnsafeBytes { unsafe BlockChecksum(of: $0) } }

    public init(of bytes: UnsafeRawBufferPointer) {
        value = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        let rest = unsafe bytes.forEachWord { add($0) }
        if unsafe bytes.baseAddress != nil { add(unsafe rest.reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
    }

    private mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with eight bytes at a time, the lowest first; returns the bytes behind the last eight.
    fileprivate func forEachWord(_ body: (UInt64) -> Void) -> Slice<UnsafeRawBufferPointer> {
        var place = 0
        while place + 8 <= count {
            body(UInt64(littleEndian: unsafe loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        return unsafe self[place...]
    }
}
