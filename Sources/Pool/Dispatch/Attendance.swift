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
