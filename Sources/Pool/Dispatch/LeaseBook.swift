import Wire

/// Who has which file of an edition, under which epoch, and what is known of the file.
///
/// ```text
///  free ──▶ leased under a new epoch ──▶ on the move: nothing more is lent ──▶ leased to its successor
///   ▲                │                                   │
///   └── ended ◀──────┴───────────────────────────────────┘        could not be written: rests, and somebody else tries first
/// ```
struct LeaseBook: Equatable, Sendable {
    private(set) var files: Table<FileNumber, FileDesk>

    /// One file, as its last holder left it.
    struct FileDesk: Equatable, Sendable {
        fileprivate(set) var lease: Lease?
        /// Who gets it as soon as nothing of it is in flight.
        fileprivate(set) var successor: WorkerSlot?
        /// Batches of it that are lent.
        fileprivate(set) var flights = 0
        /// Which file it is; nil before anybody has said so.
        fileprivate(set) var origin: ShardOrigin?
        /// Messages that have no row in it, and get none until something newer is said of them, as its last report said.
        fileprivate(set) var unavailable = 0
        /// Somebody spoke of another file, or it may be that nobody has it: whoever gets it is to say which file it is.
        fileprivate(set) var isInDoubt = false
        /// It could not be written: nobody tries before this.
        fileprivate var restsUntil: Moment?
        /// Why it could not be written.
        fileprivate var objection: Objection?
        fileprivate var failures = 0
        fileprivate(set) var shunned = ShunnedWorkers()
        /// Who had it last.
        fileprivate(set) var lastHolder: WorkerHello?
        /// Something else is known of it than was recorded.
        fileprivate(set) var isDirty = false

        func rests(_ now: Moment) -> Bool { restsUntil.map { now < $0 } ?? false }
        /// Why it rests; nil while it does not.
        func objection(_ now: Moment) -> Objection? { rests(now) ? objection : nil }
        func isHeld(by worker: WorkerSlot) -> Bool { lease?.worker == worker }
    }

    struct Lease: Equatable, Sendable {
        let worker: WorkerSlot
        let epoch: LeaseEpoch
        /// How many batches there were under this epoch.
        fileprivate(set) var batches: UInt64 = 0
    }

    /// Of a new edition.
    init(_ map: FileMap) { files = Table(map.files) { _ in FileDesk() } }

    /// As the journal knows it. Nobody knows what became of the files meanwhile.
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

    /// Gives the file to a worker, under an epoch that is higher than any before.
    mutating func lease(_ file: FileNumber, to worker: WorkerSlot, _ hello: WorkerHello, under epoch: LeaseEpoch) {
        files[file].lease = Lease(worker: worker, epoch: epoch)
        files[file].lastHolder = hello
        files[file].successor = nil
    }

    /// Ends the lease.
    /// - Returns: who had batches under it, which are not to be waited for.
    mutating func end(_ file: FileNumber) -> WorkerSlot? {
        guard let lease = files[file].lease else { return nil }
        files[file].lease = nil
        guard files[file].flights > 0 else { return nil }
        files[file].flights = 0
        return lease.worker
    }

    mutating func move(_ file: FileNumber, to worker: WorkerSlot?) { files[file].successor = worker }

    /// The worker gets nothing more.
    mutating func passOver(_ worker: WorkerSlot) {
        for file in files.keys where files[file].successor == worker { files[file].successor = nil }
    }

    /// Counts a batch that is lent.
    /// - Returns: what it says of the file.
    mutating func lend(_ file: FileNumber) -> (epoch: LeaseEpoch, place: UInt64, origin: ShardOrigin?) {
        let lease = files[file].lease!
        files[file].lease!.batches += 1
        files[file].flights += 1
        return (lease.epoch, lease.batches, files[file].origin)
    }

    /// A batch was committed.
    mutating func land(_ file: FileNumber, in origin: ShardOrigin, unavailable: Int) {
        files[file].flights -= 1
        files[file].failures = 0
        files[file].objection = nil
        files[file].isInDoubt = false
        note(unavailable, of: file)
        if files[file].origin == nil { know(origin, of: file) }
    }

    /// Whether it is the file, as far as is known.
    func isFile(_ origin: ShardOrigin, _ file: FileNumber) -> Bool { files[file].origin.map { $0 == origin } ?? true }

    /// Another file has taken the place of the one that was known: nothing of that is there.
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

    /// Whoever has a file extends what is there: those that nobody has, as nothing waits in them, are given to somebody.
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

    /// Nobody could write the file: it rests, longer each time.
    mutating func rest(
        _ file: FileNumber, of edition: EditionID, _ objection: Objection, _ context: inout DispatchContext
    ) {
        files[file].failures += 1
        let failures = files[file].failures
        files[file].restsUntil = context.now + context.backoff(after: failures)
        files[file].objection = objection
        // The first time, and then now and then.
        guard failures & (failures - 1) == 0 else { return }
        context.report(.blocked(edition, Shard(file.number), objection, by: files[file].lastHolder))
    }

    mutating func forgetRecord() { for file in files.keys { files[file].isDirty = false } }
}
