import MessageLayout

/// The reader, as far as the dress of rows depends on it. It is given when a conversation is opened, and never stored.
package struct Viewer: Hashable, Sendable {
    /// Nil for an observer, to whom all messages are those of others.
    package var own: SenderNumber?
    /// The place in the conversation of the first message that is unread; nil when there is none.
    package var unreadFrom: Int64?
    package var zone: TimeZoneRule
    package var clock: ClockFormat
    package var conversation: Conversation
    package var isSelecting: Bool

    package enum Conversation: Hashable, Sendable {
        /// A conversation of two.
        case direct
        case group
    }

    package init(
        own: SenderNumber? = nil, unreadFrom: Int64? = nil, zone: TimeZoneRule = .universal,
        clock: ClockFormat = .hours24, conversation: Conversation = .group, isSelecting: Bool = false
    ) {
        self.own = own
        self.unreadFrom = unreadFrom
        self.zone = zone
        self.clock = clock
        self.conversation = conversation
        self.isSelecting = isSelecting
    }
}
