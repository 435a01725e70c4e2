import Names
import Pool
import Replication
import Wire

/// The part of a host's disk that belongs to one partition, by places of its log. A journal with several logs has their
/// entries in an order of its own, and so in places of its own. Entries of one log lie in its order in every journal.
struct PartitionCopy {
    let last: LogAnchor
    let turns: [TurnContent]
    let entries: [JournalEntry]
    let cards: [MessageKey: CardEntry]
    /// By message with a row, the job that made it.
    let rows: [MessageNumber: JobNumber]
    private let conversations: [ConversationID: ConversationCard]
    private let readings: [ReadingKey: Int64]
    /// By shard, the last job.
    private let latest: [JobNumber]

    init(_ partition: Int, on disk: HostDisk, _ map: PartitionMap) {
        let (name, journal) = (Partition(UInt16(partition)), disk.journal)
        func isOwn(_ conversation: ConversationID) -> Bool { map.partition(of: conversation) == name }
        /// By place in the journal, the place in the log.
        var places: [Int64: Int64] = [:]
        for (place, entry) in journal.entries.enumerated() where isOwn(entry.event.conversation) {
            places[Int64(place)] = Int64(places.count)
        }
        let known = places
        last = disk.logs[partition]!.trail.last
        turns = disk.turns(of: partition).map(\.content)
        entries = journal.entries.filter { isOwn($0.event.conversation) }
        // A place of another log is none of this one.
        cards = journal.cards.filter { isOwn($0.key.conversation) }.mapValues { card in
            card.placed { known[$0] ?? -1 }
        }
        var rows: [MessageNumber: JobNumber] = [:]
        for (message, job) in disk.rows {
            if let place = known[message.number] { rows[MessageNumber(place)] = job }
        }
        self.rows = rows
        conversations = journal.conversations.filter { isOwn($0.key) }
        readings = journal.readings.filter { isOwn($0.key.conversation) }
        latest = map.shards(of: name).map { journal.latest[Int($0.number)] }
    }

    /// Whether everything is equal that replicas share. Each host keeps content, and lays it out, in its own time.
    func isEqual(to other: PartitionCopy) -> Bool {
        last == other.last && cards == other.cards && conversations == other.conversations
            && readings == other.readings && latest == other.latest && turns == other.turns
            && Set(rows.keys) == Set(other.rows.keys)
    }
}

extension CardEntry {
    /// The same entry with other places.
    fileprivate func placed(_ place: (Int64) -> Int64) -> CardEntry {
        switch self {
        case .message(let card): return .message(card.placed(place))
        case .alias(let id, let absorbed):
            guard let absorbed else { return self }
            let row = AbsorbedRow(number: MessageNumber(place(absorbed.number.number)), removal: absorbed.removal)
            return .alias(of: id, absorbed: row)
        }
    }
}

extension MessageCard {
    fileprivate func placed(_ place: (Int64) -> Int64) -> MessageCard {
        var card = MessageCard(number: MessageNumber(place(number.number)))
        card.body = body
        if let at = body?.value.at { card.body?.value.at = LogPosition(place(at.number)) }
        (card.order, card.status, card.reactions) = (order, status, reactions)
        (card.voices, card.deletion, card.lastJob) = (voices, deletion, lastJob)
        return card
    }
}
