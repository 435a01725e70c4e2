/// A small random generator with the same sequence everywhere: a seed always gives the same numbers.
package struct SplitMix: Sendable {
    package var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// True so many times of a hundred.
    package mutating func happens(_ percent: Double) -> Bool { fraction() * 100 < percent }
}
