import Names
import Wire

/// The additions of one turn to the journal, and the cards as they are with them.
struct LogDraft: Equatable, Sendable {
    private(set) var entries: [JournalEntry] = []
    private(set) var notes: [ConversationNote] = []
    private var cards: [MessageKey: CardEntry] = [:]
    private var jobs: [Shard: UInt64] = [:]
    private var conversations: [ConversationID: ConversationCard] = [:]
    private var readings: [ReadingKey: Int64] = [:]

    func position<Log: Journal & ~Copyable>(in journal: borrowing Log) -> LogPosition {
        LogPosition(journal.nextPosition.number + Int64(entries.count))
    }

    mutating func nextJob<Log: Journal & ~Copyable>(in shard: Shard, _ journal: borrowing Log) -> JobNumber {
        let count = jobs[shard, default: 0]
        jobs[shard] = count + 1
        return JobNumber(journal.nextJob(in: shard).number + count)
    }

    func card<Log: Journal & ~Copyable>(
        _ key: MessageKey, in journal: inout Log
    ) throws(Log.Failure) -> CardEntry? {
        if let drafted = cards[key] { return drafted }
        return try journal.card(key)
    }

    func body<Log: Journal & ~Copyable>(
        at place: LogPosition, in journal: inout Log
    ) throws(Log.Failure) -> MessageBody? {
        let drafted = Int(place.number - journal.nextPosition.number)
        if entries.indices.contains(drafted) { return entries[drafted].event.body }
        return try journal.body(at: place)
    }

    func conversation<Log: Journal & ~Copyable>(
        _ id: ConversationID, in journal: inout Log
    ) throws(Log.Failure) -> ConversationCard? {
        if let drafted = conversations[id] { return drafted }
        return try journal.conversation(id)
    }

    func readPlace<Log: Journal & ~Copyable>(
        _ key: ReadingKey, in journal: inout Log
    ) throws(Log.Failure) -> Int64? {
        if let drafted = readings[key] { return drafted }
        return try journal.readPlace(key)
    }

    /// Empties the draft, and keeps its memory.
    mutating func begin() {
        (entries, notes) = ([], [])
        if !conversations.isEmpty { conversations.removeAll(keepingCapacity: true) }
        if !readings.isEmpty { readings.removeAll(keepingCapacity: true) }
        cards.removeAll(keepingCapacity: true)
        jobs.removeAll(keepingCapacity: true)
    }

    mutating func append(_ entry: JournalEntry) {
        for change in entry.cards { cards[change.key] = change.entry }
        entries.append(entry)
    }

    mutating func append(_ note: ConversationNote) {
        switch note.said {
        case .card(let card): conversations[note.conversation] = card
        case .read(let reader, let order): readings[ReadingKey(note.conversation, reader)] = order
        }
        notes.append(note)
    }
}
