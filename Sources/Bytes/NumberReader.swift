/// A reader of numbers (varints, seven bits to a byte, the lowest first) from bytes that nobody has vouched for. It
/// is total: it notes the first fault, and from there on reads zeros.
///
/// The caller asks for the fault once, at the end; an error thrown by each of two hundred numbers would cost a branch
/// each. A number that serves as an index or a count is checked where it is used, fault or not.
///
///     var reader = NumberReader(bytes)
///     let (order, time) = (reader.wideSigned(), reader.wideSigned())
///     if let fault = reader.fault { throw fault }
@safe public struct NumberReader {
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline var at: Int
    public let end: Int
    @usableFromInline var failure: ByteError?

    @inlinable public var place: Int { at }
    @inlinable public var fault: ByteError? { failure }

    /// The reader must not outlive the buffer.
    @inlinable
    public init(_ bytes: UnsafeBufferPointer<UInt8>, from place: Int = 0, to end: Int? = nil) {
        // An empty buffer may have no address; nothing is read from this one.
        unsafe start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        self.end = min(bytes.count, max(0, end ?? bytes.count))
        at = min(max(0, place), self.end)
    }

    @inlinable public var left: Int { end - place }

    /// Notes a fault; the first one counts. It is out of line and by value, so that a reader in a loop stays in
    /// registers.
    @inlinable @inline(__always)
    public mutating func fail(_ error: ByteError) { self = failed(error) }

    @usableFromInline @inline(never)
    func failed(_ error: ByteError) -> NumberReader {
        var reader = self
        if failure == nil { reader.failure = error }
        reader.at = end
        return reader
    }

    /// Throws the fault, or `trailing` where bytes are left over.
    public func finish() throws(ByteError) {
        if let fault { throw fault }
        guard left == 0 else { throw .trailing(count: left) }
    }
}

// Numbers.
extension NumberReader {
    /// Reads a varint. One value has one form: a number that could be shorter is refused.
    @inlinable @inline(__always)
    public mutating func number() -> UInt32 {
        if place < end {
            let byte = unsafe start[place]
            if byte < 0x80 {
                at &+= 1
                return UInt32(byte)
            }
            if place &+ 1 < end {
                let next = unsafe start[place &+ 1]
                if next < 0x80 && next > 0 {
                    at &+= 2
                    return UInt32(byte & 0x7f) | UInt32(next) << 7
                }
            }
        }
        return taking(longNumber())
    }

    /// Reads a varint in zigzag form: 0, 1, 2, 3, … as 0, -1, 1, -2, …
    @inlinable @inline(__always)
    public mutating func signed() -> Int32 {
        let number = number()
        return Int32(bitPattern: number >> 1) ^ -Int32(bitPattern: number & 1)
    }

    /// Reads a number that is not negative in valid bytes.
    @inlinable @inline(__always)
    public mutating func length() -> Int32 { Int32(bitPattern: number()) }

    /// Reads a number of 64 bits.
    @inlinable
    public mutating func wideNumber() -> UInt64 { taking(longNumber()) }

