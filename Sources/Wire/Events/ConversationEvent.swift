package import JSON
package import Names

/// An event of a producer about a conversation itself: its title, its picture, and how far somebody has read it.
///
/// ```json
/// {"conversation": "c1", "revision": 3, "title": "Friends", "picture": {"url": "https://example.org/c1.jpg"}}
/// {"conversation": "c1", "read": {"reader": "ada", "message": "m7"}}
/// ```
///
/// Title and picture are registers as a message has them: the highest revision of each wins. A read mark has no
/// revision, as it only rises.
package struct ConversationEvent: Equatable, Sendable {
    package var conversation: ConversationID
    /// The revision of the title and of the picture, where the event sets them.
    package var revision: Revision
    /// The title; empty where there is none from now on.
    package var title: String?
    /// The picture as a JSON value; `null` where there is none from now on.
    package var picture: [UInt8]?
    package var read: ReadMark?

    package init(
        conversation: ConversationID, revision: Revision = Revision(1), title: String? = nil, picture: [UInt8]? = nil,
        read: ReadMark? = nil
    ) {
        (self.conversation, self.revision) = (conversation, revision)
        (self.title, self.picture, self.read) = (title, picture, read)
    }
}

/// The place up to which somebody has read a conversation: an order, or a message with all before it.
package struct ReadMark: Equatable, Sendable {
    /// The reader; nil where it is the subject of the request.
    package var reader: SenderID?
    package var place: Place

    package enum Place: Equatable, Sendable {
        case order(Int64)
        case message(MessageID)
    }

    package init(reader: SenderID?, _ place: Place) { (self.reader, self.place) = (reader, place) }
}

extension ConversationEvent {
    /// The fields that only a conversation has.
    static let own = ["title", "picture", "read"]
    package static let fields = ["conversation", "revision"] + own

    package init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: Self.fields)
        self.init(conversation: try fields.required("conversation").name())
        if let revision = try fields.optional("revision")?.integer(in: 0 ... .max) {
            self.revision = Revision(UInt64(revision))
        }
        if let title = fields.optional("title") {
            let text = try title.string()
            guard text.utf8.count <= Limits.title else {
                throw title.mismatch(expected: "at most \(Limits.title) bytes")
            }
            self.title = text
        }
        picture = try fields.optional("picture")?.bytes(atMost: Limits.picture)
        read = try fields.optional("read").map { (mark) throws(JSONError) in try ReadMark(mark) }
        guard title != nil || picture != nil || read != nil else {
            throw reader.mismatch(expected: "an event that sets title, picture or read")
        }
    }

    package func write(to json: inout JSONWriter) {
        json.object {
            $0.key("conversation")
            $0.string(conversation.text)
            if title != nil || picture != nil {
                $0.key("revision")
                $0.integer(revision.number)
            }
            if let title {
                $0.key("title")
                $0.string(title)
            }
            if let picture {
                $0.key("picture")
                $0.raw(picture)
            }
            if let read {
                $0.key("read")
                read.write(to: &$0)
            }
        }
    }
}

extension ReadMark {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["reader", "order", "message"])
        let order = try fields.optional("order").map { (order) throws(JSONError) in Int64(try order.integer()) }
        let message: MessageID? = try fields.optional("message")?.name()
        let who: SenderID? = try fields.optional("reader")?.name()
        switch (order, message) {
        case (let order?, nil): self.init(reader: who, .order(order))
        case (nil, let message?): self.init(reader: who, .message(message))
        case (nil, nil), (_?, _?): throw reader.mismatch(expected: "'order' or 'message'")
        }
    }

    func write(to json: inout JSONWriter) {
        json.object {
            if let reader {
                $0.key("reader")
                $0.string(reader.text)
            }
            switch place {
            case .order(let order):
                $0.key("order")
                $0.integer(order)
            case .message(let message):
                $0.key("message")
                $0.string(message.text)
            }
        }
    }
}
