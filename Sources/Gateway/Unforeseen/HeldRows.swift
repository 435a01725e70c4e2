import MessageLayout
import Storage
import Wire

/// Rows of conversations that were shown on a screen that nobody foresaw, at hand for the next one: who turns a phone, or drags the
/// edge of a window, asks for one after another.
///
/// Of each conversation it knows up to which moment it has read what changed; before its rows are used, what has changed since is
/// forgotten.
struct HeldRows {
    private struct Place: Hashable {
        var edition: EditionID
        var conversation: ConversationID
    }

    private struct Conversation {
        var cursor: Cursor
        var blocks: [MessageNumber: Block] = [:]
        var bytes = 0
    }

    /// The rows of a sealed block.
    private struct Block {
        var numbers: [MessageNumber]
        var columns: TextColumns
    }

    private let limit: Int
    private var conversations: [Place: Conversation] = [:]
    /// The one that was used last is last.
    private var order: [Place] = []
    private(set) var bytes = 0

    init(limit: Int) { self.limit = limit }

    /// Forgets what is not so any more. Where that is not known, all of the conversation is.
    mutating func refresh(_ key: SharedTimeline.Key, from feed: ShardFeed) throws(StorageError) {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard var known = conversations[place] else { return }
        forget(place)
        var isMore = true
        while isMore {
            guard let (notes, reached, more) = try feed.changes(of: key.conversation, since: known.cursor) else {
                return
            }
            let changed = Set(notes.map(\.number))
            if !changed.isEmpty {
                known.blocks = known.blocks.filter { changed.isDisjoint(with: $0.value.numbers) }
            }
            (known.cursor, isMore) = (reached, more)
        }
        known.bytes = known.blocks.values.reduce(0) { $0 + $1.columns.bytes }
        conversations[place] = known
        bytes += known.bytes
        order.append(place)
    }

    func columns(_ numbers: [MessageNumber], of key: SharedTimeline.Key) -> TextColumns? {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard let first = numbers.first, let block = conversations[place]?.blocks[first], block.numbers == numbers
        else {
            return nil
        }
        return block.columns
    }

    /// - Parameter cursor: of a moment before they were read.
    mutating func keep(
        _ columns: TextColumns, _ numbers: [MessageNumber], of key: SharedTimeline.Key, since cursor: Cursor
    ) {
        guard let first = numbers.first else { return }
        let place = Place(edition: key.edition, conversation: key.conversation)
        if conversations[place] == nil {
            conversations[place] = Conversation(cursor: cursor)
            order.append(place)
        }
        let old = conversations[place]?.blocks.updateValue(Block(numbers: numbers, columns: columns), forKey: first)
        let added = columns.bytes - (old?.columns.bytes ?? 0)
        conversations[place]?.bytes += added
        bytes += added
        while bytes > limit, order.count > 1 || order.first != place, let oldest = order.first { forget(oldest) }
    }

    private mutating func forget(_ place: Place) {
        bytes -= conversations.removeValue(forKey: place)?.bytes ?? 0
        order.removeAll { $0 == place }
    }
}
