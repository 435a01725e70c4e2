import MessageLayout
import Names
import Record
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
        /// The way through all of it.
        var way: Way?
        var bytes = 0
    }

    /// What was read of a conversation from one end to the other, for a screen that no row is laid out for: the next such screen has
    /// other heights, and nothing else.
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

    /// The way through a conversation that was asked for just now; nil where something has changed in it, or it was not kept.
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

    /// Whether it was asked for before.
    func knows(_ key: SharedTimeline.Key) -> Bool {
        conversations[Place(edition: key.edition, conversation: key.conversation)] != nil
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
        trim()
    }

    private mutating func trim() { while bytes > limit, let oldest = order.first { forget(oldest) } }

    private mutating func forget(_ place: Place) {
        bytes -= conversations.removeValue(forKey: place)?.bytes ?? 0
        order.removeAll { $0 == place }
    }
}
