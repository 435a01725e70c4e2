import TestSupport

/// Numbers at and near the ends of the integer types, at the limits of words, and some that are ordinary.
struct ExtremeNumbers {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let places: [Int64] = [
        .min, .max, 0, 1 << 31, 1 << 32, 1 << 24, 1 << 40, 1 << 53, 1 << 60, 1 << 62, 1000, 256, 257, 4096, 65_536,
        86_400, 512,
        8_640_000_000_000_000, 9_223_372_036_854_775, 9_223_372_036_854_775_807 / 1000, 1_700_000_000_000,
        1 << 20, 16_384 * 64, 2532,
    ]

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }
    mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }

    mutating func wide() -> Int64 {
        if happens(10) { return Int64.random(in: .min ... .max, using: &random) }
        let place = one(of: Self.places) &+ Int64(below(5) - 2)
        return happens(40) ? 0 &- place : place
    }

    mutating func half() -> Int32 {
        happens(50) ? Int32(truncatingIfNeeded: wide()) : Int32(clamping: wide())
    }

    /// A number within bounds, mostly at their ends; now and then beyond.
    mutating func within(_ bounds: ClosedRange<Int>) -> Int {
        switch below(10) {
        case 0...2: return bounds.lowerBound
        case 3...5: return bounds.upperBound
        case 6...8: return Int.random(in: bounds, using: &random)
        default: return Int(clamping: wide())
        }
    }

    mutating func range() -> Range<Int64> {
        let (one, other) = (wide(), wide())
        return min(one, other)..<max(one, other)
    }
}

/// The numbers of words that were said, by kind, and of answers.
struct Tally: CustomStringConvertible {
    var words = 0
    var framed = 0
    var http = 0
    var events = 0
    var operators = 0
    var changes = 0
    var sockets = 0
    var answers = 0

    var description: String {
        "\(framed) framed, \(http) over HTTP, \(events) events, \(operators) of operators, \(changes) rows, "
            + "\(sockets) over sockets; \(answers) answers"
    }
}
