import Names
import Wire

/// A job on its way through the pool: its urgency, the time since which it waits, and the workers that it may have
/// brought down.
struct Ticket: Equatable, Sendable {
    let number: JobNumber
    /// The shard of the journal, which gave the number.
    let shard: Shard
    let message: MessageNumber
    /// The approximate bytes of memory that it takes.
    let bytes: Int
    private let box: JobBox
    /// Whether it takes the row of a deleted message away.
    let isRemoval: Bool
    /// The lane in which it came, and in which it is counted.
    let lane: Lane
    /// The lane in which it waits: a job that takes the place of a more urgent one is as urgent.
    var urgency: Lane
    /// The time at which it came; a newer job of the same message keeps it.
    var since: Moment
    /// The number of workers that were lost while they certainly worked on it, and on nothing else.
    var strikes = 0
    /// The number of workers that were lost when it was next, alone, and that had not said that they begin.
    var doubts = 0
    /// Whether a worker was lost that had it in hand, maybe with others: it travels alone until it is done.
    var isSuspect = false
    /// The page in which a walk through earlier messages found it; nil where none did.
    var page: Int?
    /// The page of messages that readers look at, and that no walk has come to: each is before any other, and nobody
    /// counts them.
    static let wishedPage = -1
    /// Whether the row that is there may be wrong, though its key is not.
    var isDoubted = false
    /// The place on the shelf where it lay; nil where it did not.
    var replayOf: ShelfPlace?

    init(job: LayoutJob, shard: Shard, lane: Lane, since: Moment) {
        (number, message, box) = (job.number, job.message, .job(job))
        (self.shard, self.lane, self.since) = (shard, lane, since)
        urgency = lane
        switch job.work {
        case .layOut(let state):
            (bytes, isRemoval) = (256 + state.body.content.count + (state.reactions?.count ?? 0), false)
        case .amend: (bytes, isRemoval) = (256, false)
        case .remove: (bytes, isRemoval) = (256, true)
        }
    }

    var job: LayoutJob {
        switch box {
        case .job(let job): isDoubted ? job.doubted : job
        }
    }

    /// Whether it takes the place of a job of its message that waits: it is newer, or the same and counts for more. A
    /// job that was accepted counts for more than one that was found in a walk, and one of a later page for more than
    /// one of an earlier.
    func replaces(_ other: Ticket) -> Bool {
        guard other.number == number else { return other.number < number }
        guard let otherPage = other.page else { return false }
        return page.map { $0 > otherPage } ?? true
    }
}

extension LayoutJob {
    /// The same job, to be made again whatever is there.
    fileprivate var doubted: LayoutJob {
        guard case .layOut(var state) = work else { return self }
        state.isDoubted = true
        var job = self
        job.work = .layOut(state)
        return job
    }
}

/// A box for a job: one reference, however often the job is copied on its way.
private indirect enum JobBox: Equatable, Sendable {
    case job(LayoutJob)
}
