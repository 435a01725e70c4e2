package import Names
package import Wire

/// The progress of a walk that lays out the newest messages of each conversation of a shard before any other, as
/// readers open these.
///
/// It begins as `RecentWalk()`, and the journal that reads by it knows its place. It is of this process only, as to
/// begin anew costs little: rows that are there keep their layouts.
package struct RecentWalk: Equatable, Sendable {
    /// The number of messages of each conversation.
    package static let each = 50

    /// The messages that are found, and not told yet; the next one last. Nil before the first page.
    package var found: [NewestMessages.Message]?
    /// The key in the journal's tables down to which it has looked; nil before the first.
    package var reached: [UInt8]?
    /// The conversation that it stands in, and its newest messages so far.
    package var conversation: ConversationID?
    package var newest = NewestMessages()
    /// Whether it has looked at all of them.
    package var isThrough = false

    package init() {}
}

/// A page of jobs of the newest messages of some conversations, and the walk to go on with; nil behind the last.
/// There may be none, and more to come.
package struct RecentPage: Equatable, Sendable {
    package var jobs: [LayoutJob]
    package var rest: RecentWalk?

    package init(jobs: [LayoutJob], rest: RecentWalk?) { (self.jobs, self.rest) = (jobs, rest) }
}

/// The messages of a conversation that come last in it, of all that it was told.
package struct NewestMessages: Equatable, Sendable {
    package struct Message: Equatable, Sendable {
        package var order: Int64
        package var number: MessageNumber
        package var key: MessageKey
    }

    /// The newest first.
    package private(set) var all: [Message] = []

    package init() {}

    /// Whether a message would be one of them.
    package func has(roomFor order: Int64, _ number: MessageNumber) -> Bool {
        guard all.count == RecentWalk.each, let last = all.last else { return true }
        return (order, number) > (last.order, last.number)
    }

    package mutating func take(_ key: MessageKey, order: Int64, _ number: MessageNumber) {
        guard has(roomFor: order, number) else { return }
        if all.count == RecentWalk.each { all.removeLast() }
        let place = all.firstIndex { ($0.order, $0.number) < (order, number) } ?? all.endIndex
        all.insert(Message(order: order, number: number, key: key), at: place)
    }

    /// Returns the newest messages of many conversations: one conversation after the other, each with its oldest first.
    package static func oldestFirst<Messages: Sequence<(MessageKey, CardEntry)>>(
        of messages: Messages
    ) -> [Message] {
        var newest: [ConversationID: NewestMessages] = [:]
        for case (let key, .message(let card)) in messages where card.isShown {
            newest[key.conversation, default: NewestMessages()].take(key, order: card.order!.value, card.number)
        }
        let conversations = newest.sorted { $0.key < $1.key }
        return conversations.flatMap { $0.value.all.reversed() }
    }
}

extension MessageCard {
    /// Whether it has a row, or is to have one.
    package var isShown: Bool { deletion == nil && lastJob != nil && order != nil }
}
