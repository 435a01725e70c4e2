import Wire

/// Workers without the folder, and the batches that are with them before their holders get them.
///
/// ```text
///  lent to its holder, in the order of the lease
///        │ somebody elsewhere has room                     rows came, or none in time, or their maker is lost
///        ├──────────────▶ away: laid out elsewhere ─────────────────────────────────────────────┐
///        └ nobody has ────────────────────────────────────────────────────────────────────────▶ sent to its holder,
///                                                                                                in that same order
/// ```
///
/// A lease, its epoch and its order are the holder's as ever: rows from elsewhere only spare it the layout. The batch
/// is laid out and stored beside the folder, whatever becomes of their maker. So nothing can be lost here.
struct RemoteDesk: Equatable, Sendable {
    private(set) var remotes: [RemoteState] = []
    /// The batches that their holders have not been sent, in the order in which they were lent.
    private var drafts: [Draft] = []
    /// The workers that left lately: their rows are still there.
    private var gone: [RemoteState] = []
    /// The shards of which some workers make the rows; those that are not here make the rows of all.
    var shards: [Peer: Set<Shard>] = [:]

    /// Whether any such worker was here since the start.
    private var hasHelped = false

    private static let mostGone = 32

    /// A batch that its holder has not been sent.
    private struct Draft: Equatable, Sendable {
        var batch: Batch
        let holder: WorkerSlot
        /// The worker that lays it out; nil where none does any more, or none was asked.
        var maker: Peer?
        var since: Moment
        /// The places of jobs that are to be laid out beside the folder, too.
        var checks: [UInt16]

        func isFor(_ holder: WorkerSlot, _ shard: Shard) -> Bool { self.holder == holder && batch.shard == shard }
    }

    /// A batch that may go to its holder.
    struct Release {
        var batch: Batch
        var holder: WorkerSlot
        /// The worker that made the rows that are with it.
        var maker: Peer?
    }

    var isIdle: Bool { remotes.isEmpty && drafts.isEmpty }
    /// Returns the number of batches of a file that may be on their way for workers elsewhere, beside the usual ones.
    func allowance(_ limits: DispatchLimits) -> Int { isIdle && !hasHelped ? 0 : limits.mostBatchesAway }

    func place(of peer: Peer) -> Int? { remotes.firstIndex { $0.peer == peer } }
    func count(of edition: EditionSlot) -> Int { remotes.count { $0.edition == edition } }

    mutating func add(_ remote: RemoteState) {
        remotes.append(remote)
        hasHelped = true
    }

    /// Has the batch laid out elsewhere first, where a worker can; or keeps it behind those of its file that are.
    ///
    /// - Parameters:
    ///   - isOwn: whether it has a job that only the holder is trusted with.
    ///   - rows: the rows of the jobs that lay out, with their places.
    /// - Returns: false where the holder gets it at once.
    mutating func take(
        _ batch: Batch, isOwn: Bool, rows: [(place: UInt16, row: RemoteTrust.Row)], for holder: WorkerSlot,
        _ hello: WorkerHello, of edition: EditionSlot, _ context: inout DispatchContext
    ) -> Bool {
        let remote = isOwn || rows.isEmpty ? nil : idlest(for: rows.map(\.row), hello.engine, edition)
        guard remote != nil || drafts.contains(where: { $0.isFor(holder, batch.shard) }) else { return false }
        var draft = Draft(batch: batch, holder: holder, since: context.now, checks: [])
        if let remote {
            draft.maker = remotes[remote].peer
            draft.checks = remotes[remote].lend(batch.id, rows, &context)
            context.say(.assign(batch), to: remotes[remote].peer)
        }
        drafts.append(draft)
        return true
    }

    /// Returns the worker with the fewest jobs, of those that have room and make rows equal to the holder's.
    private func idlest(for rows: [RemoteTrust.Row], _ engine: EngineFacts?, _ edition: EditionSlot) -> Int? {
        let able = remotes.indices.filter { place in
            guard remotes[place].edition == edition, remotes[place].room >= rows.count,
                remotes[place].hello.engine == engine
            else { return false }
            guard let shards = shards[remotes[place].peer] else { return true }
            return rows.allSatisfy { shards.contains($0.shard) }
        }
        return able.min { remotes[$0].lentJobs < remotes[$1].lentJobs }
    }

    /// Takes the batches that may go to their holders now, in their order.
    mutating func takeReleased() -> [Release] {
        guard drafts.contains(where: { $0.maker == nil || $0.batch.made != nil }) else { return [] }
        var released: [Release] = []
        var kept: [Draft] = []
        for draft in drafts {
            let waits = draft.maker != nil && draft.batch.made == nil
            if waits || kept.contains(where: { $0.isFor(draft.holder, draft.batch.shard) }) {
                kept.append(draft)
            } else {
                released.append(Release(batch: draft.batch, holder: draft.holder, maker: draft.maker))
            }
        }
        drafts = kept
        return released
    }

    /// Drops the batches of a file whose lease is broken: its jobs come back in another way.
    mutating func drop(_ file: FileNumber, of holder: WorkerSlot) {
        if !drafts.isEmpty { drafts.removeAll { $0.isFor(holder, Shard(file.number)) } }
    }

    /// Takes rows that came; those of a batch that nobody waits for any more change nothing.
    mutating func take(_ rows: [UInt8], of batch: BatchID, from place: Int) {
        let made = remotes[place].end(batch)
        guard let draft = drafts.firstIndex(where: { $0.batch.id == batch && $0.maker == remotes[place].peer }) else {
            return
        }
        guard !rows.isEmpty, rows.count <= Limits.madeRows else { return drafts[draft].maker = nil }
        remotes[place].trust.note(made)
        drafts[draft].batch.made = MadeRows(bytes: rows, checks: drafts[draft].checks)
    }

