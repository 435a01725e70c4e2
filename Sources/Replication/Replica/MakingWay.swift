import Pool

/// The time in which other hosts do not count on a journal, as that of another host may take its place. It is that of a
/// log that goes on beside a lost one, and that of the lost one itself.
///
/// ```text
///  told to make way ──▶ marks say "lost", an owner offers its log ──▶ told again ──▶ … the journal is replaced
///                                      not told for a minute, or the log lacks what the journal has: over
/// ```
///
/// It ends by itself, as nobody can say that a copy will not come: its host may refuse it, or be gone. When it begins
/// anew, others have counted on the journal meanwhile, so a copy from before is too old (`SharedJournal`).
struct MakingWay: Equatable, Sendable {
    /// The last record of the log that others may take this host to have.
    let anchor: LogAnchor
    let since: Moment
    /// The end, unless it is told again; nil for a lost replica, whose time ends when it goes on.
    var end: Moment?
    /// The time from which on an owner offers its log again.
    private var nextOffer: Moment

    init(behind anchor: LogAnchor, at now: Moment) { (self.anchor, since, nextOffer) = (anchor, now, now) }

    func holds(at now: Moment) -> Bool { end.map { now <= $0 } ?? true }

    /// Goes on from now.
    /// - Returns: whether an owner is to offer its log to another host. It takes no turns for a second then.
    mutating func renew(at now: Moment, _ limits: ReplicationLimits) -> Bool {
        end = now + limits.makingWay
        guard now >= nextOffer else { return false }
        nextOffer = now + limits.copying
        return true
    }
}
