import MessageLayout

/// Finds the days of moments, and remembers the last day: most messages follow one of the same day.
struct DayMemory: Sendable {
    private let zone: TimeZoneRule
    /// Moments, in milliseconds, that are all on one day: between midnights and changes of the clocks.
    private(set) var span: Range<Int64> = 0..<0
    private var day = LocalDay(number: 0)

    init(_ zone: TimeZoneRule) { self.zone = zone }

    @inline(__always)
    mutating func isSameDay(_ first: Int64, _ second: Int64) -> Bool {
        if span.contains(first) && span.contains(second) { return true }
        let day = day(of: first)
        return day == self.day(of: second)
    }

    mutating func day(of milliseconds: Int64) -> LocalDay {
        if !span.contains(milliseconds) { remember(milliseconds) }
        return day
    }

    private mutating func remember(_ milliseconds: Int64) {
        let time = LocalTime(milliseconds: milliseconds, in: zone)
        day = time.day
        let seconds = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
        let midnight = seconds - Int64(time.secondOfDay)
        let clocks = zone.span(around: seconds)
        let (from, to) = (max(midnight, clocks.lowerBound), min(midnight + 86_400, clocks.upperBound))
        // At the ends of the range of integers, nothing is remembered.
        let isFar = milliseconds.magnitude > 1 << 60
        span = isFar ? milliseconds..<milliseconds &+ (milliseconds == .max ? 0 : 1) : from * 1000..<to * 1000
    }
}

extension TimeZoneRule {
    /// The seconds around a moment in which the clocks were not changed.
    fileprivate func span(around seconds: Int64) -> Range<Int64> {
        let next = transitions.firstIndex { $0.fromSeconds > seconds } ?? transitions.count
        let from = next == 0 ? .min : transitions[next - 1].fromSeconds
        return from..<(next == transitions.count ? .max : transitions[next].fromSeconds)
    }
}
