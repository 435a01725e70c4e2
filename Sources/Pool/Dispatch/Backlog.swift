import Names
import Wire

/// The jobs of one edition, from their acceptance until they are done: those that wait for a file, those that are
/// only in the journal, and those that were written and may not be on the disk.
///
/// Each job belongs to a shard of the journal, which counts the jobs that are done; it waits for the file that has
/// the shard.
struct Backlog: Equatable, Sendable {
    let edition: EditionID
    let map: FileMap
    private(set) var shards: Table<Shard, ShardJobs>
    private(set) var files: Table<FileNumber, FileQueue>
    /// The number of jobs in memory by lane: waiting, lent, or not on the disk.
    private(set) var open = ByLane(0)
    /// The live ones of them that readers see already: they only wait for the disk.
    private(set) var seen = 0
    /// The accepted jobs that are not done, wherever they are.
    private(set) var undone: Int
    /// Whether caretakers have had jobs, which are still to be laid out.
    private(set) var isCaredFor = false
    /// Whether something was deleted since all was done in it.
    private(set) var owesRemoval = false
    /// Whether removals go before all else: nobody lays the edition out, and a caretaker takes deleted messages away.
    private(set) var urgesRemovals = true
    /// The number of the newest page, of all walks.
    private var lastPage = 0

    /// Makes the backlog of an edition that the journal knows.
    init(_ edition: EditionID, _ map: FileMap, progress: [ShardProgress], latest: Table<Shard, JobNumber>) {
        (self.edition, self.map) = (edition, map)
        shards = Table(map.shards) { shard in ShardJobs(progress.first { $0.shard == shard }) }
        files = Table(map.files) { _ in FileQueue() }
        undone = 0
        undone = remaining(latest)
        // The journal knows which of them delete something, and nobody has read it yet.
        owesRemoval = undone > 0
    }

    /// Makes the backlog of a new edition beside the one that is served. A walk goes through the messages that are
    /// laid out there; jobs that are not done there, or come later, come to both, before the walk.
    init(_ edition: EditionID, _ map: FileMap, besides served: Backlog, latest: Table<Shard, JobNumber>) {
        (self.edition, self.map, undone) = (edition, map, 0)
        shards = Table(map.shards) { ShardJobs(besides: served.shards[$0], latest: latest[$0]) }
        files = Table(map.files) { _ in FileQueue() }
        undone = remaining(latest)
    }

    func remaining(_ latest: Table<Shard, JobNumber>) -> Int {
        shards.keys.reduce(0) { $0 + Int(latest[$1].number - shards[$1].done.total) }
    }

    var held: Int { due + open[.relayout] }
    /// The held jobs that were accepted and are not done.
    var due: Int { open[.live] + open[.backfill] }
    var bytes: Int { files.values.reduce(0) { $0 + $1.waiting.bytes } }
    /// The accepted jobs that are only in the journal.
    var lag: Int { max(0, undone - due) }

    func isThrough(atMost limit: Int) -> Bool {
        undone <= limit && shards.values.allSatisfy { $0.walk == nil && $0.feed == .live }
    }

    var isAtRest: Bool {
        undone == 0 && held == 0 && shards.values.allSatisfy { $0.walk == nil }
            && files.values.allSatisfy { $0.unsynced.isEmpty }
    }

    /// Whether all that is accepted for a file comes to its queue by itself.
    func isFed(_ file: FileNumber) -> Bool { map.shards(of: file).allSatisfy { shards[$0].feed == .live } }

    func hasWaiting(_ lane: Lane) -> Bool { files.values.contains { !$0.waiting.isEmpty(lane) } }
    func waits(for file: FileNumber, in lane: Lane) -> Int { files[file].waiting.counts[lane] }
}

