import Bytes

/// Reads the bits of a `GolombSink` from untrusted bytes. Total: past the end, and behind a fault, it reads zeros. A
/// fault stays; it is asked for where a loop might be long, and at the end.
///
/// A loop that reads much takes a copy, and gives it back: then all of it stands in registers.
@safe struct GolombReader {
    private let start: UnsafePointer<UInt8>
    private let count: Int
    /// The next bits, the lowest first; `left` of them are from the bytes before `next`. Bits above these are right,
    /// or zero.
    private var word: UInt64 = 0
    private var left = 0
    private var next = 0
    private var failure: ByteError?

    /// The reader must not outlive the buffer.
    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        let range = range.clamped(to: 0..<bytes.count)
        unsafe start = (bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!) + range.lowerBound
        count = range.count
    }

    /// The place of the next bit.
    @inline(__always)
    var place: Int { 8 &* next &- left }

    @inline(__always)
    var isWhole: Bool { place <= 8 &* count }

    @inline(__always)
    var fault: ByteError? { isWhole ? nil : failure ?? .truncated(needed: 1, left: 0) }

    /// Notes a fault; the first one counts. Out of line and by value, so that a reader in a loop stands in registers.
    @inline(__always)
    mutating func fail(_ error: ByteError) { self = failed(error) }

    @inline(never)
    private func failed(_ error: ByteError) -> GolombReader {
        var reader = self
        if isWhole { reader.failure = error }
        reader.turn(to: 8 * count + 1)
        return reader
    }

    /// Fills `word` to at least 32 bits: as many as are read at once.
    @inline(__always)
    private mutating func fill() {
        if left >= 32 { return }
        guard next &+ 8 <= count else {
            (word, left, next) = unsafe Self.filled(word, left, next, start, count)
            return
        }
        let more = unsafe UInt64(littleEndian: UnsafeRawPointer(start + next).loadUnaligned(as: UInt64.self))
        word |= more &<< UInt64(truncatingIfNeeded: left)
        let bytes = (63 &- left) &>> 3
        next &+= bytes
        left &+= 8 &* bytes
    }

    /// Fills it near the end, byte by byte.
    @inline(never)
    private static func filled(
        _ word: UInt64, _ left: Int, _ next: Int, _ start: UnsafePointer<UInt8>, _ count: Int
    ) -> (UInt64, Int, Int) {
        var (word, left, next) = (word, left, next)
        while left <= 48 {
            if next < count { unsafe word |= UInt64(start[next]) &<< UInt64(truncatingIfNeeded: left) }
            next &+= 1
            left &+= 8
        }
        return (word, left, next)
    }

    @inline(__always)
    private mutating func pass(_ bits: Int) {
        word &>>= UInt64(truncatingIfNeeded: bits)
        left &-= bits
    }

    /// Reads at most 32 bits.
    @inline(__always)
    mutating func bits(_ count: Int) -> UInt32 {
        fill()
        let found = word & (1 &<< UInt64(truncatingIfNeeded: count) &- 1)
        pass(count)
        return UInt32(truncatingIfNeeded: found)
    }

    @inline(__always)
    mutating func flag() -> Bool {
        fill()
        let found = word & 1
        pass(1)
        return found == 1
    }

    /// Reads at most 64 flags, and returns those that are not set.
    @inline(__always)
    mutating func others(_ count: Int) -> UInt64 {
        if count <= 32 { return ~UInt64(bits(count)) & (1 &<< UInt64(truncatingIfNeeded: count) &- 1) }
        let low = UInt64(~bits(32))
        return low | (~UInt64(bits(count &- 32)) & (1 &<< UInt64(truncatingIfNeeded: count &- 32) &- 1)) &<< 32
    }

    /// Turns to a place; if that is behind the end, to right behind the end. From there nothing leads back.
    @inline(__always)
    mutating func turn(to place: Int) {
        guard isWhole else { return }
        let place = min(place, 8 &* count &+ 1)
        (word, left, next) = (0, 0, place &>> 3)
        fill()
        pass(place & 7)
    }

    /// Passes over at most 32 bits.
    @inline(__always)
    mutating func skip(_ bits: Int) {
        fill()
        pass(bits)
    }

    /// Reads a number. Mostly it is 0 above the order: then the first bit says so.
    @inline(__always)
    mutating func number(_ order: Int) -> UInt32 {
        fill()
        if word & 1 == 1 {
            let low = word &>> 1 & (1 &<< UInt64(truncatingIfNeeded: order) &- 1)
            pass(1 &+ order)
            return UInt32(truncatingIfNeeded: low)
        }
        let zeros = word.trailingZeroBitCount
        // All of it is in the word.
        guard 2 &* zeros &+ 1 &+ order <= 32 else {
            let long = longNumber(order)
            self = long.reader
            return long.value
        }
        pass(zeros &+ 1)
        // The lowest bits of the number above the order stand first.
        let low = UInt64(truncatingIfNeeded: zeros)
        let high = word & (1 &<< low &- 1) | 1 &<< low
        let rest = word &>> low & (1 &<< UInt64(truncatingIfNeeded: order) &- 1)
        pass(zeros &+ order)
        return UInt32(truncatingIfNeeded: (high &- 1) &<< UInt64(truncatingIfNeeded: order) | rest)
    }

    @inline(never)
    private func longNumber(_ order: Int) -> (reader: GolombReader, value: UInt32) {
        var reader = self
        var zeros = 0
        while zeros <= 32 && !reader.flag() { zeros += 1 }
        guard zeros <= 32 else { return (reader.failed(.truncated(needed: 1, left: 0)), 0) }
        let high = UInt64(reader.bits(zeros)) | 1 << UInt64(zeros)
        let value = (high - 1) << UInt64(order) | UInt64(reader.bits(order))
        if value >> 32 != 0 {
            return (reader.failed(.outOfRange(Int64(truncatingIfNeeded: value), of: "number")), 0)
        }
        return (reader, reader.isWhole ? UInt32(truncatingIfNeeded: value) : 0)
    }

    @inline(__always)
    mutating func length(_ order: Int) -> Int32 { Int32(bitPattern: number(order)) }

    @inline(__always)
    mutating func signed(_ order: Int) -> Int32 { Int32(zigzag: number(order)) }

    /// Reads a number that is at most `limit`; any other is a fault, and 0.
    @inline(__always)
    mutating func number(_ order: Int, upTo limit: Int32, of field: StaticString) -> Int32 {
        let number = number(order)
        if number <= UInt32(bitPattern: limit) { return Int32(bitPattern: number) }
        fail(.outOfRange(Int64(number), of: ByteError.Field(stringLiteral: field)))
        return 0
    }

    /// Checks that the part that was read ends where it was said to.
    @inline(__always)
    mutating func check(_ end: Int) {
        if place != end && isWhole { fail(.outOfRange(Int64(end), of: "length")) }
    }

    /// Throws the fault, or an error if more is left than zeros that fill a byte.
    mutating func finish() throws(ByteError) {
        if let fault { throw fault }
        let rest = 8 * count - place
        guard rest < 8, bits(rest) == 0 else { throw .trailing(count: rest / 8 + 1) }
    }
}
