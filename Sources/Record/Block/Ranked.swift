import Bytes
import MessageLayout

/// Values, each once and in order, and of each that there was its rank among them.
struct Ranked<Value> {
    let values: [Value]
    let ranks: [Int]

    /// - Parameters:
    ///   - different: the values, each once, in the order in which they came.
    ///   - numbers: of each that there was, which of these it is.
    private init(_ different: [Value], _ numbers: [Int], sortedBy precedes: (Value, Value) -> Bool) {
        let order = different.indices.sorted { precedes(different[$0], different[$1]) }
        var rankOf = [Int](repeating: 0, count: order.count)
        for (rank, number) in order.enumerated() { rankOf[number] = rank }
        values = order.map { different[$0] }
        ranks = numbers.map { rankOf[$0] }
    }
}

extension Ranked where Value: Hashable {
    init(_ all: some Sequence<Value>, sortedBy precedes: (Value, Value) -> Bool) {
        var different: [Value] = []
        var numbers: [Int] = []
        var known: [Value: Int] = [:]
        for value in all {
            // Mostly a value is the one before.
            if let last = numbers.last, different[last] == value {
                numbers.append(last)
            } else if let number = known[value] {
                numbers.append(number)
            } else {
                known[value] = different.count
                numbers.append(different.count)
                different.append(value)
            }
        }
        self.init(different, numbers, sortedBy: precedes)
    }
}

extension Ranked<ContentHeights> {
    /// The heights of rows on all targets, the lowest first; ranks are those of one row after another.
    ///
    /// A block has some thousand, and comparing and hashing them takes most of its sealing: so they stand in a table of
    /// their own, and not in a dictionary, which would call another module for each.
    init(heightsOf rows: [SealedRow]) {
        let count = rows.reduce(0) { $0 + $1.heights.count }
        let bits = bitWidth(of: count) + 1
        // In the slot of its hash or behind it, the number of each value.
        var slots = Buffer<Int32>(capacity: 1 << bits)
        slots.append(repeating: -1, count: 1 << bits)
        var different = Buffer<ContentHeights>()
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        var number: Int32 = -1
        for row in rows {
            for heights in row.heights {
                // Mostly a row has the same on one target as on the next.
                if number < 0 || !different[Int(number)].equals(heights) {
                    var slot = Int(heights.mixed >> (64 - UInt64(bits)))
                    number = slots[slot]
                    while number >= 0, !different[Int(number)].equals(heights) {
                        slot = (slot + 1) & (slots.count - 1)
                        number = slots[slot]
                    }
                    if number < 0 {
                        number = Int32(different.count)
                        slots[slot] = number
                        different.append(heights)
                    }
                }
                numbers.append(Int(number))
            }
        }
        self.init(different.array(0..<Int32(different.count)), numbers) { $0.precedes($1) }
    }
}

extension ContentHeights {
    @inline(__always)
    fileprivate func equals(_ other: ContentHeights) -> Bool {
        own == other.own && self.other == other.other && otherWithName == other.otherWithName
    }

    fileprivate var mixed: UInt64 {
        let first = UInt64(UInt32(bitPattern: own)) << 32 | UInt64(UInt32(bitPattern: other))
        let both = first ^ UInt64(UInt32(bitPattern: otherWithName)) &* 0xFF51_AFD7_ED55_8CCD
        return both &* 0x9E37_79B9_7F4A_7C15
    }

    fileprivate func precedes(_ other: ContentHeights) -> Bool {
        (own, self.other, otherWithName) < (other.own, other.other, other.otherWithName)
    }
}
