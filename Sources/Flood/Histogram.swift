/// A histogram of times: fixed in size, with an error of less than a hundredth everywhere.
///
/// Between two powers of two stand 128 counters, so that short times are told apart finely and long ones coarsely.
package struct Histogram: Equatable, Sendable {
    private var counters = [UInt64](repeating: 0, count: (41 - bits + 1) << bits + 1)
    package private(set) var count: UInt64 = 0
    package private(set) var greatest: UInt64 = 0
    private var sum = 0.0

    private static let bits = 7
    /// Some 36 minutes in nanoseconds: a longer time counts as this one.
    package static let limit: UInt64 = 1 << 41 - 1
    /// The largest error of a percentile, as a part of its value; it is never too low.
    package static let error = 1.0 / Double(1 << bits)

    package init() {}

    package mutating func record(_ nanoseconds: UInt64) {
        counters[Self.place(of: min(nanoseconds, Self.limit))] += 1
        count += 1
        greatest = max(greatest, nanoseconds)
        sum += Double(nanoseconds)
    }

    package mutating func merge(_ other: Histogram) {
        for place in counters.indices { counters[place] += other.counters[place] }
        count += other.count
        greatest = max(greatest, other.greatest)
        sum += other.sum
    }

    package var mean: Double { count > 0 ? sum / Double(count) : 0 }

    /// A time that is not exceeded by so many of a hundred; the longest of those that share a counter.
    package func percentile(_ percent: Double) -> UInt64 {
        let rank = max(1, UInt64((percent / 100 * Double(count)).rounded(.up)))
        var passed: UInt64 = 0
        for place in counters.indices {
            passed += counters[place]
            if passed >= rank { return min(Self.greatest(in: place), greatest) }
        }
        return greatest
    }

    private static func place(of value: UInt64) -> Int {
        let shift = max(0, UInt64.bitWidth - value.leadingZeroBitCount - 1 - bits)
        return shift << bits + Int(value >> UInt64(shift))
    }

    private static func greatest(in place: Int) -> UInt64 {
        let shift = max(0, place >> bits - 1)
        let first = UInt64(place - shift << bits)
        return (first + 1) << UInt64(shift) - 1
    }
}
