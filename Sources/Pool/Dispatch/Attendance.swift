import Wire

/// Whether somebody lays out the edition that readers are served: without, what is accepted is shown to nobody.
struct Attendance: Equatable, Sendable {
    /// Since when nobody does; nil while somebody does.
    private(set) var absence: Moment?
    private(set) var isTold = false

    enum News: Equatable, Sendable {
        case unattended
        case attended
    }

    /// What an operator should hear: that nobody was there for a while, and that somebody is again.
    mutating func look(isAttended: Bool, at now: Moment, patience: Duration) -> News? {
        guard !isAttended else {
            absence = nil
            guard isTold else { return nil }
            isTold = false
            return .attended
        }
        let since = absence ?? now
        absence = since
        guard !isTold, since + patience <= now else { return nil }
        isTold = true
        return .unattended
    }
}

extension Dispatcher {
    /// How many workers lay out what readers are shown: the served edition, and the one that fills it. At 0, what is accepted stays
    /// hidden: no service is healthy then.
    package var servedWorkers: Int {
        let shown = [service?.current, service?.filler].compactMap { $0.flatMap(desk(of:)) }
        return shown.reduce(0) { $0 + editions[$1].workers }
    }

    mutating func lookForWorkers() {
        guard let served = service?.current else { return }
        switch attendance.look(isAttended: servedWorkers > 0, at: now, patience: limits.absence) {
        case .unattended: perform(.report(.unattended(served)))
        case .attended: perform(.report(.attended(served)))
        case nil: break
        }
    }
}