/// Jobs that come.
extension Backlog {
    /// - Parameter hasCaretakersAlone: whether nobody lays the edition out, and jobs wait for another one. A removal
    ///   waits for none of these, also where there are more of them than are held in memory.
    mutating func accept(
        _ due: DueJob, in shard: Shard, hasCaretakersAlone: Bool = false, _ context: inout DispatchContext
    ) {
        undone += 1
        let isRemoval = due.job.work == .remove
        if isRemoval { owesRemoval = true }
        let isUrgent = isRemoval && hasCaretakersAlone && held < context.limits.jobs + context.limits.page
        guard shards[shard].feed == .live && held < context.limits.jobs || isUrgent else {
            return shards[shard].leave(due.job.number, isRemoval: isRemoval)
        }
        enqueue(Ticket(job: due.job, shard: shard, lane: due.lane, since: context.now), &context)
    }

    /// Takes a page of jobs that the journal has and memory lacks. A job that it does not name is done, or there with
    /// a newer number.
    mutating func take(_ page: JobPage, of shard: Shard, latest: JobNumber, _ context: inout DispatchContext) {
        guard case .behind(let after, _) = shards[shard].feed else { return }
        var next = after.number + 1
        for due in page.jobs {
            finish(next, upTo: due.job.number.number, of: shard)
            next = due.job.number.number + 1
            if isWaiting(due.job, in: shard) { continue }
            enqueue(Ticket(job: due.job, shard: shard, lane: due.lane, since: context.now), &context)
        }
        finish(next, upTo: page.through.number + 1, of: shard)
        shards[shard].come(to: page.through, of: latest)
    }

    /// Takes a page in which removals were sought: these wait for no room, and the others for their turn.
    mutating func take(
        removals page: JobPage, of shard: Shard, latest: JobNumber, _ context: inout DispatchContext
    ) {
        guard case .behind = shards[shard].feed else { return }
        for due in page.jobs where due.job.work == .remove && !isWaiting(due.job, in: shard) {
            enqueue(Ticket(job: due.job, shard: shard, lane: due.lane, since: context.now), &context)
        }
        shards[shard].sought(to: page.through, of: latest)
    }

    /// Whether the very job waits already, as a removal does that did not wait for its page.
    private func isWaiting(_ job: LayoutJob, in shard: Shard) -> Bool {
        guard let known = files[map.file(of: shard)].waiting.job(of: job.message) else { return false }
        return known.number == job.number && known.page == nil
    }

    /// Takes a page of messages that were there before the edition.
    mutating func take(_ jobs: [LayoutJob], of shard: Shard, _ context: inout DispatchContext) {
        let isLast = jobs.count < context.limits.page
        walk(shard, with: jobs, &context) { walk, page in walk.take(jobs, as: page, isLast: isLast) }
    }

    /// Takes a page of the newest messages, for a file that was lost.
    mutating func take(_ page: RecentPage, of shard: Shard, _ context: inout DispatchContext) {
        guard shards[shard].walk?.recent != nil else { return }
        walk(shard, with: page.jobs, &context) { walk, number in walk.take(page, as: number) }
    }

    private mutating func walk(
        _ shard: Shard, with jobs: [LayoutJob], _ context: inout DispatchContext,
        _ take: (inout ShardJobs.Walk, _ page: Int) -> Void
    ) {
        guard shards[shard].walk?.isAsked ?? false else { return }
        lastPage += 1
        let page = lastPage
        shards[shard].walk { walk in take(&walk, page) }
        for job in jobs {
            var ticket = Ticket(job: job, shard: shard, lane: .relayout, since: context.now)
            ticket.page = page
            enqueue(ticket, &context)
        }
    }

    /// Takes messages that readers look at, before the walk comes to them.
    mutating func take(
        wished jobs: [LayoutJob], asked: [MessageNumber], of shard: Shard, _ context: inout DispatchContext
    ) {
        // For the others there is nothing to lay out.
        let known = Set(jobs.map(\.message))
        for message in asked where !known.contains(message) { shards[shard].fulfil(message) }
        for job in jobs {
            // An accepted job comes by itself, in its turn, or is there and only waits for the disk.
            guard shards[shard].done.contains(job.number) else {
                let isSeen = !files[map.file(of: shard)].isSynced { $0.message == job.message }
                if isSeen { shards[shard].fulfil(job.message) }
                continue
            }
            var ticket = Ticket(job: job, shard: shard, lane: .relayout, since: context.now)
            ticket.page = Ticket.wishedPage
            ticket.urgency = .live
            enqueue(ticket, &context)
        }
    }

