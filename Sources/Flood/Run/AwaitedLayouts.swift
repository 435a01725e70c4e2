/// Bodies that were sent and are not known to be readable yet, with the time at which each was due.
package struct AwaitedLayouts: Sendable {
    private struct Wait {
        var event: PlannedEvent
        var due: RunTime
        /// The time at which an event of the message was kept last.
        var keptAt: RunTime?
        var askedAt: RunTime?
        /// Earlier revisions of the same message, which are rare.
        var older: [(revision: UInt32, due: RunTime)] = []
    }

    private var waits: [UInt32: Wait] = [:]

    /// A hint that is this late is made up for by a reader, who asks again after the same time.
    private static let patience: Duration = .seconds(1)

    /// The number of messages.
    package var count: Int { waits.count }

    mutating func add(_ event: PlannedEvent, due: RunTime) {
        guard var wait = waits[event.message] else {
            waits[event.message] = Wait(event: event, due: due)
            return
        }
        let (newer, olderRevision, olderDue) =
            event.revision > wait.event.revision
            ? (event, wait.event.revision, wait.due) : (wait.event, event.revision, due)
        if event.revision > wait.event.revision { wait.due = due }
        wait.event = newer
        wait.older.append((olderRevision, olderDue))
        waits[event.message] = wait
    }

    /// Notes that the service has kept an event. Its hint comes from now on, however long it was refused before.
    mutating func noteKept(_ event: PlannedEvent, at now: RunTime) {
        if event.isLaidOut { waits[event.message]?.keptAt = now }
    }

    /// Takes the bodies that this revision answers, and returns the times at which they were due.
    mutating func take(_ message: UInt32, upTo revision: UInt64) -> [RunTime] {
        guard var wait = waits[message] else { return [] }
        if revision >= wait.event.revision {
            waits[message] = nil
            return [wait.due] + wait.older.map(\.due)
        }
        let known = wait.older.filter { $0.revision <= revision }
        guard !known.isEmpty else { return [] }
        wait.older.removeAll { $0.revision <= revision }
        waits[message] = wait
        return known.map(\.due)
    }

    /// Forgets an event of which no layout will come.
    mutating func forget(_ event: PlannedEvent) {
        guard event.isLaidOut, var wait = waits[event.message] else { return }
        if let place = wait.older.firstIndex(where: { $0.revision == event.revision }) {
            wait.older.remove(at: place)
            waits[event.message] = wait
        } else if wait.event.revision == event.revision {
            guard let newest = wait.older.max(by: { $0.revision < $1.revision }) else {
                waits[event.message] = nil
                return
            }
            wait.older.removeAll { $0.revision == newest.revision }
            wait.event.revision = newest.revision
            wait.due = newest.due
            waits[event.message] = wait
        }
    }

    mutating func forget(_ message: UInt32) { waits[message] = nil }

    mutating func keep(where isKept: (UInt32) -> Bool) { waits = waits.filter { isKept($0.key) } }

    /// The newest bodies whose hints are late; each is returned again after the same time.
    ///
    /// - Parameter order: the place of a message; nil while it has none.
    mutating func unheard(
        at now: RunTime, atMost limit: Int, order: (UInt32) -> Int64?
    ) -> [(PlannedEvent, order: Int64)] {
        var late: [(PlannedEvent, order: Int64)] = []
        for (message, wait) in waits {
            guard late.count < limit else { break }
            let since = wait.askedAt ?? wait.keptAt ?? wait.due
            guard since + Self.patience <= now, let order = order(message) else { continue }
            late.append((wait.event, order))
        }
        // Changed within the loop, all of them would be copied.
        for (event, _) in late { waits[event.message]?.askedAt = now }
        return late
    }
}
