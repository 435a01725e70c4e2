package import Bytes

/// A reader of fields from untrusted bytes. It is total: every input gives a value or a `ByteError`, never a trap.
package struct ByteReader: Sendable {
    private let all: ArraySlice<UInt8>
    private var place: Int

    package init(_ bytes: ArraySlice<UInt8>) { (all, place) = (bytes, bytes.startIndex) }
    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    package var isAtEnd: Bool { left == 0 }
    private var left: Int { all.endIndex - place }

    /// Reads an integer, big-endian on every machine.
    @inline(__always)
    package mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws(ByteError) -> T {
        let count = T.bitWidth / 8
        guard left >= count else { throw .truncated(needed: count, left: left) }
        let start = place - all.startIndex
        place += count
        return T(bigEndian: unsafe all.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: start, as: T.self) })
    }

    /// Reads a Boolean in one byte: 0 or 1.
    package mutating func flag() throws(ByteError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        case let code: throw .unknownCase(code, of: "flag")
        }
    }

    /// Reads an integer within bounds. The error for one outside of them names the bounds to the sender.
    @inline(__always)
    package mutating func integer<T: FixedWidthInteger>(
        in bounds: ClosedRange<T>, of field: ByteError.Field
    ) throws(ByteError) -> T {
        let number = try integer(T.self)
        guard bounds ~= number else {
            throw .outOfBounds(
                Int64(clamping: number), Int64(clamping: bounds.lowerBound)...Int64(clamping: bounds.upperBound),
                of: field)
        }
        return number
    }

    package mutating func bytes(_ count: Int) throws(ByteError) -> ArraySlice<UInt8> {
        guard count >= 0, left >= count else { throw .truncated(needed: count, left: left) }
        defer { place += count }
        return all[place..<place + count]
    }

    /// Reads a length of four bytes, then that many bytes.
    package mutating func block(
        atMost limit: Int, of field: ByteError.Field
    ) throws(ByteError) -> ArraySlice<UInt8> {
        try bytes(count(atMost: limit, of: field))
    }

    package mutating func text(
        atMost limit: Int, of field: ByteError.Field
    ) throws(ByteError) -> String {
        let utf8 = try block(atMost: limit, of: field)
        // Much faster than `String(validating:)`, which finds out at run time what it validates. Bytes that are not
        // UTF-8 are repaired, and then are not equal to the text; names are mostly ASCII, which needs no comparison.
        let text = String(decoding: utf8, as: UTF8.self)
        let isASCII = unsafe utf8.withUnsafeBytes { unsafe $0.reduce(0, |) } < 0x80
        guard isASCII || text.utf8.elementsEqual(utf8) else { throw .notUTF8 }
        return text
    }

    package mutating func value<Value: ByteCoded>(_: Value.Type = Value.self) throws(ByteError) -> Value {
        try Value(from: &self)
    }

    /// Reads a count of four bytes, then that many values. The space reserved follows from the bytes that are left,
    /// not from the count alone.
    package mutating func list<Value: ByteCoded>(
        of _: Value.Type = Value.self, atMost limit: Int
    ) throws(ByteError) -> [Value] {
        let count = try count(atMost: limit, of: ByteError.Field("list of ", Value.self))
        var values: [Value] = []
        values.reserveCapacity(min(count, left / 32))
        for _ in 0..<count { values.append(try value()) }
        return values
    }

    /// Reads a list of no value or one.
    package mutating func optional<Value: ByteCoded>(_: Value.Type = Value.self) throws(ByteError) -> Value? {
        try count(atMost: 1, of: ByteError.Field("list of ", Value.self)) == 1 ? try value() : nil
    }

    package mutating func end() throws(ByteError) {
        guard isAtEnd else { throw .trailing(count: left) }
    }

    private mutating func count(
        atMost limit: Int, of field: ByteError.Field
    ) throws(ByteError) -> Int {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw .tooLong(count, limit: limit, of: field) }
        return count
    }
}
