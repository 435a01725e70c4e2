import Wire

/// A job on its way through the pool: how urgent it is, since when it waits, and what went wrong with it.
struct Ticket: Equatable, Sendable {
    var job: LayoutJob
    /// As it came, and as it is counted.
    let lane: Lane
    /// Where it waits: what takes the place of a more urgent job is as urgent.
    var urgency: Lane
    /// When it came; a newer job of the same message keeps it.
    var since: Moment
    /// Workers that were lost while they certainly worked on it, and on nothing else.
    var strikes = 0
    /// Workers that were lost when it was next, alone, and that had not said that they begin.
    var doubts = 0
    /// A worker was lost that had it in hand, with others: it travels alone until it is done.
    var isSuspect = false
    /// In which walk through the messages that were there before the edition it was found.
    var walk: Int?
    /// It lay on the shelf, there.
    var replayOf: ShelfPlace?

    init(job: LayoutJob, lane: Lane, since: Moment) {
        (self.job, self.lane, self.since) = (job, lane, since)
        urgency = lane
    }

    /// Whether it takes the place of a job of its message that waits: it is newer, or the same and of a walk that began later.
    func replaces(_ other: Ticket) -> Bool {
        guard other.job.number == job.number else { return other.job.number < job.number }
        guard let walk, let otherWalk = other.walk else { return false }
        return otherWalk < walk
    }

    /// About as much memory as it takes.
    var bytes: Int {
        switch job.work {
        case .layOut(let state): 256 + state.body.content.count + (state.reactions?.count ?? 0)
        case .amend, .remove: 256
        }
    }
}
