/// The measurements of a running flood: latencies from the times at which events were due, and counts for each
/// second.
package struct Measures: Sendable {
    /// One second of the flood.
    package struct Second: Equatable, Sendable {
        package var number = 0
        package var sent = 0
        package var accepted = 0
        package var busy = 0
        package var ready = 0
        package var pages = 0
        /// Latencies of this second, in nanoseconds.
        package var ready50: UInt64 = 0
        package var ready99: UInt64 = 0
        package var acknowledged99: UInt64 = 0
        package var fetched99: UInt64 = 0
    }

    package private(set) var acknowledged = Histogram()
    package private(set) var ready = Histogram()
    package private(set) var fetched = Histogram()
    package private(set) var seconds: [Second] = []
    package private(set) var current = Second()
    package private(set) var totals = Second()
    package var repeatedRequests = 0
    /// Events that were due and never sent, as the service took no more.
    package var unsent = 0
    /// Layouts that became readable: all of them, and those that only a reader found because no hint came.
    package private(set) var readyByHint = 0
    package var readByProbe = 0
    package private(set) var rowsRead = 0
    package var refusedPages = 0
    /// Pages that were never answered.
    package var lostPages = 0
    /// Layouts of the first seconds, and of the last ones, by the second in which they became readable. A long flood
    /// says with these whether a service waits longer as more is stored.
    package private(set) var readyFirst = Histogram()
    private var readyLately: [Histogram] = []
    package static let (firstSeconds, lastSeconds) = (20, 60)
    private var (secondAcknowledged, secondReady, secondFetched) = (Histogram(), Histogram(), Histogram())
    /// Latencies of events that were due earlier are not counted.
    private let from: RunTime

    package init(from: RunTime = .start) { self.from = from }

    mutating func sent(_ count: Int, at now: RunTime) {
        turn(to: now)
        current.sent += count
    }

    mutating func acknowledged(_ nanoseconds: UInt64, due: RunTime, at now: RunTime) {
        turn(to: now)
        current.accepted += 1
        secondAcknowledged.record(nanoseconds)
        if due >= from { acknowledged.record(nanoseconds) }
    }

    mutating func busy(at now: RunTime) {
        turn(to: now)
        current.busy += 1
    }

    mutating func ready(_ nanoseconds: UInt64, due: RunTime, at now: RunTime) {
        turn(to: now)
        current.ready += 1
        readyByHint += 1
        secondReady.record(nanoseconds)
        if due >= from { ready.record(nanoseconds) }
    }

    mutating func fetched(_ nanoseconds: UInt64, rows: Int, due: RunTime, at now: RunTime) {
        turn(to: now)
        current.pages += 1
        rowsRead += rows
        secondFetched.record(nanoseconds)
        if due >= from { fetched.record(nanoseconds) }
    }

    /// Closes the seconds that are over.
    package mutating func turn(to now: RunTime) {
        let number = Int(now.nanoseconds / 1_000_000_000)
        while current.number < number { close() }
    }

    private mutating func close() {
        current.ready50 = secondReady.percentile(50)
        current.ready99 = secondReady.percentile(99)
        current.acknowledged99 = secondAcknowledged.percentile(99)
        current.fetched99 = secondFetched.percentile(99)
        totals.add(current)
        if seconds.count < Self.firstSeconds { readyFirst.merge(secondReady) }
        readyLately.append(secondReady)
        if readyLately.count > Self.lastSeconds { readyLately.removeFirst() }
        seconds.append(current)
        if secondAcknowledged.count > 0 { secondAcknowledged = Histogram() }
        if secondReady.count > 0 { secondReady = Histogram() }
        if secondFetched.count > 0 { secondFetched = Histogram() }
        current = Second(number: current.number + 1)
    }

    /// Layouts that became readable in the last minute, or in all seconds of a shorter flood.
    package var readyLast: Histogram {
        readyLately.reduce(into: Histogram()) { $0.merge($1) }
    }

    /// Closes the current second, too.
    package mutating func finish() { close() }
}

extension Measures.Second {
    fileprivate init(number: Int) { self.number = number }

    fileprivate mutating func add(_ other: Self) {
        sent += other.sent
        accepted += other.accepted
        busy += other.busy
        ready += other.ready
        pages += other.pages
    }
}
