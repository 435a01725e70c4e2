/// Chance for backoffs: a state of 64 bits, so that a run can be replayed.
struct Jitter: Equatable, Sendable {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    /// Returns a random number from zero on, below `end`.
    mutating func number(below end: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % end
    }

    /// Returns a length between a half and one and a half times as long.
    mutating func around(_ length: Duration) -> Duration {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return length / 2 + length * Int(state >> 54) / 1024
    }
}
