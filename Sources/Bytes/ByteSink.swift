/// Memory that bytes are appended to: an array, or a `Buffer`. Numbers are written into it as `NumberReader` reads
/// them.
///
/// All of this module is `public`, as the compiler specialises only public functions across modules, and a call for
/// each byte made a record cost 2.6 times as much. The module is no product, and so its interface is no promise.
public protocol ByteSink: ~Copyable {
    mutating func append(_ byte: UInt8)
}

extension Array: ByteSink where Element == UInt8 {}
extension Buffer: ByteSink where Element == UInt8 {}

extension ByteSink where Self: ~Copyable {
    /// Appends a varint: seven bits to a byte, the lowest first; the highest bit says that more follow. A negative
    /// number comes back as it was, from as many bytes as its type can take.
    @inlinable @inline(__always)
    public mutating func number(_ value: some FixedWidthInteger) {
        if 0..<0x80 ~= value { append(UInt8(truncatingIfNeeded: value)) } else { longNumber(value) }
    }

    /// Appends a varint in zigzag form: 0, -1, 1, -2, … as 0, 1, 2, 3, …
    @inlinable @inline(__always)
    public mutating func signed<Number: FixedWidthInteger & SignedInteger>(_ value: Number) {
        number(Number.Magnitude(truncatingIfNeeded: value << 1 ^ value >> (Number.bitWidth - 1)))
    }

    /// Appends four bytes, the lowest first.
    @inlinable public mutating func word(_ value: UInt32) { appendAll(value) }
    /// Appends eight bytes, the lowest first.
    @inlinable public mutating func word(_ value: UInt64) { appendAll(value) }

    @inlinable
    mutating func appendAll<Word: FixedWidthInteger>(_ value: Word) {
        for shift in stride(from: 0, to: Word.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    @inlinable
    mutating func longNumber<Number: FixedWidthInteger>(_ value: Number) {
        var rest = Number.Magnitude(truncatingIfNeeded: value)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
