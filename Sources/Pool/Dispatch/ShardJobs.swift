import Names
import Wire

/// One shard of the journal in one edition: which of its jobs are done, and where the others come from.
struct ShardJobs: Equatable, Sendable {
    private(set) var done: DoneJobs
    private(set) var feed: Feed
    /// Through messages that were there before the edition; nil when all of them are laid out.
    private(set) var walk: Walk?
    /// Messages that readers look at, that have no row yet, and that are to be asked of the journal.
    private(set) var wishes: [MessageNumber] = []
    /// Those, and all that were asked of it and have no row yet.
    private(set) var wished: Set<MessageNumber> = []
    /// Something ended in it since its progress was recorded.
    var isDirty = false

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

        var isIdle: Bool { remaining == 0 && !isAsked }
    }

    /// As the journal knows it: all that is not done comes from there.
    init(_ known: ShardProgress?) {
        done = DoneJobs(through: known?.through ?? .zero, beyond: known?.beyond ?? [])
        feed = .behind(after: JobNumber(done.through), isAsked: false)
        walk = known?.walkedTo.map { Walk(0, after: $0) }
    }

    /// Of a new edition beside one that is served: what is laid out in that is walked through.
    init(besides served: ShardJobs, latest: JobNumber) {
        let through = JobNumber(served.done.through)
        done = DoneJobs(through: through)
        feed = through >= latest ? .live : .behind(after: through, isAsked: false)
        walk = Walk(0)
        isDirty = true
    }

    /// Whether the journal is to be asked for more.
    var wantsPage: Bool {
        if case .behind(_, false) = feed { return true }
        return walk?.isIdle ?? false || !wishes.isEmpty
    }

    /// - Returns: how many of them were not done before.
    mutating func finish(_ jobs: Range<UInt64>) -> Int {
        guard !jobs.isEmpty else { return 0 }
        isDirty = true
        return done.finish(jobs.lowerBound...jobs.upperBound - 1)
    }

    /// Memory is full: this job, and all after it, come from the journal.
    mutating func fallBehind(at job: JobNumber) { feed = .behind(after: JobNumber(job.number - 1), isAsked: false) }

    /// All that is not done comes from the journal again.
    mutating func readAnew() {
        feed = .behind(after: JobNumber(done.through), isAsked: false)
        (wishes, wished) = ([], [])
    }

    mutating func ask(after job: JobNumber) { feed = .behind(after: job, isAsked: true) }

    mutating func come(to job: JobNumber, of latest: JobNumber) {
        feed = job >= latest ? .live : .behind(after: job, isAsked: false)
    }

    /// Readers look at a message: where the walk has not come to it, it is to be laid out before.
    mutating func wish(for message: MessageNumber) {
        guard let walk, message > walk.after, wished.count < Self.mostWished, wished.insert(message).inserted else {
            return
        }
        wishes.append(message)
    }

    private static let mostWished = 1024

    mutating func takeWishes() -> [MessageNumber] {
        defer { wishes = [] }
        return wishes
    }

    /// It has its row, or gets none.
    mutating func fulfil(_ message: MessageNumber) { wished.remove(message) }

    mutating func beginWalk(_ number: Int) { walk = Walk(number) }
    mutating func askForMessages() { walk!.isAsked = true }

    /// A page of the walk has come, with so many jobs.
    mutating func take(_ jobs: [LayoutJob], isLast: Bool) {
        walk!.isAsked = false
        walk!.isLastPage = isLast
        walk!.end = jobs.last?.message ?? walk!.after
        walk!.remaining = jobs.count
    }

    /// A job of the walk is done. Those of a walk before count no more.
    mutating func step(of walk: Int) {
        guard self.walk?.number == walk else { return }
        self.walk!.remaining -= 1
        endPage()
    }

    mutating func endPage() {
        guard var walk, walk.isIdle else { return }
        walk.after = walk.end
        self.walk = walk.isLastPage ? nil : walk
        isDirty = true
    }
}

/// What waits to be written into one file, and what was written and may not be on the disk.
struct FileQueue: Equatable, Sendable {
    var waiting = JobQueue()
    /// In the order of stamps.
    private(set) var unsynced = RingBuffer<Unsynced>()

    struct Unsynced: Equatable, Sendable {
        var stamp: Stamp
        var tickets: [Ticket]
        var since: Moment
    }

    mutating func expect(_ tickets: [Ticket], _ stamp: Stamp, at now: Moment) {
        unsynced.append(Unsynced(stamp: stamp, tickets: tickets, since: now))
    }

    /// The next of those that are on the disk now.
    mutating func take(upTo stamp: Stamp) -> [Ticket]? {
        guard let next = unsynced.first, next.stamp <= stamp else { return nil }
        return unsynced.popFirst()?.tickets
    }

    /// Somebody is asked about it now.
    mutating func noteQuestion(at now: Moment) {
        guard !unsynced.isEmpty else { return }
        unsynced[unsynced.places.lowerBound].since = now
    }

    /// Every job, in no order.
    var all: [Ticket] { waiting.all + unsynced.places.flatMap { unsynced[$0].tickets } }

    /// Whether a job of it is on its way to the disk.
    func isSynced(where isMeant: (Ticket) -> Bool) -> Bool {
        !unsynced.places.contains { unsynced[$0].tickets.contains(where: isMeant) }
    }
}
