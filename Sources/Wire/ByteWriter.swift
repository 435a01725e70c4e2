package import Bytes

/// A writer of the fields that `ByteReader` reads: big-endian integers, blocks and lists behind a count of four bytes.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func integer<T: FixedWidthInteger>(_ value: T) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes four integers in one step.
    mutating func integers(_ first: Int32, _ second: Int32, _ third: Int32, _ fourth: Int32) {
        let all = (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
        unsafe withUnsafeBytes(of: all) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Reserves room for the bytes that follow, so that nothing is moved while they are written.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    package mutating func append(_ raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    package mutating func block(_ raw: some Collection<UInt8>) {
        integer(UInt32(raw.count))
        append(raw)
    }

    package mutating func text(_ text: String) { block(text.utf8) }

    package mutating func value(_ value: some ByteCoded) { value.write(to: &self) }

    package mutating func list(_ values: [some ByteCoded]) {
        integer(UInt32(values.count))
        for each in values { value(each) }
    }
}

/// A value with exactly one form in bytes. A written value reads back equal; any other bytes throw.
package protocol ByteCoded {
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(ByteError)
}

extension ByteCoded {
    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The value in exactly these bytes, with none left over.
    package init(decoding bytes: ArraySlice<UInt8>) throws(ByteError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.end()
    }

    package init(decoding bytes: [UInt8]) throws(ByteError) { try self.init(decoding: bytes[...]) }
}
