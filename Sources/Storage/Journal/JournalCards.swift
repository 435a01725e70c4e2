import Bytes
import Names
import Pool
import Wire

/// The cards of a journal: those that are newer in the log than in the tables, those that are being merged,
/// and those in the tables; with them the progress of each shard with its jobs, and the bodies in the log.
struct JournalCards: ~Copyable {
    let tables: JournalTables
    private let questions: ConversationTables.Questions?
    var log: SegmentedLog
    /// The frame behind which the log is not in the tables.
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
    /// Whether anything was ever given up; most journals need not look at the shelf.
    var hasShelf: Bool
    private var cache = CardCache(limit: 16_384)

    /// Begins with the state that the tables have.
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

    /// The last entry that is in the table of cards.
    var merged: LogPosition {
        let first = merge?.memory ?? memory
        return LogPosition(first.through.number - Int64(first.entries))
    }

    /// Drops a card from the cache, as the tables have another one from now on.
    mutating func forget(_ key: CardKey) { cache.remove(key) }

    mutating func card(_ key: MessageKey) throws(StorageError) -> CardEntry? { try find(CardKey(key))?.entry }

    mutating func find(_ key: CardKey) throws(StorageError) -> StoredCard? {
        if let known = memory.cards[key] { return known }
        return try findMerged(key)
    }

    /// The card as it was before the entries that are only in memory.
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

    /// The frame that has the place; nil where it is gone, or cannot be read.
    mutating func frame(with place: LogPosition) throws(StorageError) -> LogFrame? {
        if let known = frames.find(place) { return known }
        guard let found = try find(place)?.frame else { return nil }
        frames.put(found)
        return found
    }

    /// The frame that has the place, where it lies. One that cannot be read counts as gone when the tables have its
    /// entries: nothing is to wait for it for ever.
    mutating func find(_ place: LogPosition) throws(StorageError) -> LogIndex.Found? {
        do throws(StorageError) {
            return try log.find(place)
        } catch .damaged(let path, let error) where place <= merged {
            log.noteDamage(at: place, .damaged(path: path, error))
            return nil
        }
    }

    /// The change of an entry; nil where it was dropped.
    func change(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        let range = frame.change(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogChange(decoding: frame.bytes[range])
        } catch {
            throw .damaged(path: log.folder, error)
        }
    }

    /// The job that a message needs, as its registers are now; nil where it has no row and never had one.
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

    /// The message that a key leads to, through other ids that it has had.
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

    /// The job of each shard up to which all are done, in all known editions.
    var doneEverywhere: [JobNumber] { latest.indices.map { doneEverywhere(in: Shard(UInt16($0))) } }

    /// The job up to which all are done, in all known editions.
    func doneEverywhere(in shard: Shard) -> JobNumber {
        progress.values.lazy.filter { $0.shard == shard }.map(\.through).min() ?? .zero
    }

    /// Whether no known edition waits for the message as it is: neither for its job, nor for a walk
    /// to come to it, where a file is laid out again or the edition is new.
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
