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
    /// The message itself: a JSON object in UTF-8, with its `kind` and the fields of that. Whoever lays it out reads it;
    /// on the way it is so many bytes.
    package private(set) var body: [UInt8]
    package var revision: UInt32

    package init(
        conversation: ConversationID, message: MessageID, order: Int64, sender: SenderID, time: Timestamp,
        body: [UInt8], revision: UInt32 = 1
    ) throws(WireError) {
        guard body.count <= Limits.body else { throw .tooLong(body.count, limit: Limits.body, of: "body") }
        self.conversation = conversation
        self.message = message
        self.order = order
        self.sender = sender
        self.time = time
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
        writer.integer(revision)
        writer.block(body)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        conversation = try reader.value()
        message = try reader.value()
        order = try reader.integer()
        sender = try reader.value()
        time = Timestamp(milliseconds: try reader.integer())
        revision = try reader.integer()
        body = Array(try reader.block(atMost: Limits.body, of: "body"))
    }
}
