import Simulation

/// Which mishap comes when: the same seed gives the same list. What becomes of it depends on the machine, too.
package struct ChaosPlan: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        /// After the start.
        package var time: Duration
        package var mishap: Mishap
    }

    package let seed: UInt64
    package let length: Duration
    /// In the order of time.
    package let entries: [Entry]

    /// Every role is killed, and everything else happens at least once.
    package static let leastKills = Mishap.Role.allCases.count
    /// Before and after the mishaps nothing happens for a while.
    private static let calm: Duration = .seconds(2)
    /// Of so many kills; the other roles share the rest.
    private static let roles: [Mishap.Role] = [
        .worker, .coordinator, .gateway, .serve, .worker, .coordinator, .worker, .coordinator, .worker, .gateway,
    ]
    /// Kills for each round of everything else.
    private static let killsPerRound = 10
    /// Clocks stay within so many seconds of the time: content that is kept for a month must not be too old by any of them.
    private static let clockRange = 12 * 86_400

    /// - Parameter kills: how many processes are killed, the rest besides.
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
