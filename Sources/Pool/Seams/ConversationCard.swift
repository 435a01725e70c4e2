package import Names
import Wire

/// The journal's memory of a conversation besides its messages: registers as a message has them.
package struct ConversationCard: Equatable, Sendable {
    /// The title; empty where it was taken away, and the revision is all that is left to know.
    package var title: MessageCard.Register<String>?
    /// The picture, as a JSON value.
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

/// A reader of a conversation.
package struct ReadingKey: Hashable, Sendable {
    package var conversation: ConversationID
    package var reader: SenderID

    package init(_ conversation: ConversationID, _ reader: SenderID) {
        (self.conversation, self.reader) = (conversation, reader)
    }
}

/// The statement of one accepted event about a conversation: an entry of the log by itself.
package struct ConversationNote: Equatable, Sendable {
    package var conversation: ConversationID
    package var said: Said

    package enum Said: Equatable, Sendable {
        /// All of its registers, as they are since the event.
        case card(ConversationCard)
        /// Somebody has read all messages up to this order.
        case read(SenderID, upTo: Int64)
    }

    package init(_ conversation: ConversationID, _ said: Said) { (self.conversation, self.said) = (conversation, said) }
}