    mutating func hear(_ beat: WorkerBeat, from place: Int, _ context: DispatchContext) {
        for lost in remotes[place].hear(beat, before: context.now - context.limits.delivery) { giveUp { $0 == lost } }
    }

    mutating func hear(at place: Int, _ now: Moment) { remotes[place].heard = now }

    /// Removes a worker: nothing more comes from it, and no row that it made is sent on.
    @discardableResult
    mutating func remove(_ place: Int) -> RemoteState {
        let remote = takeOut(place)
        if remote.trust.asked > 0 {
            if gone.count == Self.mostGone { gone.removeFirst() }
            gone.append(remote)
        }
        return remote
    }

    private mutating func takeOut(_ place: Int) -> RemoteState {
        let remote = remotes.remove(at: place)
        for draft in drafts.indices where drafts[draft].maker == remote.peer {
            drafts[draft].maker = nil
            drafts[draft].batch.made = nil
        }
        return remote
    }

    /// Returns a worker that is there, or was lately.
    func known(_ peer: Peer) -> RemoteState? { (remotes + gone).first { $0.peer == peer } }

    /// Removes all workers under a key, and returns them, those that have left included.
    mutating func removeAll(under name: String) -> [RemoteState] {
        var all = gone.filter { $0.hello.keyName == name }
        gone.removeAll { $0.hello.keyName == name }
        while let place = remotes.firstIndex(where: { $0.hello.keyName == name }) { all.append(takeOut(place)) }
        return all
    }

    /// Removes workers that say nothing any more; a batch that takes too long is laid out beside the folder.
    mutating func expire(_ context: inout DispatchContext) {
        guard !remotes.isEmpty || !drafts.isEmpty else { return }
        while let silent = remotes.firstIndex(where: { $0.heard + context.limits.silence < context.now }) {
            let remote = remove(silent)
            context.counters.lost += 1
            context.report(.workerLost(remote.peer, .silent, jobs: remote.lentJobs))
        }
        let latest = context.now - context.limits.away
        for draft in drafts.indices where drafts[draft].since < latest && drafts[draft].batch.made == nil {
            drafts[draft].maker = nil
        }
    }

    private mutating func giveUp(where isMeant: (BatchID) -> Bool) {
        for draft in drafts.indices where isMeant(drafts[draft].batch.id) && drafts[draft].batch.made == nil {
            drafts[draft].maker = nil
        }
    }

    /// Sends workers away whose edition is gone, or whose rows are not those of its own workers.
    /// - Parameter engine: the engine of the workers of an edition; nil where it is not known yet.
    mutating func keep(
        where isThere: (EditionSlot) -> Bool, _ engine: (EditionID) -> EngineFacts?, _ context: inout DispatchContext
    ) -> [(WorkerHello, Objection)] {
        var others: [(WorkerHello, Objection)] = []
        for place in remotes.indices.reversed() {
            let remote = remotes[place]
            if !isThere(remote.edition) {
                context.say(.leave, to: remote.peer)
                remove(place)
            } else if let objection = Entrance.objection(
                to: remote.hello.engine, besides: engine(remote.hello.edition))
            {
                context.say(.turnedAway(objection), to: remote.peer)
                others.append((remote.hello, objection))
                remove(place)
            }
        }
        return others
    }

    func pulse(_ context: inout DispatchContext) {
        for remote in remotes { context.say(.pulse(context.added), to: remote.peer) }
    }

    mutating func forgiveSilence(at now: Moment) {
        for place in remotes.indices { remotes[place].heard = now }
        for draft in drafts.indices { drafts[draft].since = now }
    }
}

/// A worker without the folder, as the dispatcher knows it.
struct RemoteState: Equatable, Sendable {
    let peer: Peer
    let hello: WorkerHello
    let edition: EditionSlot
    var heard: Moment
    private(set) var credits = 0
    private(set) var times = StageTimes()
    private var lent: [Lent] = []
    var trust = RemoteTrust()

    private struct Lent: Equatable, Sendable {
        var batch: BatchID
        var rows: [RemoteTrust.Row]
        var since: Moment
    }

    init(_ hello: WorkerHello, _ peer: Peer, of edition: EditionSlot, at now: Moment) {
        (self.hello, self.peer, self.edition, heard) = (hello, peer, edition, now)
    }

    var lentJobs: Int { lent.reduce(0) { $0 + $1.rows.count } }
    var room: Int { lent.count >= Limits.batchesPerWorker - 1 ? 0 : credits - lentJobs }

    /// - Returns: the places of jobs whose rows are to be looked at.
    mutating func lend(
        _ batch: BatchID, _ rows: [(place: UInt16, row: RemoteTrust.Row)], _ context: inout DispatchContext
    ) -> [UInt16] {
        lent.append(Lent(batch: batch, rows: rows.map(\.row), since: context.now))
        return trust.choose(among: rows.count, &context).map { rows[$0].place }
    }

    /// - Returns: the rows that it was asked for.
    mutating func end(_ batch: BatchID) -> [RemoteTrust.Row] {
        guard let place = lent.firstIndex(where: { $0.batch == batch }) else { return [] }
        return lent.remove(at: place).rows
    }

    /// - Returns: the batches that it does not know after so long.
    mutating func hear(_ beat: WorkerBeat, before moment: Moment) -> [BatchID] {
        (credits, times) = (Int(beat.credits), beat.times)
        let lost = lent.filter { $0.since < moment && !beat.held.contains($0.batch) }.map(\.batch)
        lent.removeAll { lost.contains($0.batch) }
        return lost
    }
}
