import Wire

/// The leases of an edition's files: the holder and the epoch of each, and all that is known of the file.
///
/// ```text
///  free ──▶ leased under a new epoch ──▶ on the move: nothing more is lent ──▶ leased to its successor
///   ▲                │                                   │
///   └── ended ◀──────┴───────────────────────────────────┘        not writable: rests, and another tries first
/// ```
struct LeaseBook: Equatable, Sendable {
    private(set) var files: Table<FileNumber, FileDesk>

    /// One file, as its last holder left it.
    struct FileDesk: Equatable, Sendable {
        fileprivate(set) var lease: Lease?
        /// The worker that gets it as soon as nothing of it is in flight.
        fileprivate(set) var successor: WorkerSlot?
        /// The number of its batches that are lent.
        fileprivate(set) var flights = 0
        /// The origin of the file; nil before anybody has said it.
        fileprivate(set) var origin: ShardOrigin?
        /// The number of messages that have no row in it, and get none before a newer event, by its last report.
        fileprivate(set) var unavailable = 0
        /// Whether the origin is in doubt: a worker spoke of another file, or maybe nobody has it. The next holder is
        /// to name it.
        fileprivate(set) var isInDoubt = false
        /// The time before which nobody tries again, as it could not be written.
        fileprivate var restsUntil: Moment?
        /// The reason why it could not be written.
        fileprivate var objection: Objection?
        fileprivate var failures = 0
        /// The time at which rows of deleted messages were last taken away from it.
        fileprivate(set) var removedAt: Moment?
        fileprivate(set) var shunned = ShunnedWorkers()
        /// The worker that had it last.
        fileprivate(set) var lastHolder: WorkerHello?
        /// Whether something else is known of it than was recorded.
        fileprivate(set) var isDirty = false

        func rests(_ now: Moment) -> Bool { restsUntil.map { now < $0 } ?? false }
        /// Returns the reason why it rests; nil while it does not.
        func objection(_ now: Moment) -> Objection? { rests(now) ? objection : nil }
        func isHeld(by worker: WorkerSlot) -> Bool { lease?.worker == worker }
    }

    struct Lease: Equatable, Sendable {
        let worker: WorkerSlot
        let epoch: LeaseEpoch
        /// The number of batches that there were under this epoch.
        fileprivate(set) var batches: UInt64 = 0
    }

    /// Makes the book of a new edition.
    init(_ map: FileMap) { files = Table(map.files) { _ in FileDesk() } }

    /// Makes the book of an edition that the journal knows. Nobody knows if the files are still the same.
    init(_ map: FileMap, progress: [ShardProgress]) {
        files = Table(map.files) { file in
            let known = progress.filter { map.file(of: $0.shard) == file }
            var desk = FileDesk()
            desk.origin = known.lazy.compactMap(\.origin).first
            desk.unavailable = known.reduce(0) { $0 + $1.unavailable }
            desk.isInDoubt = desk.origin != nil
            return desk
        }
    }

    /// The number of files that somebody holds.
    var held: Int { files.values.count { $0.lease != nil } }

    /// Gives the file to a worker, under an epoch that is higher than any before.
    mutating func lease(_ file: FileNumber, to worker: WorkerSlot, _ hello: WorkerHello, under epoch: LeaseEpoch) {
        files[file].lease = Lease(worker: worker, epoch: epoch)
        files[file].lastHolder = hello
        files[file].successor = nil
    }

    /// Ends the lease.
    /// - Returns: the worker that had batches under it; these are not waited for.
    mutating func end(_ file: FileNumber) -> WorkerSlot? {
        guard let lease = files[file].lease else { return nil }
        files[file].lease = nil
        guard files[file].flights > 0 else { return nil }
        files[file].flights = 0
        return lease.worker
    }

    mutating func move(_ file: FileNumber, to worker: WorkerSlot?) { files[file].successor = worker }

    /// Takes a worker off as a successor: it gets nothing more.
    mutating func passOver(_ worker: WorkerSlot) {
        for file in files.keys where files[file].successor == worker { files[file].successor = nil }
    }

    /// Counts a batch that is lent.
    /// - Returns: the facts that the batch has of the file.
    mutating func lend(_ file: FileNumber) -> (epoch: LeaseEpoch, place: UInt64, origin: ShardOrigin?) {
        let lease = files[file].lease!
        files[file].lease!.batches += 1
        files[file].flights += 1
        return (lease.epoch, lease.batches, files[file].origin)
    }

    /// Counts a batch that was committed.
    mutating func land(_ file: FileNumber, in origin: ShardOrigin, unavailable: Int) {
        files[file].flights -= 1
        files[file].failures = 0
        files[file].objection = nil
        files[file].isInDoubt = false
        note(unavailable, of: file)
        if files[file].origin == nil { know(origin, of: file) }
    }

    /// Notes that rows of deleted messages were taken away: their words are in the log of the file until its holder has
    /// emptied that.
    mutating func noteRemoval(in file: FileNumber, at now: Moment) { files[file].removedAt = now }

    /// Whether it is the file, as far as is known.
    func isFile(_ origin: ShardOrigin, _ file: FileNumber) -> Bool { files[file].origin.map { $0 == origin } ?? true }

    /// Notes that another file has taken the place of the known one, and has nothing of it.
    mutating func replace(_ file: FileNumber, with origin: ShardOrigin) {
        know(origin, of: file)
        note(0, of: file)
    }

    private mutating func know(_ origin: ShardOrigin, of file: FileNumber) {
        files[file].origin = origin
        files[file].isInDoubt = false
        files[file].isDirty = true
    }

    private mutating func note(_ unavailable: Int, of file: FileNumber) {
        guard unavailable != files[file].unavailable else { return }
        files[file].unavailable = unavailable
        files[file].isDirty = true
    }

    mutating func doubt(_ file: FileNumber) { files[file].isInDoubt = true }

    /// Puts files in doubt, so that their holders look at them, empty their logs, and extend their rows. A file that
    /// nobody has, as nothing waits in it, is given to a worker.
    mutating func doubtKnown(where isMeant: (FileDesk) -> Bool) {
        for file in files.keys where files[file].origin != nil && isMeant(files[file]) { files[file].isInDoubt = true }
    }

    mutating func shun(_ peer: Peer, for file: FileNumber, _ context: DispatchContext) {
        files[file].shunned.add(peer, until: context.now + context.limits.longestBackoff, at: context.now)
    }

    func isShunned(_ peer: Peer, for file: FileNumber, at now: Moment) -> Bool {
        files[file].shunned.contains(peer, at: now)
    }

    mutating func forgetShunned(_ file: FileNumber) { files[file].shunned.forget() }

    /// Lets a file rest that nobody could write, longer each time.
    mutating func rest(
        _ file: FileNumber, of edition: EditionID, _ objection: Objection, _ context: inout DispatchContext
    ) {
        files[file].failures += 1
        let failures = files[file].failures
        files[file].restsUntil = context.now + context.backoff(after: failures)
        files[file].objection = objection
        // Told after 1, 2, 4, 8, … failures.
        guard failures & (failures - 1) == 0 else { return }
        context.report(.blocked(edition, Shard(file.number), objection, by: files[file].lastHolder))
    }

    mutating func forgetRecord() { for file in files.keys { files[file].isDirty = false } }
}
