import Bytes
import TestSupport
import Testing

// Numbers are written in one place and read in one place.

@Test(
    arguments: [
        (0, [0]), (1, [1]), (0x7f, [0x7f]), (0x80, [0x80, 1]), (0x3fff, [0xff, 0x7f]), (0x4000, [0x80, 0x80, 1]),
        (UInt64(UInt32.max), [0xff, 0xff, 0xff, 0xff, 0x0f]), (1 << 32, [0x80, 0x80, 0x80, 0x80, 0x10]),
        (.max, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ] as [(UInt64, [UInt8])])
func `a number takes seven bits to a byte, the lowest first`(value: UInt64, bytes: [UInt8]) {
    #expect(written { $0.number(value) } == bytes)
    #expect(read(bytes) { $0.wideNumber() } == .success(value))
    let isNarrow = value <= UInt64(UInt32.max)
    #expect(read(bytes) { $0.number() } == (isNarrow ? .success(UInt32(value)) : .failure(outOfRange(bytes))))
    if isNarrow { #expect(written { $0.number(UInt32(value)) } == bytes) }
}

@Test(arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (63, 126), (-64, 127)] as [(Int32, UInt8)])
func `signed numbers alternate`(value: Int32, byte: UInt8) {
    #expect(written { $0.signed(value) } == [byte])
    #expect(written { $0.signed(Int64(value)) } == [byte])
    #expect(read([byte]) { $0.signed() } == .success(value))
    #expect(read([byte]) { $0.wideSigned() } == .success(Int64(value)))
}

@Test func `what was written reads back, in whichever memory it stands`() {
    forEachSeed(200) { random in
        let values = (0..<40).map { _ in
            UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
        }
        let bytes = written { bytes in
            for value in values {
                bytes.number(UInt32(truncatingIfNeeded: value))
                bytes.signed(Int32(truncatingIfNeeded: value))
                bytes.number(value)
                bytes.signed(Int64(bitPattern: value))
                bytes.word(value)
            }
        }
        var buffer = Buffer<UInt8>(capacity: 1)
        for value in values {
            buffer.number(UInt32(truncatingIfNeeded: value))
            buffer.signed(Int32(truncatingIfNeeded: value))
            buffer.number(value)
            buffer.signed(Int64(bitPattern: value))
            buffer.word(value)
        }
        let found = read(bytes) { reader in
            values.allSatisfy {
                reader.number() == UInt32(truncatingIfNeeded: $0) && reader.signed() == Int32(truncatingIfNeeded: $0)
                    && reader.wideNumber() == $0 && reader.wideSigned() == Int64(bitPattern: $0) && reader.word() == $0
            } && reader.left == 0
        }
        return found == .success(true) && buffer.array(0..<Int32(buffer.count)) == bytes
    }
}

@Test(
    arguments: [
        [0x80, 0], [0xff, 0x80, 0], [0x80, 0x80, 0x80, 0x80, 0x10], [0x80, 0x80, 0x80, 0x80, 0x80, 0],
        [0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ] as [[UInt8]])
func `a number that could be shorter, or is larger than it may be, is refused`(bytes: [UInt8]) {
    #expect(read(bytes) { $0.number() } == .failure(outOfRange(bytes)))
}

@Test(arguments: [[], [0x80], [0xff, 0xff], [0x80, 0x80, 0x80, 0x80]] as [[UInt8]])
func `a number that ends too early is refused`(bytes: [UInt8]) {
    #expect(read(bytes) { $0.number() } == .failure(.truncated(needed: 1, left: 0)))
    #expect(read(bytes) { $0.wideNumber() } == .failure(.truncated(needed: 1, left: 0)))
}

@Test func `the first fault stays, and everything behind it is zero`() {
    let bytes: [UInt8] = [9, 7, 7, 7]
    unsafe bytes.withUnsafeBufferPointer { bytes in
        var reader = unsafe NumberReader(bytes)
        #expect(reader.number(upTo: 8, of: "lines") == 0)
        #expect(reader.fault == .tooLong(9, limit: 8, of: "lines"))
        #expect(reader.number() == 0 && reader.byte() == 0 && reader.word(UInt64.self) == 0 && reader.left == 0)
        reader.fail(.notUTF8)
        #expect(reader.fault == .tooLong(9, limit: 8, of: "lines"))
        #expect(throws: ByteError.tooLong(9, limit: 8, of: "lines")) { try reader.finish() }
    }
}

@Test func `a count is refused where there are fewer bytes than things`() {
    #expect(read([3, 0, 0, 0]) { $0.count(of: "things") } == .success(3))
    #expect(read([4, 0, 0, 0]) { $0.count(of: "things") } == .failure(.truncated(needed: 4, left: 3)))
    #expect(read([1]) { $0.word(UInt32.self) } == .failure(.truncated(needed: 4, left: 1)))
}

@Test func `numbers that are passed over are as many as those that are read`() {
    forEachSeed(200) { random in
        let values = (0..<50).map { _ in
            UInt32.random(in: 0 ... .max, using: &random) >> UInt32.random(in: 0..<32, using: &random)
        }
        let bytes = written { for value in values { $0.number(value) } }
        let passed = Int.random(in: 0..<50, using: &random)
        let next = read(bytes) { reader in
            reader.skip(passed)
            return reader.number()
        }
        let beyond = read(bytes) { $0.skip(51) }
        guard case .failure(.truncated) = beyond.map({ 0 }) else { return false }
        return next == .success(values[passed])
    }
}

@Test func `a field is named by a literal, a type, or both`() {
    #expect("\(ByteError.Field("list of ", Int.self))" == "list of Int")
    #expect(ByteError.Field("", Int.self) == "Int")
    #expect(ByteError.empty("name") != .empty("text"))
}

private func written(_ body: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    body(&bytes)
    return bytes
}

private func read<Value>(_ bytes: [UInt8], _ body: (inout NumberReader) -> Value) -> Result<Value, ByteError> {
    unsafe bytes.withUnsafeBufferPointer { bytes in
        var reader = unsafe NumberReader(bytes)
        let value = body(&reader)
        return reader.fault.map(Result.failure) ?? .success(value)
    }
}

/// The fault carries the bits that were read so far; tests of refusal ask for the kind of fault.
private func outOfRange(_ bytes: [UInt8]) -> ByteError {
    switch read(bytes, { $0.number() }) {
    case .failure(.outOfRange(let bits, of: "number")): .outOfRange(bits, of: "number")
    default: .notForme
    }
}
