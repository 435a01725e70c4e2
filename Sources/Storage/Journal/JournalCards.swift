import Bytes
import Names
import Pool
import Wire

/// What a journal knows of messages: cards of which the log says more than the tables, those that are being merged, and those in the tables;
/// how far each shard has come with its jobs; and the bodies in the log.
struct JournalCards: ~Copyable {
    let tables: JournalTables
    private let questions: ConversationTables.Questions?
    var log: SegmentedLog
    /// Behind which frame the log is not in the tables.
    var mergedTo: LogCursor
    /// The newest job of each shard.
    var latest: [JobNumber]
    var progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    var memory: CardMemory
    /// A memory on its way into the tables.
    var merge: CardMerge?
    var frames = FrameCache()
    /// Bodies whose bytes were not what was stored; each was treated as not retained.
    private(set) var damaged = 0
    /// Whether anything was ever given up: most journals need not look.
    var hasShelf: Bool
    private var cache = CardCache(limit: 16_384)

    /// As the tables have it.
    init(
        _ tables: consuming JournalTables, _ log: consuming SegmentedLog, _ state: JournalOpening.State,
        mergedTo: LogCursor, progress: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) {
        let questions = try ConversationTables.questions(to: tables)
        hasShelf = try tables.database.integer("SELECT EXISTS (SELECT 1 FROM shelf)") != 0
        (self.mergedTo, self.progress, latest) = (mergedTo, progress, state.latest)
        memory = CardMemory(after: state.merged)
        self.questions = questions
        self.tables = tables
        self.log = log
    }

    /// What the table of cards is up to.
    var merged: LogPosition {
        let first = merge?.memory ?? memory
        return LogPosition(first.through.number - Int64(first.entries))
    }

    /// Its card in the tables is another one from now on.
    mutating func forget(_ key: CardKey) { cache.remove(key) }

    mutating func card(_ key: MessageKey) throws(StorageError) -> CardEntry? { try find(CardKey(key))?.entry }

    mutating func find(_ key: CardKey) throws(StorageError) -> StoredCard? {
        if let known = memory.cards[key] { return known }
        return try findMerged(key)
    }

    /// As it was before the entries that are only in memory.
    mutating func findMerged(_ key: CardKey) throws(StorageError) -> StoredCard? {
        if let known = merge?.memory.cards[key] { return known }
        if let known = cache.find(key) { return known }
        guard let found = try tables.card(key) else { return nil }
        cache.put(key, found)
        return found
    }

    mutating func body(at place: LogPosition) throws(StorageError) -> MessageBody? {
        guard let frame = try frame(with: place) else { return nil }
        let range = frame.body(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogBody.body(frame.bytes[range])
        } catch {
            damaged += 1
            return nil
        }
    }

    /// The frame that has the place; nil where it is gone.
    mutating func frame(with place: LogPosition) throws(StorageError) -> LogFrame? {
        if let known = frames.find(place) { return known }
        guard let found = try log.find(place)?.frame else { return nil }
        frames.put(found)
        return found
    }

    /// What an entry changed; nil where that was dropped.
    func change(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        let range = frame.change(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogChange(decoding: frame.bytes[range])
        } catch {
            throw .damaged(path: log.folder, error)
        }
    }

    /// The job that a message needs as its registers stand; nil where it has no row and never had one.
    mutating func job(
        _ number: JobNumber, of card: MessageCard, _ key: MessageKey
    ) throws(StorageError) -> LayoutJob? {
        var work = LayoutJob.Work.remove
        if card.deletion == nil {
            guard let body = card.body, let order = card.order else { return nil }
            if let content = try self.body(at: body.value.at) {
                work = .layOut(
                    MessageState(
                        order: order.value, body: content, status: card.status?.value,
                        reactions: card.shownReactions, revision: body.revision))
            } else {
                work = .amend(order: order.value, status: card.status?.value)
            }
        }
        return LayoutJob(
            number: number, message: card.number, conversation: key.conversation, messageID: key.message, work: work)
    }

    /// The message that a key leads to, over other ids that it has had.
    mutating func message(_ key: MessageKey) throws(StorageError) -> (key: MessageKey, card: MessageCard)? {
        var key = key
        for _ in 0..<8 {
            switch try card(key) {
            case nil: return nil
            case .message(let card): return (key, card)
            case .alias(let other, _): key = MessageKey(key.conversation, other)
            }
        }
        return nil
    }

    /// Of each shard, up to which job all are done in all editions that anything is known of.
    var doneEverywhere: [JobNumber] { latest.indices.map { doneEverywhere(in: Shard(UInt16($0))) } }

    /// All jobs up to this one are done in all editions that anything is known of.
    func doneEverywhere(in shard: Shard) -> JobNumber {
        progress.values.lazy.filter { $0.shard == shard }.map(\.through).min() ?? .zero
    }

    /// Whether no edition that anything is known of waits for the message as it is: neither for its job, nor, as a file is laid out again
    /// or the edition is new, for a walk to come to it.
    func isDone(_ message: MessageCard, _ job: JobNumber, in shard: Shard) -> Bool {
        var isKnown = false
        for (place, progress) in progress where place.shard == shard {
            guard progress.isDone(job), progress.hasWalked(to: message.number) else { return false }
            isKnown = true
        }
        return isKnown
    }
}

// Conversations themselves.
extension JournalCards {
    func conversation(_ id: ConversationID) throws(StorageError) -> (card: ConversationCard, last: LogPosition)? {
        for notes in [memory.notes, merge?.memory.notes] {
            if let standing = notes?.standings[id], let card = standing.card, let last = standing.last {
                return (card, last)
            }
        }
        try tables.enter()
        return try questions?.card(of: id)
    }

    func readPlace(_ key: ReadingKey) throws(StorageError) -> Int64? {
        if let known = memory.notes.readings[key] ?? merge?.memory.notes.readings[key] { return known }
        try tables.enter()
        return try questions?.readPlace(key)
    }
}