    /// Takes messages whose rows may be wrong: they are made again, before all that waits.
    mutating func take(doubted jobs: [LayoutJob], of shard: Shard, _ context: inout DispatchContext) {
        for job in jobs {
            // A message that is kept without its content cannot be made again.
            guard case .layOut = job.work else { continue }
            var ticket = Ticket(job: job, shard: shard, lane: .relayout, since: context.now)
            ticket.page = Ticket.wishedPage
            ticket.urgency = .live
            ticket.isDoubted = true
            enqueue(ticket, &context)
        }
    }

    mutating func enqueue(_ ticket: Ticket, _ context: inout DispatchContext) {
        let file = map.file(of: ticket.shard)
        open[ticket.lane] += 1
        if let needless = files[file].waiting.append(ticket) {
            context.counters.superseded += 1
            giveWay(needless, in: file, &context)
        }
        if urgesRemovals, ticket.job.work == .remove {
            files[file].waiting.urge(ticket.message, unless: context.paused)
        }
    }

    /// Asks the journal for as many jobs as there is room for.
    mutating func fetch(walks: Bool, _ context: inout DispatchContext) {
        for shard in shards.keys where shards[shard].wantsPage(context.limits) { fetch(shard, walks: walks, &context) }
    }

    private mutating func fetch(_ shard: Shard, walks: Bool, _ context: inout DispatchContext) {
        let page = context.limits.page
        let file = map.file(of: shard)
        // A page of a walk, which may be paused, takes no room from newer jobs.
        let hasRoom = due + page <= context.limits.jobs
        // Where only caretakers read them, there may be a removal behind all that wait for another edition.
        if case .behind(let after, false) = shards[shard].feed, hasRoom,
            !walks || files[file].waiting.due(unless: context.paused) < page * (map.shards / map.files)
        {
            shards[shard].ask(after: after)
            context.perform(.fetchUnfinished(edition, shard, after: after, limit: page))
        }
        if !walks, !hasRoom, held < context.limits.jobs + page, let after = shards[shard].soughtAfter {
            shards[shard].seek()
            context.perform(.fetchRemovals(edition, shard, after: after, limit: page))
        }
        // Only when all newer jobs are here: a walk must not bring one of them before those that it should come after.
        guard walks, shards[shard].feed == .live else { return }
        walkOn(shard, &context)
        if !shards[shard].wishes.isEmpty, !context.paused[.relayout] {
            context.perform(.fetchWished(edition, shard, shards[shard].takeWishes()))
        }
    }

    private mutating func walkOn(_ shard: Shard, _ context: inout DispatchContext) {
        guard let walk = shards[shard].walk, walk.wantsPage(atMost: context.limits.pagesOfWalk) else { return }
        let page = context.limits.page
        if let recent = walk.recent {
            shards[shard].walk { $0.ask() }
            context.perform(.fetchRecent(edition, shard, after: recent, limit: page))
        } else if !map.shards(of: map.file(of: shard)).contains(where: { shards[$0].walk?.recent != nil }) {
            shards[shard].walk { $0.ask() }
            context.perform(.fetchMessages(edition, shard, after: walk.end, limit: page))
        }
    }

    /// Forgets the jobs that wait for the file; they come from the journal again.
    mutating func readAnew(_ file: FileNumber) {
        for ticket in files[file].waiting.all { open[ticket.lane] -= 1 }
        files[file].waiting = JobQueue()
        for shard in map.shards(of: file) { shards[shard].readAnew() }
    }

    /// Lays a file out again that is another one than before. The messages of the old one come from the journal
    /// again, and so do the jobs that wait: first the last messages of each conversation, as readers open these, and
    /// then all by their numbers. The journal knows an old job of a message that was removed since as such, and a new
    /// file does not.
    mutating func rebuild(_ file: FileNumber, _ context: inout DispatchContext) {
        for shard in map.shards(of: file) { shards[shard].beginWalk() }
        settle(file, upTo: Stamp(.max), &context)
        readAnew(file)
    }
}

