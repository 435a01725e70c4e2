import Names
import Wire

/// One shard of the journal in one edition: the jobs that are done, and the source of the others.
struct ShardJobs: Equatable, Sendable {
    private(set) var done: DoneJobs
    private(set) var feed: Feed
    /// The search for removals behind jobs that memory has no room for; nil where all removals have come.
    private var search: RemovalSearch? = RemovalSearch()
    /// The walk through messages that were there before the edition; nil when all of them are laid out.
    private(set) var walk: Walk?
    /// The messages that readers look at, that have no row yet, and that are to be asked of the journal.
    private(set) var wishes: [MessageNumber] = []
    /// These, and all that were asked of it and have no row yet.
    private(set) var wished: Set<MessageNumber> = []
    /// Whether a job ended in it since its progress was recorded.
    var isDirty = false

    /// The source of jobs.
    enum Feed: Equatable, Sendable {
        /// Jobs come as they are accepted.
        case live
        /// Jobs come from the journal, page by page: more were accepted than are held in memory. All up to this one
        /// have come.
        case behind(after: JobNumber, isAsked: Bool)
    }

    /// A search through jobs that the feed has not come to: all removals up to one of them have come.
    private struct RemovalSearch: Equatable, Sendable {
        var through = JobNumber.zero
        var isAsked = false
    }

    /// A walk, of which some pages are at work at a time (`DispatchLimits.pagesOfWalk`).
    struct Walk: Equatable, Sendable {
        /// The message up to which all are laid out.
        private(set) var after: MessageNumber
        /// The last one that came in any page.
        private(set) var end: MessageNumber
        /// The progress through the newest messages of each conversation, which come before all others. Nil when all
        /// of them came, or they do not come first.
        private(set) var recent: RecentWalk?
        private(set) var isAsked = false
        private var pages: [Page] = []
        /// Whether no more messages are to come.
        private var isWhole = false

        private struct Page: Equatable, Sendable {
            var number: Int
            var end: MessageNumber
            var remaining: Int
        }

        init(after: MessageNumber = MessageNumber(-1), recent: RecentWalk? = nil) {
            (self.after, end, self.recent) = (after, after, recent)
        }

        func wantsPage(atMost most: Int) -> Bool { !isAsked && !isWhole && pages.count < most }
        var isThrough: Bool { isWhole && pages.isEmpty }

        mutating func ask() { isAsked = true }

        /// Takes a page that has come, with its jobs.
        mutating func take(_ jobs: [LayoutJob], as page: Int, isLast: Bool) {
            (isAsked, isWhole, end) = (false, isLast, jobs.last?.message ?? end)
            begin(page, of: jobs)
        }

        /// Takes a page of the newest messages: nothing is known of those before them.
        mutating func take(_ recent: RecentPage, as page: Int) {
            (isAsked, self.recent) = (false, recent.rest)
            begin(page, of: recent.jobs)
        }

        private mutating func begin(_ page: Int, of jobs: [LayoutJob]) {
            pages.append(Page(number: page, end: end, remaining: jobs.count))
            endPages()
        }

        /// Forgets the pages at work, which are asked for again.
        mutating func turnBack() { (pages, end, isAsked, isWhole) = ([], after, false, false) }

        /// Counts a job of a page as done. Those of a walk before count no more.
        mutating func step(of page: Int) {
            guard let place = pages.firstIndex(where: { $0.number == page }) else { return }
            pages[place].remaining -= 1
            endPages()
        }

        private mutating func endPages() {
            while let first = pages.first, first.remaining == 0 {
                after = first.end
                pages.removeFirst()
            }
        }
    }

    /// Makes a shard that the journal knows: all jobs that are not done come from there.
    init(_ known: ShardProgress?) {
        done = DoneJobs(through: known?.through ?? .zero, beyond: known?.beyond ?? [])
        feed = .behind(after: JobNumber(done.through), isAsked: false)
        // Where no message is laid out, the walk may have been among the newest, and begins there.
        walk = known?.walkedTo.map { Walk(after: $0, recent: $0.number < 0 ? RecentWalk() : nil) }
    }

