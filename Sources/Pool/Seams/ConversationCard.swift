package import Names
import Wire

/// What the journal remembers of a conversation besides its messages: registers as a message has them.
package struct ConversationCard: Equatable, Sendable {
    /// Empty where it was taken away: then the revision is what is left to know.
    package var title: MessageCard.Register<String>?
    /// A JSON value.
    package var picture: MessageCard.Register<[UInt8]>?

    package init(
        title: MessageCard.Register<String>? = nil, picture: MessageCard.Register<[UInt8]>? = nil
    ) {
        (self.title, self.picture) = (title, picture)
    }

    package var shownTitle: String? { title.flatMap { $0.value.isEmpty ? nil : $0.value } }
    package var shownPicture: [UInt8]? { picture.flatMap { $0.value == Self.nothing ? nil : $0.value } }

    static let nothing = Array("null".utf8)
}

/// Who has read a conversation.
package struct ReadingKey: Hashable, Sendable {
    package var conversation: ConversationID
    package var reader: SenderID

    package init(_ conversation: ConversationID, _ reader: SenderID) {
        (self.conversation, self.reader) = (conversation, reader)
    }
}

/// What one accepted event says of a conversation: an entry of the log by itself.
package struct ConversationNote: Equatable, Sendable {
    package var conversation: ConversationID
    package var said: Said

    package enum Said: Equatable, Sendable {
        /// All of its registers, as they are since.
        case card(ConversationCard)
        /// Somebody has read all messages up to this order.
        case read(SenderID, upTo: Int64)
    }

    package init(_ conversation: ConversationID, _ said: Said) { (self.conversation, self.said) = (conversation, said) }
}