    @inlinable
    public mutating func wideSigned() -> Int64 {
        let number = wideNumber()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads a number of at most `limit`; a larger one is a fault, and read as 0.
    @inlinable @inline(__always)
    public mutating func number(upTo limit: Int, of field: StaticString) -> Int {
        let number = Int(number())
        if number <= limit { return number }
        fail(.tooLong(number, limit: limit, of: ByteError.Field(stringLiteral: field)))
        return 0
    }

    /// Reads the count of things that follow. Each takes at least one byte, so a count above the bytes that are left
    /// is a fault: nothing grows, and no loop runs, on the word of a count.
    @inlinable @inline(__always)
    public mutating func count(of field: StaticString, upTo limit: Int = .max) -> Int {
        items(number(upTo: limit, of: field))
    }

    /// Returns a count that was read before; a fault and 0 where fewer bytes are left.
    @inlinable @inline(__always)
    public mutating func items(_ count: Int) -> Int {
        if count <= left { return count }
        fail(.truncated(needed: count, left: left))
        return 0
    }

    /// Passes over numbers, eight bytes at a time: each number ends at a byte without the highest bit.
    @inlinable
    public mutating func skip(_ numbers: Int) {
        var wanted = numbers
        while wanted > 0, let word = nextEight {
            var ends = ~word & 0x8080_8080_8080_8080
            let found = ends.nonzeroBitCount
            if found < wanted {
                wanted -= found
                at += 8
            } else {
                for _ in 1..<wanted { ends &= ends &- 1 }
                at += ends.trailingZeroBitCount >> 3 + 1
                return
            }
        }
        while wanted > 0 {
            guard place < end else { return fail(.truncated(needed: wanted, left: 0)) }
            if unsafe start[place] < 0x80 { wanted -= 1 }
            at += 1
        }
    }

    /// A number and its length in bytes. Length 0 stands for a fault: the number is truncated, or out of range.
    @usableFromInline
    struct LongNumber<Number: FixedWidthInteger & UnsignedInteger> {
        @usableFromInline var value: Number
        @usableFromInline var length: Int
        @usableFromInline var isTruncated: Bool

        @inlinable
        init(value: Number, length: Int, isTruncated: Bool = false) {
            (self.value, self.length, self.isTruncated) = (value, length, isTruncated)
        }
    }

    @inlinable @inline(__always)
    mutating func taking<Number>(_ number: LongNumber<Number>) -> Number {
        if number.length > 0 {
            at &+= number.length
            return number.value
        }
        fail(
            number.isTruncated
                ? .truncated(needed: 1, left: 0) : .outOfRange(Int64(truncatingIfNeeded: number.value), of: "number"))
        return 0
    }

    @inlinable @inline(never)
    func longNumber<Number: FixedWidthInteger & UnsignedInteger>() -> LongNumber<Number> {
        var value: Number = 0
        var shift = 0
        var next = at
        while next < end {
            let byte = unsafe start[next]
            next += 1
            let bits = Number(truncatingIfNeeded: byte & 0x7f)
            value |= bits << shift
            let fits = (bits << shift) >> shift == bits
            if byte < 0x80 && fits && (byte > 0 || shift == 0) { return LongNumber(value: value, length: next - at) }
            shift += 7
            if byte < 0x80 || !fits || shift >= Number.bitWidth { return LongNumber(value: value, length: 0) }
        }
        return LongNumber(value: 0, length: 0, isTruncated: true)
    }
}

// Bytes.
extension NumberReader {
    @inlinable @inline(__always)
    public mutating func byte() -> UInt8 {
        guard place < end else {
            fail(.truncated(needed: 1, left: 0))
            return 0
        }
        defer { at &+= 1 }
        return unsafe start[place]
    }

    /// Reads four or eight bytes, the lowest first.
    @inlinable
    public mutating func word<Word: FixedWidthInteger & UnsignedInteger>(_: Word.Type = Word.self) -> Word {
        let size = Word.bitWidth / 8
        guard items(size) == size else { return 0 }
        defer { at += size }
        return Word(littleEndian: unsafe UnsafeRawPointer(start + place).loadUnaligned(as: Word.self))
    }

    /// The next eight bytes as they are, the lowest first; nil where fewer are left.
    @inlinable public var nextEight: UInt64? {
        guard left >= 8 else { return nil }
        return UInt64(littleEndian: unsafe UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self))
    }

    /// Passes over whole bytes.
    @inlinable @inline(__always)
    public mutating func pass(_ count: Int) { at &+= items(count) }

    /// Reads the next `count` bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let first = place
        pass(count)
        return unsafe Array(stretch(from: first))
    }

    /// The bytes that are left.
    @unsafe @inlinable public var rest: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: start + place, count: left)
    }

    /// The bytes that were read since `place`.
    @unsafe @inlinable public func stretch(from place: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(place >= 0 && place <= self.place)
        return unsafe UnsafeBufferPointer(start: start + place, count: self.place - place)
    }
}
