/// Numbers units of a text in the order in which they first come. A dictionary would hash each letter for longer than all
/// else takes that is done with it.
struct UnitNumbers {
    /// A unit's key in each place that is taken, and its number beside it; at least half of the places are free.
    private var keys: [UInt64]
    private var numbers: [UInt32]
    private(set) var count: UInt32 = 0

    /// No advance and marks make this key.
    private static let free = UInt64.max

    init() {
        keys = Array(repeating: Self.free, count: 128)
        numbers = Array(repeating: 0, count: 128)
    }

    /// The number of a unit that was there before; nil for a new one, which is numbered now.
    mutating func number(advance: Int32, marks: UInt8) -> UInt32? {
        let key = UInt64(UInt32(bitPattern: advance)) << 8 | UInt64(marks)
        let place = place(of: key)
        if keys[place] == key { return numbers[place] }
        keys[place] = key
        numbers[place] = count
        count += 1
        if Int(count) * 2 > keys.count { grow() }
        return nil
    }

    private func place(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while keys[place] != key && keys[place] != Self.free { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let known = zip(keys, numbers).filter { $0.0 != Self.free }
        keys = Array(repeating: Self.free, count: keys.count * 2)
        numbers = Array(repeating: 0, count: keys.count)
        for (key, number) in known {
            let place = place(of: key)
            (keys[place], numbers[place]) = (key, number)
        }
    }
}
