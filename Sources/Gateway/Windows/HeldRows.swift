import MessageLayout
import Names
import Record
import Storage
import Wire

/// Rows of conversations that were shown on a screen that nobody foresaw, at hand for the next such screen: a reader
/// that turns a phone, or drags the edge of a window, asks for one after another.
///
/// Most conversations are never asked for again, so a conversation is held from the second time on.
///
/// For each conversation it knows the moment up to which changes were read; before its rows are used, those that have
/// changed since are forgotten.
struct HeldRows {
    private struct Place: Hashable {
        var edition: EditionID
        var conversation: ConversationID
    }

    private struct Conversation {
        var cursor: Cursor
        /// Whether it was asked for again.
        var isWanted = false
        var blocks: [MessageNumber: Block] = [:]
        /// The way through all of it.
        var way: Way?
        var bytes = 0
    }

    /// The blocks of a conversation, read from one end to the other for a screen that no row is laid out for: the
    /// next such screen has other heights, and nothing else.
    struct Way {
        var walk: ConversationWalk
        var blocks: [RowBlock]

        fileprivate var bytes: Int { blocks.reduce(walk.tail.count * 160) { $0 + $1.bytes.count } }
    }

    /// The rows of a sealed block.
    private struct Block {
        var numbers: [MessageNumber]
        var columns: TextColumns
    }

    private let limit: Int
    private var conversations: [Place: Conversation] = [:]
    /// The conversations by their last use, the latest last.
    private var order: [Place] = []
    private(set) var bytes = 0

    init(limit: Int) { self.limit = limit }

    private static let mostConversations = 1024

    /// Notes that a conversation is asked for. Forgets rows of it that have changed; where the changes are not known,
    /// all of the conversation.
    /// - Parameter cursor: the place of this moment.
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
                known.way = nil
                known.blocks = known.blocks.filter { changed.isDisjoint(with: $0.value.numbers) }
            }
            (known.cursor, isMore) = (reached, more)
        }
        known.way?.walk.move(to: known.cursor)
        known.bytes = known.blocks.values.reduce(known.way?.bytes ?? 0) { $0 + $1.columns.bytes }
        conversations[place] = known
        bytes += known.bytes
        order.append(place)
    }

    /// The way through a conversation that was asked for by `ask`; nil where something has changed in it, or it was
    /// not kept.
    func way(of key: SharedTimeline.Key) -> Way? {
        conversations[Place(edition: key.edition, conversation: key.conversation)]?.way
    }

    /// Keeps the way through a conversation, if nothing has changed since it was asked for.
    mutating func keep(_ way: Way, of key: SharedTimeline.Key) {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard let known = conversations[place], known.isWanted, known.cursor == way.walk.cursor else { return }
        let added = way.bytes - (known.way?.bytes ?? 0)
        conversations[place]?.way = way
        conversations[place]?.bytes += added
        bytes += added
        trim()
    }

    func columns(_ numbers: [MessageNumber], of key: SharedTimeline.Key) -> TextColumns? {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard let first = numbers.first, let block = conversations[place]?.blocks[first], block.numbers == numbers
        else {
            return nil
        }
        return block.columns
    }

    /// Whether the conversation was asked for before.
    func knows(_ key: SharedTimeline.Key) -> Bool {
        conversations[Place(edition: key.edition, conversation: key.conversation)] != nil
    }

    /// Whether rows of the conversation are to be kept.
    func wants(_ key: SharedTimeline.Key) -> Bool {
        conversations[Place(edition: key.edition, conversation: key.conversation)]?.isWanted ?? false
    }

    /// Keeps rows that were read since the conversation was asked for.
    mutating func keep(_ columns: TextColumns, _ numbers: [MessageNumber], of key: SharedTimeline.Key) {
        let place = Place(edition: key.edition, conversation: key.conversation)
        guard let first = numbers.first, conversations[place] != nil else { return }
        let old = conversations[place]?.blocks.updateValue(Block(numbers: numbers, columns: columns), forKey: first)
        let added = columns.bytes - (old?.columns.bytes ?? 0)
        conversations[place]?.bytes += added
        bytes += added
        trim()
    }

    private mutating func trim() { while bytes > limit, let oldest = order.first { forget(oldest) } }

    private mutating func forget(_ place: Place) {
        bytes -= conversations.removeValue(forKey: place)?.bytes ?? 0
        order.removeAll { $0 == place }
    }
}
