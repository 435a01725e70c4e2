import Names
import Pool
import Wire

/// A journal in memory, which loses nothing while it lives.
struct MemoryJournal: Journal {
    let term: UInt64 = 7
    var entries: [JournalEntry] = []
    var cards: [MessageKey: CardEntry] = [:]
    var latest: [JobNumber]
    var conversations: [ConversationID: ConversationCard] = [:]
    var readings: [ReadingKey: Int64] = [:]

    init(shards: Int = 16) { latest = Array(repeating: .zero, count: shards) }

    var nextPosition: LogPosition { LogPosition(Int64(entries.count)) }
    func nextJob(in shard: Shard) -> JobNumber { JobNumber(latest[Int(shard.number)].number + 1) }
    func standing() -> Standing { Standing(latest: latest) }
    func card(_ key: MessageKey) -> CardEntry? { cards[key] }
    func conversation(_ id: ConversationID) -> ConversationCard? { conversations[id] }
    func readPlace(_ key: ReadingKey) -> Int64? { readings[key] }
    func body(at place: LogPosition) -> MessageBody? { entries[Int(place.number)].event.body }

    mutating func commit(_ turn: JournalTurn) {
        for entry in turn.entries {
            entries.append(entry)
            for change in entry.cards { cards[change.key] = change.entry }
            for job in entry.jobs {
                let shard = Int(Shard(of: job.conversation, among: latest.count).number)
                precondition(job.number.number == latest[shard].number + 1)
                latest[shard] = job.number
            }
        }
        for note in turn.notes {
            switch note.said {
            case .card(let card): conversations[note.conversation] = card
            case .read(let reader, let order): readings[ReadingKey(note.conversation, reader)] = order
            }
        }
    }

    func unfinished(in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int) -> JobPage {
        JobPage(jobs: [], through: latest[Int(shard.number)])
    }
    func messages(in shard: Shard, after: MessageNumber, limit: Int) -> [LayoutJob] { [] }
    func recent(in shard: Shard, after walk: RecentWalk, limit: Int) -> RecentPage { RecentPage(jobs: [], rest: nil) }
    func shelved(after: ShelfPlace?, limit: Int) -> [ShelvedJob] { [] }
    func job(at place: ShelfPlace) -> LayoutJob? { nil }
}

extension MemoryJournal {
    /// The rows that all jobs leave behind, done in their order: the last job of each message that has a row.
    var rows: [MessageKey: LayoutJob.Work] {
        var rows: [MessageNumber: LayoutJob] = [:]
        for job in entries.flatMap(\.jobs) { rows[job.message] = job.work == .remove ? nil : job }
        return Dictionary(
            uniqueKeysWithValues: rows.values.map { (MessageKey($0.conversation, $0.messageID), $0.work) })
    }
}

extension Bookkeeper {
    /// Judges a request. It never fails, as bodies in memory can always be read.
    mutating func judge(
        _ request: IngestRequest, from peer: Peer, of payer: Payer? = nil, in journal: inout MemoryJournal
    ) -> [Judgement] {
        guard let judgements = try? take(request, from: peer, of: payer, in: &journal) else { preconditionFailure() }
        return judgements
    }
}
