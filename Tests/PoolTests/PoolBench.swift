import Names
import Pool
import Wire

/// A dispatcher with workers that do what they are told, in few words.
struct PoolBench {
    var dispatcher: Dispatcher
    var time = Moment.start
    var effects: [Dispatcher.Effect] = []
    private var numbers: [Int: UInt64] = [:]

    static let edition = try! EditionID("aa")

    init(
        shards: Int = 1, standing: Standing? = nil, served: Bool = true, folder: FolderProof? = nil,
        isBeyondPrevious: Bool = false, _ change: (inout DispatchLimits) -> Void = { _ in }
    ) {
        var limits = DispatchLimits()
        change(&limits)
        let fresh = Standing(
            service: served ? EditionService(current: Self.edition) : nil,
            latest: Array(repeating: .zero, count: shards))
        dispatcher = Dispatcher(
            term: 3, standing: standing ?? fresh, limits: limits, folder: folder, isBeyondPrevious: isBeyondPrevious)
        if served, standing == nil { answerPages() }
    }

    @discardableResult
    mutating func tell(_ event: Dispatcher.Event) -> [Dispatcher.Effect] {
        effects = dispatcher.handle(event)
        return effects
    }

    /// Answers with empty pages for all shards, as a journal without jobs does.
    mutating func answerPages() {
        for shard in dispatcher.status.editions.first?.shards.indices ?? 0..<0 {
            tell(.unfinished(JobPage(jobs: [], through: .zero), Self.edition, Shard(UInt16(shard))))
        }
    }

    @discardableResult
    mutating func turn(after seconds: Double = 0.001) -> [Dispatcher.Effect] {
        time = time + .seconds(seconds)
        return tell(.turn(time))
    }

    /// Lets time pass in steps that no stopped process would take, while these workers beat.
    mutating func pass(_ seconds: Double, beating: [(peer: Peer, held: [BatchID])] = []) -> [Dispatcher.Effect] {
        var all: [Dispatcher.Effect] = []
        for _ in 0..<Int(seconds / 0.25) {
            for (peer, held) in beating { all += beat(peer, held: held, started: !held.isEmpty) }
            all += turn(after: 0.25)
        }
        return all
    }

    mutating func join(
        _ number: UInt8, edition: EditionID = PoolBench.edition, credits: UInt16 = 512, folder: FolderProof? = nil
    ) -> [Dispatcher.Effect] {
        let hello = WorkerHello(
            edition: edition, editionName: "plain", process: Int32(number), machine: "here", folder: folder)
        return tell(.heard(.hello(hello), from: peer(number))) + beat(peer(number), credits: credits) + turn()
    }

    mutating func beat(
        _ peer: Peer, credits: UInt16 = 512, held: [BatchID] = [], started: Bool = false
    ) -> [Dispatcher.Effect] {
        tell(.heard(.beat(WorkerBeat(credits: credits, held: held, hasStarted: started)), from: peer))
    }

    /// Accepts jobs of messages of these numbers, in a turn that ends.
    mutating func accept(
        _ messages: Int64..., conversation: String = "c", lane: Lane = .live
    ) throws -> [Dispatcher.Effect] {
        try accept(messages, conversation: conversation, lane: lane)
    }

    mutating func accept(
        _ messages: [Int64], conversation: String = "c", lane: Lane = .live
    ) throws -> [Dispatcher.Effect] {
        let jobs = try messages.map { DueJob(try next($0, conversation), lane: lane) }
        return tell(.accepted(jobs)) + turn()
    }

    private mutating func next(_ message: Int64, _ conversation: String) throws -> LayoutJob {
        let name = try ConversationID(conversation)
        let shard = Int(Shard(of: name, among: dispatcher.shardCount).number)
        numbers[shard, default: 0] += 1
        return try layoutJob(numbers[shard]!, message, conversation)
    }

    /// Reports that the worker did all of the batch.
    @discardableResult
    mutating func finish(
        _ batch: Batch, by number: UInt8, stamp: UInt64 = 1, origin: UInt64 = 1,
        _ outcome: LayoutResult.Outcome = .stored
    ) -> [Dispatcher.Effect] {
        let results = batch.jobs.map { LayoutResult(job: $0.number, outcome: outcome) }
        let end = BatchReport.End.committed(Stamp(stamp), ShardOrigin(origin), results)
        return tell(.heard(.finished(BatchReport(batch: batch.id, shard: batch.shard, end: end)), from: peer(number)))
            + turn()
    }

    mutating func end(_ batch: Batch, by number: UInt8, _ end: BatchReport.End) -> [Dispatcher.Effect] {
        tell(.heard(.finished(BatchReport(batch: batch.id, shard: batch.shard, end: end)), from: peer(number)))
    }

    /// The record that the journal would get now.
    mutating func record() -> PoolRecord {
        turn(after: 0.2)
        let record = dispatcher.record
        tell(.recorded)
        return record
    }
}

func layoutJob(_ number: UInt64, _ message: Int64, _ conversation: String = "c", text: String = "hello") throws
    -> LayoutJob
{
    let body = MessageBody(
        sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText(text))
    return LayoutJob(
        number: JobNumber(number), message: MessageNumber(message), conversation: try ConversationID(conversation),
        messageID: try MessageID("m\(message)"),
        work: .layOut(MessageState(order: message, body: body, revision: Revision(1))))
}

extension [Dispatcher.Effect] {
    var batches: [(batch: Batch, to: Peer)] {
        compactMap { if case .say(.assign(let batch), let peer) = $0 { (batch, peer) } else { nil } }
    }
    var batch: Batch? { batches.count == 1 ? batches[0].batch : nil }
    var notices: [Dispatcher.Notice] { compactMap { if case .report(let notice) = $0 { notice } else { nil } } }
    var shelved: [ShelvedJob] { notices.compactMap { if case .shelved(let job) = $0 { job } else { nil } } }
}

extension Batch {
    var messages: [Int64] { jobs.map(\.message.number) }
}
