/// The shares that subjects took lately of something scarce: a subject that has had more than a fair share may not
/// take the last of it, while others want some.
///
/// A share counts half as much after each half-life, so that a producer who was busy a minute ago is as good as any
/// other.
package struct FairShares<Subject: Hashable & Sendable>: Equatable, Sendable {
    private var taken: [Subject: Int] = [:]
    private var sum = 0
    private var halvedAt = Moment.start
    private let halfLife: Duration

    /// The scale of amounts, so that small ones are not lost when they are halved.
    private static var scale: Int { 256 }
    private static var mostSubjects: Int { 4096 }

    package init(halfLife: Duration) { self.halfLife = halfLife }

    /// The number of subjects that took something lately.
    package var count: Int { taken.count }

    package mutating func take(_ amount: Int, by subject: Subject) {
        if taken.count >= Self.mostSubjects, taken[subject] == nil { return }
        taken[subject, default: 0] += amount * Self.scale
        sum += amount * Self.scale
    }

    /// True where a subject has had clearly more than each would have if all had had the same, and is not the only one.
    /// Of subjects that ask for the same, half have had a little more than the others at any time, by chance.
    package func isGreedy(_ subject: Subject) -> Bool {
        guard let own = taken[subject], taken.count > 1 else { return false }
        let fair = sum / taken.count
        return own > fair + fair / 8
    }

    package mutating func pass(to now: Moment) {
        while halvedAt + halfLife <= now {
            guard !taken.isEmpty else {
                halvedAt = now
                return
            }
            halvedAt = halvedAt + halfLife
            taken = taken.compactMapValues { $0 >= 2 ? $0 / 2 : nil }
            sum = taken.values.reduce(0, +)
        }
    }
}