/// Jobs on their way.
extension Backlog {
    mutating func takeBatch(for file: FileNumber, _ lane: Lane, jobs: Int, bytes: Int) -> [Ticket] {
        files[file].waiting.takeBatch(lane, jobs: jobs, bytes: bytes)
    }

    /// Puts jobs that have waited long enough to the front of their lane.
    mutating func wake(_ context: inout DispatchContext) {
        for file in files.keys where files[file].waiting.delayedCount > 0 {
            let delayed = files[file].waiting.delayedCount
            for needless in files[file].waiting.wake(context.now) { giveWay(needless, in: file, &context) }
            if urgesRemovals, files[file].waiting.delayedCount < delayed {
                urgeRemovals(in: file, unless: context.paused)
            }
        }
    }

    mutating func urge(_ message: MessageNumber, in shard: Shard, _ context: DispatchContext) {
        files[map.file(of: shard)].waiting.urge(message, unless: context.paused)
    }

    mutating func wish(for message: MessageNumber, in shard: Shard) { shards[shard].wish(for: message) }

    /// Whether no walk through earlier messages is to come, or on its way.
    var isWalked: Bool { shards.values.allSatisfy { $0.walk == nil } }

    /// Puts removals before all else from now on, with those that wait: they do not wait behind jobs that a caretaker
    /// leaves for the filler.
    mutating func urgeRemovals(_ context: DispatchContext) {
        urgesRemovals = true
        for file in files.keys { urgeRemovals(in: file, unless: context.paused) }
    }

    private mutating func urgeRemovals(in file: FileNumber, unless paused: ByLane<Bool>) {
        for ticket in files[file].waiting.all where ticket.job.work == .remove {
            files[file].waiting.urge(ticket.message, unless: paused)
        }
    }

    mutating func stopUrgingRemovals() { urgesRemovals = false }

    /// Puts jobs back to the front. One that may have brought a worker down waits for a while, and one with too many
    /// strikes goes on the shelf.
    mutating func putBack(_ tickets: [Ticket], for file: FileNumber, _ context: inout DispatchContext) {
        var ready: [Ticket] = []
        for ticket in tickets {
            let lost = ticket.strikes + ticket.doubts
            if ticket.strikes >= context.limits.strikes || ticket.doubts >= context.limits.doubts {
                shelve(ticket, Objection("\(lost) workers were lost while they laid it out"), &context)
            } else if lost > 0 {
                context.counters.retried += 1
                let until = context.now + context.backoff(after: lost)
                if let needless = files[file].waiting.delay(ticket, until: until) {
                    giveWay(needless, in: file, &context)
                }
            } else {
                ready.append(ticket)
            }
        }
        for needless in files[file].waiting.putBack(ready) { giveWay(needless, in: file, &context) }
        if urgesRemovals { urgeRemovals(in: file, unless: context.paused) }
    }

    /// Takes jobs whose rows readers see now, and returns the number of live ones.
    mutating func see(
        _ stored: [Ticket], in file: FileNumber, _ stamp: Stamp, _ context: inout DispatchContext
    ) -> Int {
        guard !stored.isEmpty else { return 0 }
        for ticket in stored {
            shards[ticket.shard].fulfil(ticket.message)
            if ticket.lane == .live { context.ready.record(context.now.sinceStart - ticket.since.sinceStart) }
        }
        let rows = stored.map {
            DispatchEffect.ReadyRow(
                conversation: $0.job.conversation, message: $0.job.messageID, revision: $0.job.work.revision,
                shard: $0.shard, stamp: stamp)
        }
        context.perform(.ready(rows, edition))
        let live = stored.count { $0.lane == .live }
        if context.limits.waitsForDisk {
            seen += live
            files[file].expect(stored, stamp, at: context.now)
        } else {
            end(stored, &context)
        }
        return live
    }

