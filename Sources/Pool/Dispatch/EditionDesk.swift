import MessageLayout
import Wire

/// One edition: its jobs, the leases of its files, and its workers.
struct EditionDesk: Equatable, Sendable {
    let id: EditionID
    private(set) var name: String
    var jobs: Backlog
    var leases: LeaseBook
    /// The number of workers that lay out.
    private(set) var workers = 0
    /// The number of those that only take away rows that have changed.
    private(set) var caretakers = 0
    /// Whether the journal knows of it. No batch is lent before: the next coordinator would not know of the edition,
    /// nor tell it of deletions meanwhile.
    private(set) var isRecorded: Bool
    /// The screens of its style.
    private(set) var targets: [Target] = []
    /// The time at which it goes, if another took its place.
    var retiresAt: Moment?

    /// Makes the desk of an edition that the journal knows: all jobs that are not done come from there.
    init(
        _ id: EditionID, name: String, _ map: FileMap, progress: [ShardProgress], latest: Table<Shard, JobNumber>
    ) {
        let progress = progress.filter { $0.edition == id }
        (self.id, self.name, isRecorded) = (id, name, true)
        jobs = Backlog(id, map, progress: progress, latest: latest)
        leases = LeaseBook(map, progress: progress)
    }

    /// Makes the desk of a new edition beside the one that is served.
    init(
        _ id: EditionID, name: String, _ map: FileMap, besides served: EditionDesk, latest: Table<Shard, JobNumber>
    ) {
        (self.id, self.name, isRecorded) = (id, name, false)
        jobs = Backlog(id, map, besides: served.jobs, latest: latest)
        leases = LeaseBook(map)
    }

    var isAttended: Bool { workers + caretakers > 0 }
    /// Whether nobody lays it out, and caretakers take away what is deleted.
    var hasCaretakersAlone: Bool { workers == 0 && caretakers > 0 }
    var files: LazyMapSequence<Range<Int>, FileNumber> { leases.files.keys }

    mutating func rename(_ name: String) { if !name.isEmpty { self.name = name } }

    mutating func add(_ hello: WorkerHello, _ context: DispatchContext) {
        if hello.isCaretaker {
            caretakers += 1
            if workers == 0 { jobs.urgeRemovals(context) }
        } else {
            workers += 1
            targets = hello.targets
            jobs.stopUrgingRemovals()
        }
    }

    mutating func remove(_ hello: WorkerHello, _ context: DispatchContext) {
        guard !hello.isCaretaker else { return caretakers -= 1 }
        workers -= 1
        if workers == 0 { jobs.urgeRemovals(context) }
    }

    mutating func fetch(_ context: inout DispatchContext) {
        if isAttended { jobs.fetch(walks: workers > 0, &context) }
    }

    /// Lets an edition go soon that has lost its workers, and in which a deleted message may still stand.
    mutating func shortenGrace(_ context: DispatchContext) {
        guard jobs.owesRemoval else { return }
        guard jobs.undone > 0 else { return jobs.forgetRemovals() }
        guard let end = retiresAt, !isAttended else { return }
        retiresAt = min(end, context.now + context.limits.graceOfDeleted)
    }
}

/// Jobs and leases together.
extension EditionDesk {
    /// Whether a batch of the lane could go to the worker.
    func lends(_ file: FileNumber, _ lane: Lane, to worker: WorkerSlot, atMost flights: Int, atLeast jobs: Int) -> Bool
    {
        let desk = leases.files[file]
        return desk.isHeld(by: worker) && desk.successor == nil && desk.flights < flights
            && self.jobs.waits(for: file, in: lane) >= jobs
    }

    /// Whether something waits, in a lane that is not paused, for a worker that is not there.
    func needsWorker(_ file: FileNumber, _ context: DispatchContext) -> Bool {
        let queue = jobs.files[file]
        guard leases.files[file].lease == nil,
            queue.waiting.hasReady(context.paused) || !queue.unsynced.isEmpty || isUnanswered(file, context)
        else { return false }
        return !leases.files[file].rests(context.now)
    }

    /// Whether the origin of the file is in doubt, and no batch with jobs will ask: each names the file that it is for.
    private func isUnanswered(_ file: FileNumber, _ context: DispatchContext) -> Bool {
        leases.files[file].isInDoubt && !jobs.files[file].waiting.hasReady(context.paused) && jobs.isFed(file)
    }

