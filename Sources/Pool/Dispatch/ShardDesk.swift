import MessageLayout
import Names
import Wire

/// One shard in one edition: what waits in it, who has it, and what is done.
struct ShardDesk: Equatable, Sendable {
    var queue = JobQueue()
    var done: DoneJobs
    var feed: Feed
    /// Through messages that were there before the edition; nil when all of them are laid out.
    var walk: Walk?
    var lease: Lease?
    /// Who gets it as soon as nothing of it is in flight.
    var successor: Int?
    /// Batches of it that are lent.
    var flights = 0
    /// Committed, and maybe not on the disk: in the order of stamps.
    var unsynced = RingBuffer<Unsynced>()
    var origin: ShardOrigin?
    /// Messages that have no row in it, and get none until something newer is said of them, as its last report said.
    var unavailable = 0
    /// Somebody spoke of another file, or it may be that nobody has it: whoever gets the shard is to say which file it is.
    var isInDoubt = false
    /// It could not be written: nobody tries before this.
    var restsUntil: Moment?
    var failures = 0
    var shunned = ShunnedWorkers()
    /// Who had it last.
    var lastHolder: WorkerHello?
    /// Something ended in it since its progress was recorded.
    var isDirty = false

    struct Lease: Equatable, Sendable {
        var worker: Int
        var epoch: LeaseEpoch
        /// How many batches there were under this epoch.
        var batches: UInt64 = 0
    }

    /// Where jobs come from.
    enum Feed: Equatable, Sendable {
        /// As they are accepted.
        case live
        /// From the journal, page by page: more were accepted than are held in memory. All up to this one have come.
        case behind(after: JobNumber, isAsked: Bool)
    }

    struct Walk: Equatable, Sendable {
        /// Each begins anew with another number, so that jobs of one before are not counted.
        var number: Int
        /// All messages up to this one are laid out.
        var after: MessageNumber
        /// The last one of the page that is at work.
        var end: MessageNumber
        /// Jobs of the page that are not done.
        var remaining = 0
        var isAsked = false
        var isLastPage = false

        init(_ number: Int, after: MessageNumber = MessageNumber(-1)) {
            (self.number, self.after, end) = (number, after, after)
        }
    }

    struct Unsynced: Equatable, Sendable {
        var stamp: Stamp
        var tickets: [Ticket]
        var since: Moment
    }

    func rests(_ now: Moment) -> Bool { restsUntil.map { now < $0 } ?? false }

    /// Whether a batch of the lane could go to the worker.
    func lends(_ lane: Lane, to worker: Int, atMost flights: Int, atLeast jobs: Int) -> Bool {
        lease?.worker == worker && successor == nil && self.flights < flights
            && queue.counts[Int(lane.rawValue)] >= jobs
    }

    /// Whether something waits, in a lane that is not paused, for a worker that is not there.
    func needsWorker(_ paused: [Bool], _ now: Moment) -> Bool {
        guard lease == nil, queue.hasReady(paused) || !unsynced.isEmpty || isUnanswered else { return false }
        return !rests(now)
    }

    /// Whether it is in doubt which file there is, and no batch with jobs will ask: each names the file that it is for.
    private var isUnanswered: Bool { isInDoubt && queue.count == 0 && feed == .live }

    /// Whether its holder is to be asked about what was committed, maybe by another, and has not reached the disk; or about its
    /// file.
    func isForgotten(by worker: Int, before moment: Moment) -> Bool {
        guard let lease, lease.worker == worker, flights == 0 else { return false }
        if isUnanswered { return true }
        guard !unsynced.isEmpty else { return false }
        return lease.batches == 0 || unsynced.first.map { $0.since < moment } ?? false
    }

    /// Whether the journal is to be asked for more.
    var wantsPage: Bool {
        if case .behind(_, false) = feed { return true }
        return walk.map { $0.remaining == 0 && !$0.isAsked } ?? false
    }
}

/// All shards in one edition.
struct EditionDesk: Equatable, Sendable {
    let id: EditionID
    var name: String
    var shards: [ShardDesk]
    /// Jobs in memory by lane: waiting, lent, or not on the disk.
    var open = [Int](repeating: 0, count: Lane.allCases.count)
    /// Live ones of them that readers see already: they only wait for the disk.
    var seen = 0
    /// Accepted jobs that are not done, wherever they are.
    var undone: Int
    /// Those that lay out.
    var workers = 0
    /// Those that only take away what has changed.
    var caretakers = 0
    /// Caretakers have had jobs, which are still to be laid out.
    var isCaredFor = false
    /// Something was deleted since all was done in it.
    var owesRemoval = false
    /// Whether the journal knows of it. Of what was laid out before, the next coordinator would not know that it is there, nor tell it
    /// what is deleted meanwhile.
    var isRecorded = true
    /// Those of its style.
    var targets: [Target] = []
    /// When it goes, if another took its place.
    var retiresAt: Moment?

    var isAttended: Bool { workers + caretakers > 0 }
    var held: Int { due + open[2] }
    /// Of those that are held, what was accepted and is not done.
    var due: Int { open[0] + open[1] }
    var bytes: Int { shards.reduce(0) { $0 + $1.queue.bytes } }
    /// Accepted jobs that are only in the journal.
    var lag: Int { max(0, undone - due) }

    func isThrough(atMost limit: Int) -> Bool {
        undone <= limit && shards.allSatisfy { $0.walk == nil && $0.feed == .live }
    }
}
