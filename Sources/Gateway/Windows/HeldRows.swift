import MessageLayout
import Names
import Storage
import Wire

/// Rows of conversations that were shown on a screen that nobody foresaw, at hand for the next one: who turns a phone, or drags the
/// edge of a window, asks for one after another.
///
/// Most conversations are never asked for again, so that one is held from the second time on.
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
        /// It was asked for again.
        var isWanted = false
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

    private static let mostConversations = 1024

    /// A conversation is asked for. Forgets what is not so any more; where that is not known, all of the conversation is.
    /// - Parameter cursor: of this moment.
    mutating func ask(
        for key: SharedTimeline.Key, at cursor: Cursor, from feed: ShardFeed
    ) throws(StorageError) {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard var known = conversations[place] else {
            conversations[place] = Conversation(cursor: cursor)
            order.append(place)
            if order.count > Self.mostConversations, let oldest = order.first { forget(oldest) }
            return
        }
        forget(place)
        known.isWanted = true
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

    /// Whether rows of it are to be kept.
    func wants(_ key: SharedTimeline.Key) -> Bool {
        conversations[Place(edition: key.edition, conversation: key.conversation)]?.isWanted ?? false
    }

    /// Rows that were read since the conversation was asked for.
    mutating func keep(_ columns: TextColumns, _ numbers: [MessageNumber], of key: SharedTimeline.Key) {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard let first = numbers.first, conversations[place] != nil else { return }
        let old = conversations[place]?.blocks.updateValue(Block(numbers: numbers, columns: columns), forKey: first)
        let added = columns.bytes - (old?.columns.bytes ?? 0)
        conversations[place]?.bytes += added
        bytes += added
        while bytes > limit, let oldest = order.first { forget(oldest) }
    }

    private mutating func forget(_ place: Place) {
        bytes -= conversations.removeValue(forKey: place)?.bytes ?? 0
        order.removeAll { $0 == place }
    }
}
