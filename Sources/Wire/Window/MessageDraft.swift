package import Bytes
import JSON
package import Names

/// A message that is written and not posted yet, in the JSON of an event. A draft need not name its conversation,
/// its sender and its time, as an event must: they are those of the window in which it is written.
///
/// ```json
/// {"text": "See you at nine"}
/// {"body": {"kind": "photo", "photo": {"width": 1600, "height": 1200}},
///  "sender": "ada", "time": 1700000000000, "order": 78}
/// ```
package struct MessageDraft: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The name of a draft that has none.
    package static let name: MessageID = {
        do throws(ByteError) { return try MessageID("draft") } catch { preconditionFailure("a word is a name") }
    }()

    /// The event that would post the draft. Throws the fault of that event.
    /// - Parameter sender: the sender of a draft that names none; nil where the draft must name one.
    package func event(
        in conversation: ConversationID, by sender: SenderID?, at time: Timestamp
    ) throws(EventFault) -> MessageEvent {
        let event: MessageEvent
        do throws(JSONError) {
            event = try MessageEvent(JSONReader(filled(in: conversation, by: sender, at: time)))
        } catch {
            throw EventFault(error)
        }
        if event.conversation != conversation {
            throw EventFault(field: "conversation", reason: "expected '\(conversation)', of which the window is")
        }
        if event.isDeleted { throw EventFault(field: "deleted", reason: "a draft is a message that is there") }
        if event.react != nil { throw EventFault(field: "react", reason: "a draft is a message of its own") }
        if event.body == nil { throw EventFault(field: "body", reason: "is missing") }
        return event
    }

    private func filled(
        in conversation: ConversationID, by sender: SenderID?, at time: Timestamp
    ) throws(JSONError) -> JSONValue {
        let value = try JSONValue.parse(bytes)
        guard var members = value.object?.members else { return value }
        func add(_ key: String, _ text: JSONValue?) {
            if let text, !members.contains(where: { $0.key == key }) { members.append(.init(key, text)) }
        }
        add("conversation", .string(conversation.text))
        add("message", .string(Self.name.text))
        // A draft without a body has no sender.
        if members.contains(where: { $0.key == "body" || $0.key == "text" }) {
            add("sender", sender.map { .string($0.text) })
            add("time", try JSONValue.parse(Array("\(time.milliseconds)".utf8)))
        }
        return .object(JSONObject(members))
    }
}

extension MessageDraft: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.block(bytes) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(Array(try reader.block(atMost: Limits.draft, of: "draft")))
    }
}
