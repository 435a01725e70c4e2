/// A point in the time of one process, as its shell tells it. The core never asks what time it is.
package struct Moment: Hashable, Comparable, Sendable {
    package var sinceStart: Duration
    package init(sinceStart: Duration) { self.sinceStart = sinceStart }
    package static let start = Moment(sinceStart: .zero)
    package static func < (a: Moment, b: Moment) -> Bool { a.sinceStart < b.sinceStart }
    package static func - (moment: Moment, time: Duration) -> Moment { Moment(sinceStart: moment.sinceStart - time) }
    package static func + (moment: Moment, time: Duration) -> Moment { Moment(sinceStart: moment.sinceStart + time) }
}
