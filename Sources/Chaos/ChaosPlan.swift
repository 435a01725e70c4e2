import Simulation

/// The mishaps of a run and their times: the same seed gives the same list. Their outcome depends on the machine,
/// too.
package struct ChaosPlan: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        /// The time after the start.
        package var time: Duration
        package var mishap: Mishap
    }

    package let seed: UInt64
    package let length: Duration
    /// Sorted by time.
    package let entries: [Entry]

    /// The fewest kills: one of each role. Every other kind of mishap happens at least once, too.
    package static let leastKills = Mishap.Role.allCases.count
    /// The quiet time before the first mishap and after the last one.
    private static let calm: Duration = .seconds(2)
    /// The roles of every ten kills, before all mishaps are shuffled.
    private static let roles: [Mishap.Role] = [
        .worker, .coordinator, .gateway, .serve, .worker, .coordinator, .worker, .coordinator, .worker, .gateway,
    ]
    /// Kills for each round of all other mishaps.
    private static let killsPerRound = 10
    /// The largest offset of a clock, in seconds: content that is kept for a month must not be too old by any clock.
    private static let clockRange = 12 * 86_400

    /// - Parameter kills: the number of processes that are killed; the other mishaps come on top.
    package init(seed: UInt64, length: Duration, kills: Int) {
        var dice = Dice(seed: seed)
        var mishaps = (0..<max(kills, Self.leastKills)).map { Mishap.kill(Self.roles[$0 % Self.roles.count]) }
        for _ in 0..<(mishaps.count + Self.killsPerRound - 1) / Self.killsPerRound {
            mishaps += Self.round(&dice)
        }
        mishaps.shuffle(using: &dice)
        let room = Int(max(length - Self.calm * 2, .seconds(1)) / .milliseconds(1))
        let times = mishaps.map { _ in Self.calm + .milliseconds(Int.random(in: 0..<room, using: &dice)) }.sorted()
        (self.seed, self.length) = (seed, length)
        entries = zip(times, mishaps).map { Entry(time: $0, mishap: $1) }
    }

    private static func round(_ dice: inout Dice) -> [Mishap] {
        // Some shorter than a lease, some longer.
        func time() -> Duration { .milliseconds(Int.random(in: 300...4500, using: &dice)) }
        return [
            .pause(.worker, time()), .pause(.coordinator, time()), .pause(.gateway, time()), .pauseUnderLock(time()),
            .fullDisk(.milliseconds(Int.random(in: 300...2500, using: &dice))), .damagedShard, .cutExamination,
            .lostShard, .clockJump(Int.random(in: -clockRange...clockRange, using: &dice)),
        ]
    }
}
