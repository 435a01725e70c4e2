/// Numbers in as few bytes as they need: seven bits to a byte, the lowest first. Signed ones alternate (0, -1, 1, …).
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Takes the bytes over, to be given back when all is written.
    init(appendingTo bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

    mutating func write(_ value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(count: Int) { write(UInt32(count)) }

    mutating func write(signed value: Int32) { write(UInt32(bitPattern: value << 1 ^ value >> 31)) }

    mutating func write(byte: UInt8) { bytes.append(byte) }
}

/// Reads what a `ByteWriter` wrote. Total: every input is a value or an error.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) { (self.bytes, place) = (bytes, bytes.startIndex) }

    var isAtEnd: Bool { place == bytes.endIndex }

    @inline(__always)
    mutating func byte() throws(MeasuredTextError) -> UInt8 {
        guard place < bytes.endIndex else { throw .truncated }
        defer { place &+= 1 }
        return bytes[place]
    }

    @inline(__always)
    mutating func number() throws(MeasuredTextError) -> UInt32 {
        // Most numbers are small.
        if place < bytes.endIndex, bytes[place] < 0x80 { return UInt32(try byte()) }
        return try longNumber()
    }

    private mutating func longNumber() throws(MeasuredTextError) -> UInt32 {
        var value: UInt32 = 0
        for shift in stride(from: 0 as UInt32, to: 35, by: 7) {
            let byte = try byte()
            guard shift < 28 || byte < 16 else { throw .tooLarge }
            value |= UInt32(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw .tooLarge
    }

    mutating func signed() throws(MeasuredTextError) -> Int32 {
        let number = try number()
        return Int32(bitPattern: number >> 1) ^ -Int32(bitPattern: number & 1)
    }

    /// A number of things of which each takes at least a byte: more than are left cannot follow.
    mutating func count() throws(MeasuredTextError) -> Int {
        let count = Int(try number())
        guard count <= bytes.endIndex - place else { throw .truncated }
        return count
    }
}

package enum MeasuredTextError: Error, Hashable, Sendable {
    case truncated
    case tooLarge
    case unknownVersion(UInt8)
    /// Bytes follow the value.
    case trailingBytes
    /// The parts do not fit together.
    case inconsistent(Part)

    package enum Part: Hashable, Sendable {
        case marks, runs, styles, unsafeBreaks, shortPieces, boxes, entities
    }
}
