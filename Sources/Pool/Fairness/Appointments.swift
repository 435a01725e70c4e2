/// The times at which refused events are to come again: those of each payer one behind the other, as fast as there is
/// room for them.
///
/// With the same wait for all, refused events come back together, and are refused together: the more wait, the more
/// are refused, until the coordinator does nothing else. Told one behind the other, as many come back in a second as
/// are laid out in one, however many wait.
package struct Appointments<Payer: Hashable & Sendable>: Equatable, Sendable {
    /// The number of events of each payer that were told to come, and whose time has not come.
    private var expected: [Payer: Double] = [:]
    private var passedAt = Moment.start

    private static var mostPayers: Int { 4096 }
    /// The longest wait, in milliseconds. A longer one leaves room unused: a pool that was slow, or not there, is as
    /// fast as ever by then.
    private static var longest: Int { 5_000 }
    /// The shortest step of time: a shorter one changes no wait.
    private static var step: Duration { .milliseconds(10) }

    package init() {}

    /// The number of payers of whom refused events are expected.
    package var count: Int { expected.count }

    /// Lets those events come whose time has come.
    /// - Parameter pace: the events that are laid out in a second.
    package mutating func pass(to now: Moment, pace: Int) {
        guard !expected.isEmpty, pace > 0 else {
            // No pace is known where nothing waits: there is room for everybody.
            passedAt = now
            expected.removeAll()
            return
        }
        let time = now.sinceStart - passedAt.sinceStart
        guard time >= Self.step else { return }
        passedAt = now
        let come = Double(pace) * (time / .seconds(1)) / Double(expected.count)
        expected = expected.compactMapValues { $0 > come ? $0 - come : nil }
    }

    /// Returns the milliseconds until there is room for one more event of a payer, which is expected then.
    package mutating func next(for payer: Payer, pace: Int) -> Int {
        guard pace > 0 else { return 0 }
        let others = expected[payer, default: 0]
        let wait = Int(others) * max(expected.count, 1) * 1000 / pace
        guard wait < Self.longest else { return Self.longest }
        if others > 0 || expected.count < Self.mostPayers { expected[payer] = others + 1 }
        return wait
    }
}
