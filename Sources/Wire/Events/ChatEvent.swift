package import JSON
package import Names

/// An event of a producer: a change of a message, or of the conversation that it stands in.
package enum ChatEvent: Equatable, Sendable {
    case message(MessageEvent)
    case conversation(ConversationEvent)

    package var conversation: ConversationID {
        switch self {
        case .message(let event): event.conversation
        case .conversation(let event): event.conversation
        }
    }

    /// The event of a message; nil for an event of a conversation.
    package var message: MessageEvent? {
        if case .message(let event) = self { event } else { nil }
    }

    /// An event that names no message and sets a field that only a conversation has is an event of the conversation.
    package init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        let isOfConversation =
            fields.optional("message") == nil && ConversationEvent.own.contains { fields.optional($0) != nil }
        self = isOfConversation ? .conversation(try ConversationEvent(reader)) : .message(try MessageEvent(reader))
    }

    package func write(to json: inout JSONWriter) {
        switch self {
        case .message(let event): event.write(to: &json)
        case .conversation(let event): event.write(to: &json)
        }
    }
}
