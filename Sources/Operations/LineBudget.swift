/// How many lines of each kind may still be written: 20 at once, and then one a second.
struct LineBudget {
    private struct Purse {
        var lines: Double
        var filled: ContinuousClock.Instant
        var missed = 0
    }

    private static let most = 20.0
    private var purses: [String: Purse] = [:]

    /// How many were missed since the last that passed; nil when this one does not.
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
