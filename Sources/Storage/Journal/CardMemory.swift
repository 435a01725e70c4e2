import Names
import Pool
import Wire

/// The outcome of the log's entries since the last merge: the cards as they are now, and the jobs
/// and messages that begin with these entries.
struct CardMemory {
    struct Job {
        var shard: Shard
        var number: JobNumber
        var lane: Lane
        var key: CardKey
    }

    /// A message that begins with one of these entries.
    struct Fresh {
        var shard: Shard
        var number: MessageNumber
        var key: CardKey
    }

    var cards: [CardKey: StoredCard] = [:]
    var jobs: [Job] = []
    var fresh: [Fresh] = []
    var notes = ConversationNotes()
    /// The last entry that is in it.
    var through: LogPosition
    var entries = 0

    init(after position: LogPosition) { through = position }

    /// Empties it for the entries behind `position`, and keeps its storage.
    mutating func begin(after position: LogPosition) {
        cards.removeAll(keepingCapacity: true)
        jobs.removeAll(keepingCapacity: true)
        fresh.removeAll(keepingCapacity: true)
        notes.removeAll()
        (through, entries) = (position, 0)
    }

    mutating func take(_ change: LogChange, at place: LogPosition) {
        for card in change.cards {
            guard let entry = card.entry else { continue }
            let key = CardKey(card.key)
            cards[key] = StoredCard(entry: entry, last: place)
            note(entry, key, change.shard, place)
        }
        for job in change.jobs {
            let key = CardKey(MessageKey(change.conversation, job.message))
            jobs.append(Job(shard: change.shard, number: job.number, lane: change.lane, key: key))
        }
        if let activity = change.activity { notes.note(activity: activity, in: change.conversation) }
        if let note = change.note { notes.take(note, at: place) }
        end(place)
    }

    mutating func note(_ entry: CardEntry, _ key: CardKey, _ shard: Shard, _ place: LogPosition) {
        guard case .message(let card) = entry, card.number.number == place.number else { return }
        fresh.append(Fresh(shard: shard, number: card.number, key: key))
    }

    /// The new messages behind one, in the order of their numbers, as each number is the place of its entry.
    func fresh(after message: MessageNumber) -> ArraySlice<Fresh> {
        var (low, high) = (0, fresh.count)
        while low < high {
            let middle = (low + high) / 2
            if fresh[middle].number > message { high = middle } else { low = middle + 1 }
        }
        return fresh[low...]
    }

    mutating func end(_ place: LogPosition) {
        through = place
        entries += 1
    }
}

/// A cache of cards that were looked up in the table lately, in two halves: when the younger is full it
/// becomes the older, and the cards of the former older half are forgotten unless they were asked for since.
struct CardCache {
    private var young: [CardKey: StoredCard] = [:]
    private var old: [CardKey: StoredCard] = [:]
    private let half: Int

    init(limit: Int) { half = limit / 2 }

    mutating func find(_ key: CardKey) -> StoredCard? {
        if young.isEmpty && old.isEmpty { return nil }
        if let found = young[key] { return found }
        guard let found = old[key] else { return nil }
        put(key, found)
        return found
    }

    mutating func put(_ key: CardKey, _ card: StoredCard) {
        if young.count >= half {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        }
        young[key] = card
    }

    mutating func remove(_ key: CardKey) {
        young.removeValue(forKey: key)
        old.removeValue(forKey: key)
    }
}
