import Bytes

/// Numbers of a few bits each, one behind another: the lowest bits of the first come first.
@safe struct BitReader {
    private let bytes: UnsafePointer<UInt8>
    /// The place of the next number, in bits.
    private var place: Int
    private let end: Int
    /// The last byte from which eight can be read.
    private let lastWord: Int
    private(set) var isBeyond = false

    /// The reader must not outlive the buffer.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) {
        precondition(part.lowerBound >= 0 && part.upperBound <= bytes.count)
        unsafe self.bytes = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        place = part.lowerBound * 8
        end = part.upperBound * 8
        lastWord = part.upperBound - 8
    }

    /// - Parameter width: at most 56, or 64 if all numbers of the part are so wide. Beyond the end everything is 0.
    @inline(__always)
    mutating func take(_ width: Int) -> UInt64 {
        guard place + width <= end else {
            isBeyond = true
            return 0
        }
        let byte = place >> 3
        var word: UInt64 = 0
        if byte <= lastWord {
            word = unsafe UInt64(littleEndian: UnsafeRawPointer(bytes + byte).loadUnaligned(as: UInt64.self))
        } else {
            for i in byte..<end >> 3 { word |= unsafe UInt64(bytes[i]) << UInt64((i - byte) * 8) }
        }
        word >>= UInt64(place & 7)
        place += width
        return width == 64 ? word : word & (1 << UInt64(width) - 1)
    }

    /// Takes `count` numbers of one width, as `take` would one after another.
    @inline(__always)
    mutating func take(_ count: Int, of width: Int, _ body: (UInt64) -> Void) {
        let mask = width == 64 ? UInt64.max : 1 << UInt64(width) - 1
        var whole = 0
        if place + width * count <= end, place >> 3 <= lastWord {
            // Numbers for which eight bytes can be read from their start.
            whole = width == 0 ? count : min(count, (lastWord * 8 + 7 - place) / width + 1)
        }
        var at = place
        for _ in 0..<whole {
            let word = unsafe UnsafeRawPointer(bytes + at >> 3).loadUnaligned(as: UInt64.self)
            body(UInt64(littleEndian: word) >> UInt64(at & 7) & mask)
            at += width
        }
        place = at
        for _ in whole..<max(whole, count) { body(take(width)) }
    }

    /// Whether nothing is left but the bits that fill the last byte, and these are 0.
    mutating func isAtEnd() -> Bool { !isBeyond && end - place < 8 && take(end - place) == 0 }
}

struct BitWriter: ~Copyable {
    private(set) var bytes = Buffer<UInt8>()
    private var word: UInt64 = 0
    private var used = 0

    mutating func append(_ value: UInt64, width: Int) {
        for byte in stride(from: 0, to: width, by: 8) {
            let bits = min(8, width - byte)
            word |= (value >> UInt64(byte) & (1 << UInt64(bits) - 1)) << UInt64(used)
            used += bits
            flush(atLeast: 8)
        }
    }

    /// Fills the last byte with zeros.
    mutating func finish() {
        flush(atLeast: 1)
        (word, used) = (0, 0)
    }

    private mutating func flush(atLeast bits: Int) {
        while used >= bits {
            bytes.append(UInt8(truncatingIfNeeded: word))
            word >>= 8
            used -= 8
        }
    }
}

/// The number of bits that tell one of `count`.
func bitWidth(of count: Int) -> Int { count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount }

// A column of numbers that mostly rise alike: the first, the least step, and by how much each step is more.
extension NumberReader {
    /// Reads steps, which are all that is left of the part: nothing may follow.
    @inline(__always)
    mutating func steps(_ count: Int, in bytes: UnsafeBufferPointer<UInt8>, _ body: (Int64) -> Void) {
        var value = wideSigned()
        let least = wideSigned()
        let width = Int(byte())
        guard width <= 56 || width == 64 else { return fail(.outOfRange(Int64(width), of: "bits")) }
        guard fault == nil else { return }
        var bits = unsafe BitReader(bytes, place..<end)
        body(value)
        bits.take(count - 1, of: width) { more in
            value &+= least &+ Int64(bitPattern: more)
            body(value)
        }
        if bits.isAtEnd() { pass(left) } else { fail(.truncated(needed: 1, left: left)) }
    }
}

extension Buffer<UInt8> {
    mutating func steps(_ values: [Int64]) {
        let steps = zip(values.dropFirst(), values).map { $0 &- $1 }
        let least = steps.min() ?? 0
        let more = steps.map { UInt64(bitPattern: $0 &- least) }
        var width = 64 - (more.max() ?? 0).leadingZeroBitCount
        if width > 56 { width = 64 }
        signed(values.first ?? 0)
        signed(least)
        append(UInt8(width))
        var bits = BitWriter()
        for step in more { bits.append(step, width: width) }
        bits.finish()
        unsafe append(bits.bytes.elements)
    }
}
