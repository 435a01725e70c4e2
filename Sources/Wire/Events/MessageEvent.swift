package import Bytes
package import Names

/// An event of a chat backend about one message: new values for some of its registers, all under one revision.
///
/// A message is a set of registers, each with a revision of its own. An event sets whole registers, and the highest
/// revision of each wins, in whatever order events arrive: a status may come before the post that it belongs to.
/// `isDeleted` absorbs: no other event brings the message back, neither a later one nor one with a higher revision.
package struct MessageEvent: Equatable, Sendable {
    package var conversation: ConversationID
    package var message: MessageID
    /// The id under which a client posted the message before the backend gave it the one above: it is the same message.
    package var clientID: MessageID?
    /// The revision of every register that this event sets.
    package var revision: Revision
    package var body: MessageBody?
    /// The position in the conversation.
    package var order: Int64?
    /// The status of the message, in the words of the style; a JSON value.
    package var status: [UInt8]?
    /// The reactions and their authors, as the kinds of the style spell them; a JSON value.
    package var reactions: [UInt8]?
    /// The choices of one reader, beside the reactions that a backend tells of all readers.
    package var react: ReaderChoices?
    package var isDeleted = false

    package init(
        conversation: ConversationID, message: MessageID, clientID: MessageID? = nil, revision: Revision = Revision(1),
        body: MessageBody? = nil, order: Int64? = nil, status: [UInt8]? = nil, reactions: [UInt8]? = nil,
        react: ReaderChoices? = nil, isDeleted: Bool = false
    ) {
        (self.conversation, self.message, self.clientID, self.revision) = (conversation, message, clientID, revision)
        (self.body, self.order, self.status, self.reactions) = (body, order, status, reactions)
        (self.react, self.isDeleted) = (react, isDeleted)
    }
}

/// The age of a register's value: of two values, the one with the higher revision is the newer.
package struct Revision: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: Revision, b: Revision) -> Bool { a.number < b.number }
}

/// The sender of a message, its time and its content.
package struct MessageBody: Equatable, Sendable {
    package var sender: SenderID
    package var time: Timestamp
    /// A JSON object in UTF-8, with its `kind` and the fields of that kind. Only the layout reads it; on the way it
    /// is mere bytes.
    package var content: [UInt8]

    package init(sender: SenderID, time: Timestamp, content: [UInt8]) {
        (self.sender, self.time, self.content) = (sender, time, content)
    }
}

extension Revision: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { number = try reader.integer() }
}

extension MessageBody: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(sender)
        writer.integer(time.milliseconds)
        writer.block(content)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        sender = try reader.value()
        time = Timestamp(milliseconds: try reader.integer())
        content = Array(try reader.block(atMost: Limits.body, of: "body"))
    }
}

extension MessageEvent: ByteCoded {
    /// The fields that follow, a bit each.
    private struct Present: OptionSet {
        var rawValue: UInt8
        static let clientID = Present(rawValue: 1)
        static let body = Present(rawValue: 2)
        static let order = Present(rawValue: 4)
        static let status = Present(rawValue: 8)
        static let reactions = Present(rawValue: 16)
        static let deleted = Present(rawValue: 32)
        static let react = Present(rawValue: 64)
        static let all: Present = [.clientID, .body, .order, .status, .reactions, .deleted, .react]
    }

    package func write(to writer: inout ByteWriter) {
        var present: Present = []
        if clientID != nil { present.insert(.clientID) }
        if body != nil { present.insert(.body) }
        if order != nil { present.insert(.order) }
        if status != nil { present.insert(.status) }
        if reactions != nil { present.insert(.reactions) }
        if isDeleted { present.insert(.deleted) }
        if react != nil { present.insert(.react) }
        writer.integer(present.rawValue)
        writer.value(conversation)
        writer.value(message)
        writer.value(revision)
        if let clientID { writer.value(clientID) }
        if let body { writer.value(body) }
        if let order { writer.integer(order) }
        if let status { writer.block(status) }
        if let reactions { writer.block(reactions) }
        if let react { writer.value(react) }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        let present = Present(rawValue: try reader.integer())
        guard present.isSubset(of: .all) else { throw .unknownCase(present.rawValue, of: "registers") }
        conversation = try reader.value()
        message = try reader.value()
        revision = try reader.value()
        clientID = present.contains(.clientID) ? try reader.value(MessageID.self) : nil
        body = present.contains(.body) ? try reader.value(MessageBody.self) : nil
        order = present.contains(.order) ? try reader.integer() : nil
        status =
            present.contains(.status) ? Array(try reader.block(atMost: Limits.status, of: "status")) : nil
        reactions =
            present.contains(.reactions) ? Array(try reader.block(atMost: Limits.reactions, of: "reactions")) : nil
        react = present.contains(.react) ? try reader.value(ReaderChoices.self) : nil
        isDeleted = present.contains(.deleted)
    }
}
