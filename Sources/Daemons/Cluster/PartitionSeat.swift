import Pool
import Replication
import Storage
import Wire

/// A host's part in one partition: its journal, and the requests that wait. It belongs to the driver's thread alone.
final class PartitionSeat {
    let partition: Partition
    var journal: SQLiteJournal
    private var keeper: Bookkeeper
    private var waiting: [Posted] = []
    /// The number of events that wait.
    private var events = 0
    private var turn: ProposedTurn<[(posted: Posted, judgements: [Judgement])]>?

    /// The most events that wait at once.
    private static let most = 8192
    /// Milliseconds until a producer should try again.
    private static let retryAfter = 100

    private struct Posted {
        var request: IngestRequest
        var answer: @Sendable (HostAnswer) -> Void
    }

    init(_ partition: Partition, _ journal: consuming SQLiteJournal, shards: Int) {
        self.partition = partition
        self.journal = journal
        keeper = Bookkeeper(shards: shards)
    }

    func post(_ request: IngestRequest, _ answer: @escaping @Sendable (HostAnswer) -> Void) {
        let posted = Posted(request: request, answer: answer)
        guard events + request.events.count <= Self.most else { return refuse(posted, .full) }
        waiting.append(posted)
        events += request.events.count
    }

    /// A proposal made of the requests that wait, judged against the own journal, which has everything that the log
    /// has; nil where there is none, or it has to wait.
    func judge(at door: Replica.Door) throws -> TurnContent? {
        guard turn == nil, !waiting.isEmpty else { return nil }
        switch door {
        case .wait: return nil
        case .busy: for posted in takeWaiting() { refuse(posted, .cluster) }
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
            (posted: posted, judgements: try keeper.take(posted.request, from: Peer(route: []), in: &journal))
        }
        let closed = keeper.close()
        let content = TurnContent(first: journal.nextPosition, entries: closed.entries, notes: closed.notes)
        let judged = ProposedTurn(content, judgements)
        guard let first = judged.first else {
            answer(judgements, isKept: true)
            return nil
        }
        turn = judged
        return first
    }

    /// - Returns: the next piece of the turn whose piece was on its way.
    func settle(isKept: Bool) -> TurnContent? {
        if let next = turn?.settle(isKept: isKept) { return next }
        if let judged = turn.take() { answer(judged.waiting, isKept: isKept) }
        return nil
    }

    private func answer(_ judged: [(posted: Posted, judgements: [Judgement])], isKept: Bool) {
        for (posted, judgements) in judged {
            posted.answer(
                .answers(
                    judgements.map { isKept ? $0.answer : $0.unkept(retryAfter: Self.retryAfter, reason: .cluster) }))
        }
    }

    private func refuse(_ posted: Posted, _ reason: BusyReason) {
        posted.answer(.answers(posted.request.events.map { _ in .busy(retryAfter: Self.retryAfter, reason: reason) }))
    }
}
