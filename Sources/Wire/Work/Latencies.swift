package import JSON

/// A histogram of times: four counters between two powers of two, from a quarter of a millisecond to a minute,
/// which is as fine as alerts and charts need. Its boundaries are among those of the flood's own histogram, so that
/// both show the same for the same times.
package struct Latencies: Equatable, Sendable {
    /// The times below the first boundary, the times from there to the second, and so on; at the end the times above
    /// all of them.
    package private(set) var counters = [Int](repeating: 0, count: boundaries.count + 1)
    /// The sum of all times, in microseconds.
    package private(set) var sum: Int

    package var count: Int { counters.reduce(0, +) }

    /// The boundaries between the counters, in microseconds.
    package static let boundaries = (8..<26).flatMap { power in (4..<8).map { $0 << (power - 2) } } + [1 << 26]

    package init() { sum = 0 }

    /// - Parameter counters: one more than there are boundaries; any other number gives nil.
    package init?(counters: [Int], sum: Int) {
        guard counters.count == Self.boundaries.count + 1 else { return nil }
        (self.counters, self.sum) = (counters, sum)
    }

    package mutating func record(_ time: Duration, times: Int = 1) {
        let microseconds = max(0, Int(time / .microseconds(1)))
        sum += microseconds * times
        counters[Self.place(of: microseconds)] += times
    }

    /// The boundary below which so many percent of the times are; nil where there are no times.
    package func percentile(_ percent: Double) -> Int? {
        let rank = max(1, Int((percent / 100 * Double(count)).rounded(.up)))
        var passed = 0
        for (place, counter) in counters.enumerated() {
            passed += counter
            if counter > 0, passed >= rank { return Self.boundaries[min(place, Self.boundaries.count - 1)] }
        }
        return nil
    }

    /// The times that were counted since.
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
        // The highest three bits, four to seven, and how far they stand to the left.
        let shift = Int.bitWidth - time.leadingZeroBitCount - 3
        return min(1 + (shift - 6) * 4 + (time >> shift) - 4, boundaries.count)
    }
}

// The histogram in the JSON for operators.
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
