/// Chance with a seed: everything random in a run comes from here, so that a run can be replayed.
package struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True with this probability, in thousandths.
    mutating func happens(_ thousandths: Int) -> Bool { next() % 1000 < UInt64(thousandths) }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
