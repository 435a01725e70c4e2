import Pool

/// A point in the time of a simulated world, in microseconds. The clocks of its processes are made from it.
package struct Instant: Hashable, Comparable, Sendable {
    package var microseconds: Int
    init(_ microseconds: Int) { self.microseconds = microseconds }

    package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    static func + (instant: Instant, microseconds: Int) -> Instant { Instant(instant.microseconds + microseconds) }
    static let start = Instant(0)
    static let never = Instant(.max)

    /// The clock of a process that began at `start`, and whose clock has leapt since.
    func moment(since start: Instant, leap: Int) -> Moment {
        Moment(sinceStart: .microseconds(microseconds - start.microseconds + leap))
    }
}

/// Lengths of time in microseconds.
enum Length {
    static let millisecond = 1000
    static let second = 1_000_000
}
