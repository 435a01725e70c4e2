import Glibc

/// A schedule of events that does not wait for earlier ones: people do not write later because a server is slow.
///
/// Every latency of a flood is measured from here, so that an event that had to wait for its turn counts with its
/// whole wait.
package struct Arrivals: Sendable {
    package enum Shape: String, CaseIterable, Sendable {
        /// One event after the other, with the same time between them.
        case constant
        /// Events independent of each other, as those of many people are.
        case poisson
        /// All events of a second in its first fifth.
        case burst
    }

    package let shape: Shape
    /// Events a second.
    package let rate: Double
    /// The time at which the next event is due.
    package private(set) var next = RunTime.start
    private var number = 0.0
    private var seconds = 0.0
    private var random: SplitMix

    private static let burst = 0.2

    package init(_ shape: Shape, rate: Double, from start: RunTime = .start, seed: UInt64 = 0) {
        precondition(rate > 0, "nothing ever arrives at a rate of 0")
        (self.shape, self.rate) = (shape, rate)
        self.start = start
        next = start
        random = SplitMix(state: seed)
    }

    private let start: RunTime

    /// Takes an event and returns the time at which it was due; nil when none is due yet.
    package mutating func take(at now: RunTime) -> RunTime? {
        guard next <= now else { return nil }
        defer { advance() }
        return next
    }

    private mutating func advance() {
        number += 1
        switch shape {
        case .constant: seconds = number / rate
        case .poisson: seconds -= log(1 - random.fraction()) / rate
        case .burst:
            let even = number / rate
            seconds = floor(even) + (even - floor(even)) * Self.burst
        }
        next = RunTime(nanoseconds: start.nanoseconds + UInt64(seconds * 1e9))
    }
}

/// A moment of a flood, as the time since its start.
package struct RunTime: Hashable, Comparable, Sendable {
    package var nanoseconds: UInt64
    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }
    package init(seconds: Double) { self.init(nanoseconds: UInt64(max(0, seconds) * 1e9)) }

    package static let start = RunTime(nanoseconds: 0)
    package static func < (a: RunTime, b: RunTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: RunTime, b: Duration) -> RunTime { RunTime(seconds: a.seconds + b / .seconds(1)) }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Nanoseconds since an earlier moment; 0 since a later one.
    package func nanoseconds(since moment: RunTime) -> UInt64 {
        nanoseconds > moment.nanoseconds ? nanoseconds - moment.nanoseconds : 0
    }
}
