import Wire

/// Writes what is stored in small: a *number* is unsigned, seven bits to a byte, the lowest first; the highest bit says that
/// more follow. A *signed* number alternates (0, -1, 1, -2, …).
struct PackedWriter {
    private(set) var bytes: [UInt8]

    init(capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    /// Four bytes, the lowest first.
    mutating func word(_ value: UInt32) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

    mutating func block(_ block: some Collection<UInt8>) {
        number(UInt64(block.count))
        bytes.append(contentsOf: block)
    }

    mutating func name<Subject>(_ name: Name<Subject>) { block(name.text.utf8) }

    mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        precondition(range.count == new.count)
        bytes.replaceSubrange(range, with: new)
    }

    mutating func replaceWord(at offset: Int, with value: UInt32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
}

/// Reads what `PackedWriter` wrote. Total: every input is a value or an error.
struct PackedReader {
    private let all: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) { (all, place) = (bytes, bytes.startIndex) }
    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { place == all.endIndex }
    /// What was not read yet.
    var remainder: ArraySlice<UInt8> { all[place...] }

    mutating func byte() throws(WireError) -> UInt8 {
        guard !isAtEnd else { throw .truncated(needed: 1, left: 0) }
        defer { place += 1 }
        return all[place]
    }

    mutating func number() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .outOfRange(Int64(bitPattern: value), of: "number")
    }

    mutating func signed() throws(WireError) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func word() throws(WireError) -> UInt32 {
        var value: UInt32 = 0
        for shift in stride(from: 0 as UInt32, to: 32, by: 8) { value |= UInt32(try byte()) << shift }
        return value
    }

    mutating func block(atMost limit: Int, of field: String) throws(WireError) -> ArraySlice<UInt8> {
        let count = try number()
        guard count <= UInt64(limit) else { throw .tooLong(Int(clamping: count), limit: limit, of: field) }
        let left = all.endIndex - place
        guard left >= Int(count) else { throw .truncated(needed: Int(count), left: left) }
        defer { place += Int(count) }
        return all[place..<place + Int(count)]
    }

    mutating func name<Subject>(_: Subject.Type = Subject.self) throws(WireError) -> Name<Subject> {
        let utf8 = try block(atMost: Limits.name, of: "\(Subject.self)")
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .notUTF8 }
        return try Name(text)
    }
}