    /// Ends the jobs that were committed in the file up to a stamp, as that is on the disk.
    mutating func settle(_ file: FileNumber, upTo stamp: Stamp, _ context: inout DispatchContext) {
        while let tickets = files[file].take(upTo: stamp) {
            seen -= tickets.count { $0.lane == .live }
            end(tickets, &context)
        }
    }

    mutating func noteQuestion(about file: FileNumber, at now: Moment) { files[file].noteQuestion(at: now) }

    private mutating func end(_ tickets: [Ticket], _ context: inout DispatchContext) {
        let span = tickets.span
        for place in span.indices { finish(span[place], &context) }
        context.counters.stored += tickets.count
    }
}

/// Jobs that end.
extension Backlog {
    /// Ends a job that gave way to another one of its message. Where that is the same job, as a page or an operator
    /// may bring it once more, it is still to be done.
    private mutating func giveWay(_ ticket: Ticket, in file: FileNumber, _ context: inout DispatchContext) {
        guard ticket.page == nil, files[file].waiting.job(of: ticket.message)?.number == ticket.number else {
            return finish(ticket, &context)
        }
        open[ticket.lane] -= 1
    }

    /// Ends a job, one way or another.
    private mutating func finish(_ ticket: Ticket, _ context: inout DispatchContext) {
        open[ticket.lane] -= 1
        if let place = ticket.replayOf { context.note.unshelved.append(place) }
        // A job of a page counts for the walk alone: where it is newer than the edition, it has come to the edition
        // by itself.
        if let page = ticket.page { return shards[ticket.shard].walk { $0.step(of: page) } }
        finish(ticket.number.number, upTo: ticket.number.number + 1, of: ticket.shard)
    }

    private mutating func finish(_ first: UInt64, upTo end: UInt64, of shard: Shard) {
        guard first < end else { return }
        undone -= shards[shard].finish(first..<end)
    }

    /// Gives a job up; in the books it is done.
    mutating func shelve(_ ticket: Ticket, _ reason: Objection, _ context: inout DispatchContext) {
        let place = ShelfPlace(edition: edition, shard: ticket.shard, job: ticket.number)
        let job = ShelvedJob(
            place: place, message: ticket.message,
            key: MessageKey(ticket.job.conversation, ticket.job.messageID), reason: reason)
        context.counters.shelved += 1
        context.report(.shelved(job))
        shards[ticket.shard].fulfil(ticket.message)
        finish(ticket, &context)
        context.note.shelved.append(job)
        context.note.unshelved.removeAll { $0 == place }
    }

    /// Releases jobs that a caretaker has done as far as it can: for the edition they stay undone, and come again for
    /// a worker that lays out.
    mutating func release(_ tickets: [Ticket]) {
        for ticket in tickets { open[ticket.lane] -= 1 }
        isCaredFor = true
    }

    /// Reads the jobs that caretakers left undone from the journal, for a worker that lays out.
    mutating func takeOver() {
        if isCaredFor { for file in files.keys { readAnew(file) } }
        isCaredFor = false
    }

    mutating func forgetRemovals() { owesRemoval = false }
    mutating func forgetRecord() { for shard in shards.keys { shards[shard].isDirty = false } }

    /// Whether the edition has the message as this job makes it, or a later state, as far as is seen here. The job
    /// also counts as done when a newer one took its place: that one must not be on its way, as it may be where this
    /// edition is ahead of the one in which the job waits.
    func shows(_ ticket: Ticket) -> Bool {
        let shard = shards[ticket.shard]
        let file = files[map.file(of: ticket.shard)]
        guard shard.done.contains(ticket.number), shard.feed == .live else { return false }
        if let waiting = file.waiting.job(of: ticket.message), owes(waiting, after: ticket) { return false }
        return file.isSynced { owes($0, after: ticket) }
    }

    /// Whether another job is a newer one of the message, and not done.
    func owes(_ other: Ticket, after ticket: Ticket) -> Bool {
        other.message == ticket.message && other.number > ticket.number
            && !shards[ticket.shard].done.contains(other.number)
    }
}