    /// Makes a shard of a new edition beside the one that is served: a walk goes through the messages that are laid
    /// out there.
    init(besides served: ShardJobs, latest: JobNumber) {
        let through = JobNumber(served.done.through)
        done = DoneJobs(through: through)
        feed = through >= latest ? .live : .behind(after: through, isAsked: false)
        walk = Walk()
        isDirty = true
    }

    /// Whether the journal is to be asked for more.
    func wantsPage(_ limits: DispatchLimits) -> Bool {
        if case .behind(_, false) = feed { return true }
        return walk?.wantsPage(atMost: limits.pagesOfWalk) ?? false || !wishes.isEmpty
    }

    /// - Returns: the number of them that were not done before.
    mutating func finish(_ jobs: Range<UInt64>) -> Int {
        guard !jobs.isEmpty else { return 0 }
        isDirty = true
        return done.finish(jobs.lowerBound...jobs.upperBound - 1)
    }

    /// Leaves a job to the journal, as memory is full, or as jobs before it are only there.
    mutating func leave(_ job: JobNumber, isRemoval: Bool) {
        let before = JobNumber(job.number - 1)
        if feed == .live { (feed, search) = (.behind(after: before, isAsked: false), nil) }
        if isRemoval, search == nil { search = RemovalSearch(through: before) }
    }

    /// The job after which removals are to be sought in the journal; nil where there are none, or a page is asked for.
    var soughtAfter: JobNumber? {
        guard case .behind(let after, false) = feed, let search, !search.isAsked else { return nil }
        return max(after, search.through)
    }

    mutating func seek() { search?.isAsked = true }

    /// Notes that all removals up to a job have come.
    mutating func sought(to job: JobNumber, of latest: JobNumber) {
        search = job >= latest ? nil : RemovalSearch(through: job)
    }

    /// Takes all jobs that are not done from the journal again.
    mutating func readAnew() {
        feed = .behind(after: JobNumber(done.through), isAsked: false)
        search = RemovalSearch()
        walk?.turnBack()
        (wishes, wished) = ([], [])
    }

    mutating func ask(after job: JobNumber) { feed = .behind(after: job, isAsked: true) }

    mutating func come(to job: JobNumber, of latest: JobNumber) {
        feed = job >= latest ? .live : .behind(after: job, isAsked: false)
    }

    /// Notes a message that readers look at: where the walk has not come to it, it is to be laid out before.
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

    /// Ends the wish for a message: it has its row, or gets none.
    mutating func fulfil(_ message: MessageNumber) { wished.remove(message) }

    mutating func beginWalk() { walk = Walk(recent: RecentWalk()) }

    /// Changes the walk.
    mutating func walk(_ change: (inout Walk) -> Void) {
        guard var walk else { return }
        let before = walk.after
        change(&walk)
        if walk.after != before || walk.isThrough { isDirty = true }
        self.walk = walk.isThrough ? nil : walk
    }
}

/// The jobs that wait to be written into one file, and those that were written and may not be on the disk.
struct FileQueue: Equatable, Sendable {
    var waiting = JobQueue()
    /// The commits that may not be on the disk, in the order of stamps.
    private(set) var unsynced = RingBuffer<Unsynced>()

    struct Unsynced: Equatable, Sendable {
        var stamp: Stamp
        var tickets: [Ticket]
        var since: Moment
    }

    mutating func expect(_ tickets: [Ticket], _ stamp: Stamp, at now: Moment) {
        unsynced.append(Unsynced(stamp: stamp, tickets: tickets, since: now))
    }

    /// Takes the jobs of the next commit that is on the disk now.
    mutating func take(upTo stamp: Stamp) -> [Ticket]? {
        guard let next = unsynced.first, next.stamp <= stamp else { return nil }
        return unsynced.popFirst()?.tickets
    }

    /// Notes that a worker is asked about it now.
    mutating func noteQuestion(at now: Moment) {
        guard !unsynced.isEmpty else { return }
        unsynced[unsynced.places.lowerBound].since = now
    }

    /// Every job, in no order.
    var all: [Ticket] { waiting.all + unsynced.places.flatMap { unsynced[$0].tickets } }

    /// Whether none of these jobs is on its way to the disk.
    func isSynced(where isMeant: (Ticket) -> Bool) -> Bool {
        !unsynced.places.contains { unsynced[$0].tickets.contains(where: isMeant) }
    }
}