    /// Whether its holder is to be asked about commits, maybe of another, that have not reached the disk; or about
    /// its file.
    func isForgotten(_ file: FileNumber, by worker: WorkerSlot, _ context: DispatchContext) -> Bool {
        let desk = leases.files[file]
        guard let lease = desk.lease, lease.worker == worker, desk.flights == 0 else { return false }
        if isUnanswered(file, context) { return true }
        guard let first = jobs.files[file].unsynced.first else { return false }
        return lease.batches == 0 || first.since < context.now - context.limits.delivery
    }

    /// Settles the commits in the file up to a point, as they are on the disk. A word about another file may be old,
    /// and about one that is lost; or it is the first about one that took its place.
    mutating func settle(_ file: FileNumber, upTo point: ShardPoint, _ context: inout DispatchContext) {
        guard leases.files.contains(file), let origin = leases.files[file].origin else { return }
        guard origin == point.origin else { return leases.doubt(file) }
        jobs.settle(file, upTo: point.stamp, &context)
    }

    mutating func rebuild(_ file: FileNumber, in origin: ShardOrigin, _ context: inout DispatchContext) {
        context.report(.rebuilding(id, Shard(file.number)))
        leases.replace(file, with: origin)
        jobs.rebuild(file, &context)
    }

    /// Takes the results of a batch that was committed.
    /// - Returns: the number of live jobs whose rows readers see by it.
    mutating func finish(
        _ flight: Flight, _ stamp: Stamp, _ results: [LayoutResult], _ context: inout DispatchContext
    ) -> Int {
        if flight.isStored(results) { return jobs.see(flight.tickets, in: flight.file, stamp, &context) }
        var stored: [Ticket] = []
        var back: [Ticket] = []
        var isReturned = false
        for (place, var ticket) in flight.tickets.enumerated() {
            switch flight.outcome(at: place, of: results) {
            case .stored: stored.append(ticket)
            case .returned:
                isReturned = true
                back.append(ticket)
            case .refused(let objection): jobs.shelve(ticket, objection, &context)
            case nil:
                // The worker's report has no result for it.
                ticket.isSuspect = true
                back.append(ticket)
            }
        }
        jobs.putBack(back, for: flight.file, &context)
        if isReturned { leases.rest(flight.file, of: id, Objection("jobs were returned"), &context) }
        return jobs.see(stored, in: flight.file, stamp, &context)
    }
}

/// Whether it may be served.
extension EditionDesk {
    /// Whether it has all that was ever accepted, but for so many jobs that are on their way.
    func isWhole(butFor lacking: Int) -> Bool { jobs.isThrough(atMost: lacking) }

    /// Whether it has the messages that readers look at, and each file for the rest is there. Where a shard is behind,
    /// as in an import, the journal is not asked for such messages yet: then readers are shown the rows that there are.
    /// - Parameter isNew: whether it has no earlier rows. An edition that was left for a while has to have all that
    ///   was accepted meanwhile, as a deleted message may still stand in it.
    func isPresentable(isNew: Bool, butFor lacking: Int) -> Bool {
        guard isNew || jobs.undone <= lacking else { return false }
        return jobs.shards.keys.allSatisfy { shard in
            let own = jobs.shards[shard]
            guard own.feed == .live ? own.wished.isEmpty : isNew else { return false }
            return own.walk == nil || leases.files[jobs.map.file(of: shard)].origin != nil
        }
    }
}

/// The record for the journal.
extension EditionDesk {
    /// The most ranges that are recorded of one shard.
    private static let rangesRecorded = 1024

    /// The progress of the shards in which a job ended since the last record, or of whose file something else is known.
    var progress: [ShardProgress] {
        jobs.shards.keys.compactMap { shard in
            let (desk, number) = (jobs.shards[shard], jobs.map.file(of: shard))
            let file = leases.files[number]
            guard desk.isDirty || file.isDirty else { return nil }
            return ShardProgress(
                edition: id, shard: shard, through: JobNumber(desk.done.through),
                beyond: desk.done.ranges(atMost: Self.rangesRecorded), walkedTo: desk.walk?.after, origin: file.origin,
                unavailable: jobs.map.first(of: number) == shard ? file.unavailable : 0)
        }
    }

    var isDirty: Bool {
        jobs.shards.values.contains(where: \.isDirty) || leases.files.values.contains(where: \.isDirty)
    }

    mutating func forgetRecord() {
        isRecorded = true
        jobs.forgetRecord()
        leases.forgetRecord()
    }
}
