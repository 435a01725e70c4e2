import Wire

/// The watch over the edition that readers are served: while nobody lays it out, accepted messages are shown to nobody.
struct Attendance: Equatable, Sendable {
    /// The time since which nobody lays it out; nil while somebody does.
    private(set) var absence: Moment?
    private(set) var isTold = false
    /// Whether anybody has laid it out since the start.
    private(set) var hasBegun = false

    enum News: Equatable, Sendable {
        case unattended
        case attended
    }

    /// Returns the news for an operator: nobody was there for a while, or somebody is again.
    mutating func look(isAttended: Bool, at now: Moment, patience: Duration) -> News? {
        guard !isAttended else {
            (absence, hasBegun) = (nil, true)
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

/// The watch over the edition that is to be served: until somebody lays it out, a roll goes nowhere.
struct Succession: Equatable, Sendable {
    private var edition: EditionID?
    private var attendance = Attendance()

    /// Whether it has had no workers for a while.
    var isUnattended: Bool { attendance.isTold }

    mutating func look(at next: EditionID?, workers: Int, at now: Moment, patience: Duration) {
        if edition != next { (edition, attendance) = (next, Attendance()) }
        guard next != nil else { return }
        _ = attendance.look(isAttended: workers > 0, at: now, patience: patience)
    }
}
