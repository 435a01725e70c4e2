import Bytes
import MessageLayout

/// The different heights of rows, the lowest first, and the place among them of each, row by row.
///
/// A block has some thousand, rows by targets, and comparing and hashing them takes most of its sealing: so they stand
/// in a table of their own, and not in a dictionary, which would call another module for each.
struct NumberedHeights {
    private(set) var values: [ContentHeights] = []
    private(set) var places: [Int] = []

    init(_ rows: [SealedRow]) {
        let count = rows.reduce(0) { $0 + $1.heights.count }
        let bits = bitWidth(of: count) + 1
        // In the slot of its hash or behind it, the number of each value, in the order in which they come.
        var slots = Buffer<Int32>(capacity: 1 << bits)
        slots.append(repeating: -1, count: 1 << bits)
        var different = Buffer<ContentHeights>()
        places.reserveCapacity(count)
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
                places.append(Int(number))
            }
        }
        let order = (0..<different.count).sorted { different[$0].precedes(different[$1]) }
        var ranks = [Int](repeating: 0, count: order.count)
        for (rank, number) in order.enumerated() { ranks[number] = rank }
        values = order.map { different[$0] }
        for i in places.indices { places[i] = ranks[places[i]] }
    }
}

extension ContentHeights {
    // Here, as what another module compares and hashes is called and not inlined.

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
