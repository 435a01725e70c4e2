package import MessageLayout
package import Wire

/// The reducer of a worker: it does one batch at a time, those of a shard in the order they came, and beside it all
/// that has to wait for the disk.
///
/// ```text
///             assign                 lane is free               report
///  (nothing) ───────▶ waiting ───────────────────▶ in hand ───────────────▶ (nothing)
///                        └ introduceYourself: dropped, as that coordinator knows nothing of it
/// ```
///
/// The loop hands `.work` to the lane that lays out, `.sync` and `.tidy` to the one that waits for the disk, and
/// tells their answers as `.done`, `.synced` and `.tidied`.
package struct LayoutWorker: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case heard(CoordinatorWord)
        /// The lane can lay out, from now on.
        case ready
        case done(BatchReport)
        /// The commits in the shard up to there are on the disk; nil when that failed, and is to be tried again.
        case synced(Shard, ShardPoint?)
        case tidied(Shard)
        /// The shard's file was damaged, and is another one now.
        case renewed(Shard, ShardPoint)
        case tick(Moment)
        case stop
    }

    package enum Effect: Equatable, Sendable {
        case say(WorkerWord)
        case work(Batch)
        /// Lays out for these screens, too, from now on.
        case prepare([Target])
        /// Brings the log to the disk, and empties it when it is long.
        case sync(Shard)
        /// Empties the log when it is long; nobody waits for the disk.
        case tidy(Shard)
        /// Leaves: everything that was taken is finished, and nothing more will come.
        case leave
        /// The coordinator does not let this worker in: it ends, and says why.
        case giveUp(Objection)
    }

    package struct Limits: Equatable, Sendable {
        package var credits: UInt16 = 512
        package var beat: Duration = .milliseconds(500)
        /// The time that a commit waits for others that go to the disk with it. Readers see it meanwhile, and the
        /// journal has all that it is made of.
        package var sync: Duration = .milliseconds(100)
        /// Whether anybody waits for the disk.
        package var syncs = false

        package init() {}
    }

    private enum Hand: Equatable, Sendable {
        case free
        case working(BatchID, LeaseEpoch)
    }

    /// The progress of the batches of a shard.
    private struct Turn: Equatable, Sendable {
        var epoch: LeaseEpoch
        var next: UInt64
    }

    private struct Unsynced: Equatable, Sendable {
        var shard: Shard
        var since: Moment
    }

    private let hello: WorkerHello
    private let limits: Limits
    private var now = Moment.start
    private var nextBeat = Moment.start
    private var isReady = false
    private var isLeaving = false
    private var hasLeft = false
    private var hand = Hand.free
    private var waiting: [Batch] = []
    /// The targets that are laid out for beside those of the style.
    package private(set) var added: [Target] = []
    private var turns: [Shard: Turn] = [:]
    /// Shards with commits that are not known to be on the disk, the oldest first.
    private var unsynced: [Unsynced] = []
    /// The shard at the lane that waits for the disk, which may hold its lock.
    private var atDisk: Shard?
    private var nextSync = Moment.start
    /// The time since which the coordinator asks for an introduction, as if there had been none; nil where it does not.
    private var asked: Moment?
    /// Whether the last introduction was that of the release before.
    private var isBrief = false

    private static let restAfterFailure: Duration = .milliseconds(100)
    /// The time of asking after which a coordinator does not understand the introduction.
    private static let longestQuestion: Duration = .seconds(2)

    package init(hello: WorkerHello, limits: Limits = Limits()) {
        (self.hello, self.limits) = (hello, limits)
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .heard(let word): return hear(word)
        case .ready:
            isReady = true
            return [.say(.hello(hello)), .say(beat)]
        case .done(let report):
            let isKnown = settle(report)
            return [.say(.finished(report))] + proceed(beats: !isKnown)
        case .synced(let shard, let point):
            atDisk = nil
            guard let point else {
                soil(shard)
                nextSync = now + Self.restAfterFailure
                return proceed()
            }
            return [.say(.synced(shard, point))] + proceed()
        case .tidied:
            atDisk = nil
            return proceed()
        case .renewed(let shard, let point): return [.say(.synced(shard, point))]
        case .tick(let time):
            now = max(now, time)
            guard isReady, now >= nextBeat else { return proceed() }
            nextBeat = now + limits.beat
            return proceed(beats: true)
        case .stop:
            isLeaving = true
            return proceed(beats: true)
        }
    }

    private mutating func hear(_ word: CoordinatorWord) -> [Effect] {
        if word != .introduceYourself { asked = nil }
        switch word {
        case .pulse(let targets):
            guard targets != added else { return [] }
            added = targets
            return [.prepare(targets)]
        case .introduceYourself:
            guard isReady else { return [] }
            waiting = []
            turns = [:]
            return [.say(.hello(introduction()))] + proceed(beats: true)
        case .assign(let batch):
            guard isReady else { return [] }
            switch take(batch) {
            case .refused: return []
            case .taken: return proceed()
            case .takenForOthers: return proceed(beats: true)
            }
        case .leave:
            isLeaving = true
            return proceed(beats: true)
        case .turnedAway(let objection): return [.giveUp(objection)]
        // For workers that have no folder.
        case .offer, .piece: return []
        }
    }

    /// Returns the introduction. Where the coordinator goes on asking, it is every other time that of the release
    /// before: the coordinator may be of that release.
    private mutating func introduction() -> WorkerHello {
        let since = asked ?? now
        asked = since
        isBrief = now.sinceStart - since.sinceStart >= Self.longestQuestion && !isBrief
        var hello = hello
        if isBrief { hello.engine = nil }
        return hello
    }

    private enum Taking {
        case refused
        case taken
        /// Batches of an earlier lease that waited have gone.
        case takenForOthers
    }

    /// Takes the batches of a lease in their order, each once. The coordinator takes back those that are lost between
    /// two of them.
    private mutating func take(_ batch: Batch) -> Taking {
        let turn = turns[batch.shard]
        if let turn, batch.epoch < turn.epoch { return .refused }
        let next = turn?.epoch == batch.epoch ? turn!.next : 0
        guard batch.place == next, waiting.count < Wire.Limits.batchesPerWorker - 1 else { return .refused }
        // Of an earlier lease: the coordinator has taken them back.
        let before = waiting.count
        waiting.removeAll { $0.shard == batch.shard && $0.epoch < batch.epoch }
        let taking: Taking = waiting.count == before ? .taken : .takenForOthers
        turns[batch.shard] = Turn(epoch: batch.epoch, next: next + 1)
        waiting.append(batch)
        return taking
    }

    /// - Returns: whether the coordinator knows by the report alone what is held now. It does not where a batch ends
    ///   that it has taken back, or where others go with it.
    private mutating func settle(_ report: BatchReport) -> Bool {
        var isKnown = report.isCommitted
        if case .working(_, let epoch) = hand {
            hand = .free
            if !report.isCommitted { forsake(report.shard, epoch) }
            isKnown = isKnown && turns[report.shard]?.epoch == epoch
        }
        if report.isCommitted { soil(report.shard) }
        return isKnown
    }

    /// Drops batches that come after one that was not done, as none may be done before it: nothing more under this
    /// lease.
    private mutating func forsake(_ shard: Shard, _ epoch: LeaseEpoch) {
        waiting.removeAll { $0.shard == shard && $0.epoch == epoch }
        if turns[shard]?.epoch == epoch { turns[shard]!.next = .max }
    }

    /// Gives the lane something to do, and says so before: a loss is blamed on the batch in hand. The coordinator
    /// knows the other batches by its own account and by the reports, so they are told only twice a second: a word
    /// wakes four threads.
    private mutating func proceed(beats: Bool = false) -> [Effect] {
        guard !hasLeft else { return beats ? [.say(beat)] : [] }
        var effects: [Effect] = []
        if let shard = shardToSync {
            unsynced.removeAll { $0.shard == shard }
            atDisk = shard
            effects.append(limits.syncs ? .sync(shard) : .tidy(shard))
        }
        guard hand == .free else { return (beats ? [.say(beat)] : []) + effects }
        if !waiting.isEmpty {
            let batch = waiting.remove(at: waiting.firstIndex { $0.shard != atDisk } ?? 0)
            hand = .working(batch.id, batch.epoch)
            return [.say(beat), .work(batch)] + effects
        }
        if isLeaving, atDisk == nil {
            hasLeft = true
            return [.say(beat), .say(.bye), .leave]
        }
        return (beats ? [.say(beat)] : []) + effects
    }

    /// The shard to sync or tidy, when its commits have waited long enough, or no others will come.
    private var shardToSync: Shard? {
        guard let oldest = unsynced.first, atDisk == nil, now >= nextSync else { return nil }
        let isLast = limits.syncs && isLeaving && waiting.isEmpty && hand == .free
        return isLast || oldest.since + limits.sync <= now ? oldest.shard : nil
    }

    private mutating func soil(_ shard: Shard) {
        guard !unsynced.contains(where: { $0.shard == shard }) else { return }
        unsynced.append(Unsynced(shard: shard, since: now))
    }

    private var beat: WorkerWord {
        var held = waiting.map(\.id)
        var hasStarted = false
        switch hand {
        case .free: break
        case .working(let id, _):
            held.insert(id, at: 0)
            hasStarted = true
        }
        return .beat(
            WorkerBeat(credits: isReady && !isLeaving ? limits.credits : 0, held: held, hasStarted: hasStarted))
    }
}
