import Wire

/// A job on its way through the pool: how urgent it is, since when it waits, and what went wrong with it.
struct Ticket: Equatable, Sendable {
    var job: LayoutJob
    var lane: Lane
    /// When it came; a newer job of the same message keeps it.
    var since: Moment
    /// Workers that were lost while they certainly worked on it, and on nothing else.
    var strikes = 0
    /// A worker was lost that had it in hand, with others: it travels alone until it is done.
    var isSuspect = false
    /// It is one of those that were there before the edition.
    var isWalked = false
    /// It lay on the shelf, there.
    var replayOf: ShelfPlace?

    /// About as much memory as it takes.
    var bytes: Int {
        switch job.work {
        case .layOut(let state): 256 + state.body.content.count + (state.reactions?.count ?? 0)
        case .amend, .remove: 256
        }
    }
}
