/// A rate limit for the lines of each kind: 20 at once, and then one a second.
struct LineBudget {
    private struct Purse {
        var lines: Double
        var filled: ContinuousClock.Instant
        var missed = 0
    }

    private static let most = 20.0
    private var purses: [String: Purse] = [:]

    /// The number of lines that were dropped since the last one that passed; nil where this one is dropped.
    mutating func spend(on kind: String, at time: ContinuousClock.Instant) -> Int? {
        var purse = purses[kind] ?? Purse(lines: Self.most, filled: time)
        purse.lines = min(Self.most, purse.lines + (time - purse.filled) / .seconds(1))
        purse.filled = time
        defer { purses[kind] = purse }
        guard purse.lines >= 1 else {
            purse.missed += 1
            return nil
        }
        purse.lines -= 1
        defer { purse.missed = 0 }
        return purse.missed
    }
}
