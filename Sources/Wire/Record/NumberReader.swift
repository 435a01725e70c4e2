/// Reads numbers from bytes that nobody has vouched for. Total: at the first thing that is wrong it notes a fault, and from
/// there on reads zeros.
///
/// A fault that stays is asked for once, at the end; an error thrown by each of two hundred numbers costs a branch each.
/// So whoever uses a number as a place or a count checks it, fault or not.
@safe struct NumberReader {
    private let start: UnsafePointer<UInt8>
    private(set) var place: Int
    let end: Int
    private(set) var fault: WireError?

    /// The reader must not outlive the buffer.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from place: Int = 0, to end: Int? = nil) {
        // An empty buffer may have no address; nothing is read from this one.
        unsafe start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        self.end = min(bytes.count, max(0, end ?? bytes.count))
        self.place = min(max(0, place), self.end)
    }

    var left: Int { end - place }

    @inline(__always)
    mutating func number() -> UInt32 {
        if place < end {
            let byte = unsafe start[place]
            if byte < 0x80 {
                place &+= 1
                return UInt32(byte)
            }
            if place &+ 1 < end {
                let next = unsafe start[place &+ 1]
                if next < 0x80 && next > 0 {
                    place &+= 2
                    return UInt32(byte & 0x7f) | UInt32(next) << 7
                }
            }
        }
        return longNumber()
    }

    @inline(__always)
    mutating func signed() -> Int32 {
        let number = number()
        return Int32(bitPattern: number >> 1) ^ -Int32(bitPattern: number & 1)
    }

    @inline(__always)
    mutating func length() -> Int32 { Int32(bitPattern: number()) }

    /// At most `limit`, or a fault and 0.
    @inline(__always)
    mutating func number(upTo limit: Int, of field: StaticString) -> Int {
        let number = Int(number())
        if number <= limit { return number }
        fail(.tooLong(number, limit: limit, of: "\(field)"))
        return 0
    }

    /// How many things follow of which each takes a byte at least: more than are left cannot. So nothing grows, and no loop
    /// runs, on the word of a count.
    @inline(__always)
    mutating func count(of field: StaticString, upTo limit: Int = .max) -> Int {
        items(number(upTo: limit, of: field))
    }

    mutating func byte() -> UInt8 {
        guard place < end else {
            fail(.truncated(needed: 1, left: 0))
            return 0
        }
        defer { place += 1 }
        return unsafe start[place]
    }

    /// A number of things that was told already.
    @inline(__always)
    mutating func items(_ count: Int) -> Int {
        if count <= left { return count }
        fail(.truncated(needed: count, left: left))
        return 0
    }

    /// Passes over whole bytes.
    @inline(__always)
    mutating func pass(_ count: Int) { place += items(count) }

    /// What is left.
    @unsafe var rest: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start + place, count: left) }

    /// What was read since `place`.
    @unsafe func stretch(from place: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(place >= 0 && place <= self.place)
        return unsafe UnsafeBufferPointer(start: start + place, count: self.place - place)
    }

    /// Passes over numbers, eight bytes at a time: each number ends at a byte without the highest bit.
    mutating func skip(_ numbers: Int) {
        var wanted = numbers
        while wanted > 0 && left >= 8 {
            let word = unsafe UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self)
            var ends = ~UInt64(littleEndian: word) & 0x8080_8080_8080_8080
            let found = ends.nonzeroBitCount
            if found < wanted {
                wanted -= found
                place += 8
            } else {
                for _ in 1..<wanted { ends &= ends &- 1 }
                place += ends.trailingZeroBitCount >> 3 + 1
                return
            }
        }
        while wanted > 0 {
            guard place < end else { return fail(.truncated(needed: wanted, left: 0)) }
            if unsafe start[place] < 0x80 { wanted -= 1 }
            place += 1
        }
    }

    mutating func fail(_ error: WireError) {
        if fault == nil { fault = error }
        place = end
    }

    /// One value has one form: a number that could be shorter is refused.
    @inline(never)
    private mutating func longNumber() -> UInt32 {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        var at = place
        while at < end {
            let byte = unsafe start[at]
            at += 1
            value |= UInt32(byte & 0x7f) << shift
            if byte < 0x80 && (byte > 0 || shift == 0) && (shift < 28 || byte < 16) {
                place = at
                return value
            }
            if byte < 0x80 || shift == 28 {
                fail(.outOfRange(Int64(value), of: "number"))
                return 0
            }
            shift += 7
        }
        fail(.truncated(needed: 1, left: 0))
        return 0
    }
}
