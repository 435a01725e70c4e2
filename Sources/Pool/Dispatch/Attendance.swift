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
