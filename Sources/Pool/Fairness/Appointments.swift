/// The times at which refused events are to come again: those of each payer one behind the other, as fast as there is
/// room for them.
///
/// With the same wait for all, refused events come back together, and are refused together: the more wait, the more
/// are refused, until the coordinator does nothing else. Told one behind the other, as many come back in a second as
/// are laid out in one, however many wait.
///
/// That holds up to the longest wait, at which all others come. So this is long enough for crowds, as long as the pool
/// keeps its pace.
package struct Appointments<Payer: Hashable & Sendable>: Equatable, Sendable {
    /// The number of events of each payer that were told to come, and whose time has not come.
    private var expected: [Payer: Double] = [:]
    /// The number of these of all payers.
    private var sum = 0.0
    private var passedAt = Moment.start
    /// The pace of now, or the one of some seconds ago where that was faster.
    private var lately = 0.0
    /// The last time at which no pace was known, or one far below that of the seconds before.
    private var unsteadyAt = Moment.start

    private static var mostPayers: Int { 4096 }
    /// The longest wait, in milliseconds, while the pace is not steady. A longer one leaves room unused: a pool that
    /// was slow, or not there, is as fast as ever by then.
    private static var longest: Int { 5_000 }
    /// The longest wait at a steady pace, which is that of the next seconds, too.
    private static var longestSteady: Int { 30_000 }
    /// The time after which a pace is steady.
    private static var trial: Duration { .seconds(5) }
    /// The time after which most of an earlier pace is forgotten.
    private static var memory: Duration { .seconds(5) }
    /// The part of its pace to which a pool may fall and be steady: of two workers, one is killed now and then.
    private static var leastSteady: Double { 0.25 }
    /// The shortest step of time: a shorter one changes no wait.
    private static var step: Duration { .milliseconds(10) }

    package init() {}

    /// The number of payers of whom refused events are expected.
    package var count: Int { expected.count }

    /// True where refused events of a payer are expected.
    package func areExpected(of payer: Payer) -> Bool { expected[payer] != nil }

    /// Lets those events come whose time has come.
    /// - Parameter pace: the events that are laid out in a second.
    package mutating func pass(to now: Moment, pace: Int) {
        guard pace > 0 else {
            // No pace is known where nothing waits: there is room for everybody.
            (passedAt, unsteadyAt, sum) = (now, now, 0)
            expected.removeAll()
            return
        }
        let time = now.sinceStart - passedAt.sinceStart
        guard time >= Self.step else { return }
        passedAt = now
        let speed = Double(pace)
        lately = max(speed, lately + (speed - lately) * min(1, time / Self.memory))
        if speed < lately * Self.leastSteady { unsteadyAt = now }
        guard !expected.isEmpty else { return }
        let come = speed * (time / .seconds(1)) / Double(expected.count)
        expected = expected.compactMapValues { $0 > come ? $0 - come : nil }
        sum = expected.values.reduce(0, +)
    }

    /// Returns the milliseconds until there is room for one more event of a payer, which is expected then.
    package mutating func next(for payer: Payer, pace: Int) -> Int {
        guard pace > 0 else { return 0 }
        let others = expected[payer, default: 0]
        let wait = time(behind: others, pace: pace)
        guard wait < longestNow else { return longestNow }
        if others > 0 || expected.count < Self.mostPayers {
            expected[payer] = others + 1
            sum += 1
        }
        return wait
    }

    /// The milliseconds until so many events of one payer have come: each payer has the same part of the room. No event
    /// waits for more than all that are expected, as most payers have few.
    private func time(behind others: Double, pace: Int) -> Int {
        let wait = Int(others) * max(expected.count, 1) * 1000 / pace
        return wait < Self.longest ? wait : max(Self.longest, min(wait, Int(sum) * 1000 / pace))
    }

    private var longestNow: Int {
        passedAt.sinceStart - unsteadyAt.sinceStart >= Self.trial ? Self.longestSteady : Self.longest
    }
}
