import MessageLayout

/// The offsets of one place's clocks from universal time, and the times when they change. The caller takes these from
/// its time-zone database; there is none here.
///
///     let berlin = TimeZoneRule(
///         initialOffset: 3600, transitions: [.init(fromSeconds: 1_774_746_000, offsetSeconds: 7200)])
package struct TimeZoneRule: Hashable, Sendable {
    /// The offset before the first transition.
    package let initialOffset: Int32
    /// Transitions in the order of time.
    package let transitions: [Transition]

    package struct Transition: Hashable, Sendable {
        /// Seconds since 1970, in universal time.
        package var fromSeconds: Int64
        /// Positive to the east.
        package var offsetSeconds: Int32

        package init(fromSeconds: Int64, offsetSeconds: Int32) {
            self.fromSeconds = fromSeconds
            self.offsetSeconds = offsetSeconds
        }
    }

    /// Transitions may come in any order.
    package init(initialOffset: Int32 = 0, transitions: [Transition] = []) {
        self.initialOffset = initialOffset
        self.transitions = transitions.sorted { $0.fromSeconds < $1.fromSeconds }
    }

    package static let universal = TimeZoneRule()

    package func offset(at seconds: Int64) -> Int32 {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].fromSeconds <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initialOffset : transitions[low - 1].offsetSeconds
    }
}
