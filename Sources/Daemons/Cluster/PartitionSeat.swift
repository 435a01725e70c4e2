import Pool
import Replication
import Storage
import Wire

/// A host's part in one partition: its replica, its disk, and what producers wait for. Of the driver's thread alone.
final class PartitionSeat {
    let partition: Partition
    var replica: Replica
    var disk: PartitionDisk
    private var keeper: Bookkeeper
    private var waiting: [Posted] = []
    /// Events of those that wait.
    private var events = 0
    private var turn: JudgedTurn?

    /// Events that wait at once.
    private static let most = 8192
    /// Milliseconds until somebody should try again.
    private static let retryAfter = 100
    /// Bytes of the entries of a turn: half a record, as a single entry may be longer than what is left.
    private static let piece = LogBounds.record / 2

    private struct Posted {
        var request: IngestRequest
        var answer: @Sendable (HostAnswer) -> Void
    }

    private struct JudgedTurn {
        /// Turns that are not in the log yet; the first is on its way.
        var pieces: [TurnContent]
        var judgements: [(posted: Posted, judgements: [Judgement])]
    }

    init(_ partition: Partition, _ plan: HostPlan, _ disk: consuming PartitionDisk, at now: Moment) {
        self.partition = partition
        replica = Replica(
            partition, of: plan.host, among: plan.hosts, endpoints: plan.endpoints, trail: disk.trail, end: disk.end,
            keys: disk.keys, wiped: disk.wiped, limits: plan.limits, at: now)
        keeper = Bookkeeper(shards: plan.map.shards)
        self.disk = disk
    }

    func post(_ request: IngestRequest, _ answer: @escaping @Sendable (HostAnswer) -> Void) {
        let posted = Posted(request: request, answer: answer)
        guard events + request.events.count <= Self.most else { return refuse(posted, .full) }
        waiting.append(posted)
        events += request.events.count
    }

    /// Proposal out of what waits, judged against the own journal, which has all that the log has; nil where there is nothing, or it has to
    /// wait.
    func judge() throws -> TurnContent? {
        guard turn == nil, !waiting.isEmpty else { return nil }
        switch replica.door {
        case .wait: return nil
        case .busy: for posted in takeWaiting() { refuse(posted, .disk) }
        case .elsewhere(let owner): for posted in takeWaiting() { posted.answer(.elsewhere(owner)) }
        case .open: return try open(takeWaiting())
        }
        return nil
    }

    private func takeWaiting() -> [Posted] {
        defer { (waiting, events) = ([], 0) }
        return waiting
    }

    private func open(_ posts: [Posted]) throws -> TurnContent? {
        let room = IngestRoom(live: Self.most, backfill: Self.most, retryAfter: Self.retryAfter)
        keeper.open(room: room, at: WallClock.now)
        let judgements = try posts.map { posted in
            (posted: posted, judgements: try keeper.take(posted.request, from: Peer(route: []), in: &disk.journal))
        }
        let closed = keeper.close()
        let content = TurnContent(first: disk.end, entries: closed.entries, notes: closed.notes)
        let judged = JudgedTurn(pieces: content.pieces(atMost: Self.piece), judgements: judgements)
        guard let first = judged.pieces.first else {
            answer(judged, isKept: true)
            return nil
        }
        turn = judged
        return first
    }

    /// The piece that was on its way is in the log and on the own disk, or is not to be answered.
    /// - Returns: the next one.
    func settle(isKept: Bool) -> TurnContent? {
        guard var judged = turn else { return nil }
        judged.pieces.removeFirst()
        if isKept, let next = judged.pieces.first {
            turn = judged
            return next
        }
        turn = nil
        answer(judged, isKept: isKept)
        return nil
    }

    private func answer(_ turn: JudgedTurn, isKept: Bool) {
        for (posted, judgements) in turn.judgements {
            posted.answer(.answers(judgements.map { isKept ? $0.answer : $0.unkept(retryAfter: Self.retryAfter) }))
        }
    }

    private func refuse(_ posted: Posted, _ reason: BusyReason) {
        posted.answer(.answers(posted.request.events.map { _ in .busy(retryAfter: Self.retryAfter, reason: reason) }))
    }
}

extension TurnContent {
    /// Place behind it where the journal goes on.
    var next: LogPosition { LogPosition(first.number + Int64(entries.count + notes.count)) }
}
