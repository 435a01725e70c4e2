import Bytes
import Names
import Wire

/// A *block* is a number, and so many bytes. With numbers, signed numbers and words of `Bytes` it
/// is all that a shard and a journal are written in.
extension [UInt8] {
    init(capacity: Int) {
        self = []
        reserveCapacity(capacity)
    }

    mutating func block(_ block: some Collection<UInt8>) {
        number(block.count)
        append(contentsOf: block)
    }

    mutating func name<Subject>(_ name: Name<Subject>) { block(name.text.utf8) }

    mutating func replaceWord(at offset: Int, with value: UInt32) {
        for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
}

extension NumberReader {
    /// Passes over a block, and returns its place; that is empty after a fault.
    mutating func block(atMost limit: Int, of field: StaticString) -> Range<Int> {
        let count = number(upTo: limit, of: field)
        let start = place
        pass(count)
        return fault == nil ? start..<place : 0..<0
    }

    mutating func name<Subject>(
        _: Subject.Type = Subject.self, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) -> Name<Subject> {
        let utf8 = block(atMost: Limits.name, of: "name")
        if let fault { throw fault }
        return try unsafe Name(UnsafeBufferPointer(rebasing: bytes[utf8]))
    }
}

extension Name {
    fileprivate init(_ utf8: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        // Bytes that are no text are repaired, and then are not the same.
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        guard unsafe utf8.allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(utf8) else { throw .notUTF8 }
        try self.init(text)
    }
}

/// A reader of stored bytes, a value at a time. It is total: every input is a value or an error.
struct PackedReader {
    private let all: ArraySlice<UInt8>
    /// The offset from the start of the slice.
    private var place = 0

    init(_ bytes: ArraySlice<UInt8>) { all = bytes }
    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { place == all.count }
    /// The bytes that were not read yet.
    var remainder: ArraySlice<UInt8> { all.dropFirst(place) }

    private mutating func read<Value>(_ value: (inout NumberReader) -> Value) throws(ByteError) -> Value {
        let (value, reached, fault) = unsafe all.withUnsafeBufferPointer {
            var reader = unsafe NumberReader($0, from: place)
            return (value(&reader), reader.place, reader.fault)
        }
        if let fault { throw fault }
        place = reached
        return value
    }

    mutating func byte() throws(ByteError) -> UInt8 { try read { $0.byte() } }
    mutating func number() throws(ByteError) -> UInt64 { try read { $0.wideNumber() } }
    mutating func signed() throws(ByteError) -> Int64 { try read { $0.wideSigned() } }
    mutating func word() throws(ByteError) -> UInt32 { try read { $0.word() } }

    mutating func block(atMost limit: Int, of field: ByteError.Field) throws(ByteError) -> ArraySlice<UInt8> {
        let count = Int(clamping: try number())
        guard count <= limit else { throw .tooLong(count, limit: limit, of: field) }
        let rest = remainder
        _ = try read { $0.pass(count) }
        return rest.prefix(count)
    }

    mutating func name<Subject>(_: Subject.Type = Subject.self) throws(ByteError) -> Name<Subject> {
        let utf8 = try block(atMost: Limits.name, of: ByteError.Field("", Subject.self))
        return try unsafe utf8.withUnsafeBufferPointer { (utf8) throws(ByteError) in try unsafe Name(utf8) }
    }
}
