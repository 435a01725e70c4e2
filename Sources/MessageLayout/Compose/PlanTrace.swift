/// The answers that a planner got about a message: which conditions hold, how long lists are, how deep things stand.
///
/// The same answers lead to the same parts, whatever the texts say. So a plan can be made again without its message,
/// for a screen that nobody foresaw, and it is recognised by a few bytes.
struct PlanTrace {
    private(set) var bytes: [UInt8] = []
    /// The number of bits so far: the place of the next answer.
    private(set) var count = 0

    /// The largest number that comes from a message.
    static let most = 1 << 14

    mutating func append(_ answer: Bool) {
        if count & 7 == 0 { bytes.append(0) }
        if answer { bytes[bytes.count - 1] |= 1 << UInt8(count & 7) }
        count += 1
    }

    /// Appends a number: seven bits at a time, the lowest first, and behind each seven a bit that says whether more
    /// follow.
    mutating func append(_ number: Int) {
        var rest = number
        repeat {
            for digit in 0..<7 { append(rest >> digit & 1 == 1) }
            rest >>= 7
            append(rest > 0)
        } while rest > 0
    }

    /// Overwrites a number with another one of at most seven bits.
    static func replace(_ number: Int, at place: Int, in bytes: inout [UInt8]) {
        for digit in 0..<7 {
            let (byte, bit) = ((place + digit) >> 3, 1 << UInt8((place + digit) & 7) as UInt8)
            bytes[byte] = number >> digit & 1 == 1 ? bytes[byte] | bit : bytes[byte] & ~bit
        }
    }

    /// Reads the answers in their order. Behind the last one every answer is no, and every number 0.
    struct Reader {
        private let bytes: [UInt8]
        private var bits = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func answer() -> Bool {
            guard bits >> 3 < bytes.count else { return false }
            defer { bits += 1 }
            return bytes[bits >> 3] >> UInt8(bits & 7) & 1 == 1
        }

        mutating func number() -> Int {
            var (number, shift, goesOn) = (0, 0, true)
            while goesOn {
                for digit in 0..<7 where answer() { number |= 1 << (shift + digit) }
                shift += 7
                goesOn = answer() && shift < 21
            }
            return min(number, PlanTrace.most)
        }
    }
}
