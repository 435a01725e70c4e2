/// The wait before the next attempt: none at first, then twice as long each time, with jitter.
struct BackOff {
    private var attempts = 0

    private static let first = Duration.milliseconds(100)
    private static let longest = Duration.seconds(10)

    mutating func next(_ random: Double = .random(in: 0.5...1)) -> Duration {
        defer { attempts += 1 }
        guard attempts > 0 else { return .zero }
        return min(Self.longest, Self.first * (1 << min(attempts - 1, 16))) * random
    }

    mutating func reset() { attempts = 0 }
}
