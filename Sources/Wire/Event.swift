/// One message as the chat backend tells it: what to lay out, and where in which conversation it belongs.
///
/// An event with a higher `revision` replaces the message whatever order they arrive in; the same revision again, with the
/// same bytes, is a repetition and changes nothing.
package struct Event: Equatable, Sendable {
    package var conversation: ConversationID
    package var message: MessageID
    /// Position in the conversation, set by the backend; events may arrive in any order.
    package var order: Int64
    package var sender: SenderID
    package var time: Timestamp
    package var kind: Kind
    package private(set) var body: String
    package var revision: UInt32

    package enum Kind: UInt8, CaseIterable, Sendable {
        case text = 1
    }

    package init(
        conversation: ConversationID, message: MessageID, order: Int64, sender: SenderID, time: Timestamp,
        kind: Kind = .text, body: String, revision: UInt32 = 1
    ) throws(WireError) {
        let length = body.utf8.count
        guard length <= Limits.body else { throw .tooLong(length, limit: Limits.body, of: "body") }
        self.conversation = conversation
        self.message = message
        self.order = order
        self.sender = sender
        self.time = time
        self.kind = kind
        self.body = body
        self.revision = revision
    }
}

/// Milliseconds since 1970, in universal time.
package struct Timestamp: Hashable, Sendable {
    package var milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
}

extension Event: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        writer.value(message)
        writer.integer(order)
        writer.value(sender)
        writer.integer(time.milliseconds)
        writer.integer(kind.rawValue)
        writer.integer(revision)
        writer.text(body)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        conversation = try reader.value()
        message = try reader.value()
        order = try reader.integer()
        sender = try reader.value()
        time = Timestamp(milliseconds: try reader.integer())
        let code = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: code) else { throw .unknownCase(code, of: "kind") }
        self.kind = kind
        revision = try reader.integer()
        body = try reader.text(atMost: Limits.body, of: "body")
    }
}
