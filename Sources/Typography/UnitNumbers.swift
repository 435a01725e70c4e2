import Bytes

/// The numbers of a text's units, in the order in which the units first come. A dictionary would take longer to hash
/// each letter than all other work on it takes.
struct UnitNumbers: ~Copyable {
    /// A hash table: each taken place has a unit, and its number in the lowest 24 bits. At least half of the places
    /// are free.
    private var places = Buffer<UInt64>(capacity: 128)
    private var count: UInt32 = 0

    /// No unit has this number.
    private static let free = UInt64.max

    init() { places.append(repeating: Self.free, count: 128) }

    /// The number of a unit, and whether it is new and numbered now.
    @inline(__always)
    mutating func number(advance: Int32, marks: UInt8) -> (number: UInt32, isNew: Bool) {
        let unit = UInt64(UInt32(bitPattern: advance)) &<< 8 | UInt64(marks)
        let (place, known) = find(unit)
        if known != Self.free { return (UInt32(truncatingIfNeeded: known & 0xff_ffff), false) }
        places[place] = unit &<< 24 | UInt64(count)
        defer { add() }
        return (count, true)
    }

    private mutating func add() {
        count += 1
        if Int(count) * 2 > places.count { grow() }
    }

    /// The place of a unit, or the free one for it, and the entry there.
    @inline(__always)
    private func find(_ unit: UInt64) -> (place: Int, known: UInt64) {
        let all = unsafe places.elements
        let mask = all.count &- 1
        var place = Int(truncatingIfNeeded: (unit &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        var known = unsafe all[place]
        while known != Self.free && known >> 24 != unit {
            place = (place &+ 1) & mask
            known = unsafe all[place]
        }
        return (place, known)
    }

    private mutating func grow() {
        let known = places.array(0..<Int32(places.count)).filter { $0 != Self.free }
        places.refill(Self.free, count: 2 * places.count)
        for entry in known { places[find(entry >> 24).place] = entry }
    }
}
