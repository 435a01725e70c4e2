package import JSON

/// How often something took how long: four counters between two powers of two, from a quarter of a millisecond to a minute, which is as fine
/// as alerts and pictures need. Their boundaries are among those of the flood's own histogram: both say the same of the same times.
package struct Latencies: Equatable, Sendable {
    /// What took less than the first boundary, what took less than the second, and so on; at the end what took longer than any.
    package private(set) var counters = [Int](repeating: 0, count: boundaries.count + 1)
    /// Microseconds, of all together.
    package private(set) var sum: Int

    package var count: Int { counters.reduce(0, +) }

    /// Microseconds.
    package static let boundaries = (8..<26).flatMap { power in (4..<8).map { $0 << (power - 2) } } + [1 << 26]

    package init() { sum = 0 }

    /// - Parameter counters: one more than there are boundaries; nil comes of any other number.
    package init?(counters: [Int], sum: Int) {
        guard counters.count == Self.boundaries.count + 1 else { return nil }
        (self.counters, self.sum) = (counters, sum)
    }

    package mutating func record(_ time: Duration, times: Int = 1) {
        let microseconds = max(0, Int(time / .microseconds(1)))
        sum += microseconds * times
        counters[Self.place(of: microseconds)] += times
    }

    /// A boundary that so many of a hundred were below; nil where there were none.
    package func percentile(_ percent: Double) -> Int? {
        let rank = max(1, Int((percent / 100 * Double(count)).rounded(.up)))
        var passed = 0
        for (place, counter) in counters.enumerated() {
            passed += counter
            if counter > 0, passed >= rank { return Self.boundaries[min(place, Self.boundaries.count - 1)] }
        }
        return nil
    }

    /// What was counted since.
    package static func - (all: Latencies, earlier: Latencies) -> Latencies {
        var rest = all
        for place in rest.counters.indices {
            rest.counters[place] = max(0, rest.counters[place] - earlier.counters[place])
        }
        rest.sum = max(0, all.sum - earlier.sum)
        return rest
    }

    private static func place(of time: Int) -> Int {
        guard time >= boundaries[0] else { return 0 }
        // Four to seven, and how far that was moved.
        let shift = Int.bitWidth - time.leadingZeroBitCount - 3
        return min(1 + (shift - 6) * 4 + (time >> shift) - 4, boundaries.count)
    }
}

// As operators are told them.
extension Latencies {
    package func writeMembers(to json: inout JSONWriter) {
        json.key("counters")
        json.array { for counter in counters { $0.integer(counter) } }
        json.key("sum_us")
        json.integer(sum)
    }

    package init?(_ json: JSONValue?) {
        guard let counters = json?["counters"]?.array, let sum = json?["sum_us"]?.number?.integer else { return nil }
        self.init(counters: counters.map { $0.number?.integer ?? 0 }, sum: sum)
    }
}
