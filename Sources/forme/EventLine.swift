import JSON
import Wire

/// An event as producers spell it: one JSON object. Unknown fields are refused, so that a slip of the pen is told.
///
///     {"conversation": "c1", "message": "m1", "order": 1, "sender": "ada", "time": 1700000000000, "body": "Hello"}
enum EventLine {
    static let fields = ["conversation", "message", "order", "sender", "time", "kind", "body", "revision"]

    static func event(_ reader: JSONReader) throws(JSONError) -> Event {
        let fields = try reader.object(knownKeys: fields)
        let body = try fields.required("body")
        let order = Int64(try fields.required("order").integer())
        let time = Timestamp(milliseconds: Int64(try fields.required("time").integer()))
        let revision = try fields.optional("revision")?.integer(in: 0...Int(UInt32.max)) ?? 1
        let kind = try fields.optional("kind")?.choice(["text": Event.Kind.text]) ?? .text
        let conversation: ConversationID = try name(fields.required("conversation"))
        let message: MessageID = try name(fields.required("message"))
        let sender: SenderID = try name(fields.required("sender"))
        let text = try body.string()
        do throws(WireError) {
            return try Event(
                conversation: conversation, message: message, order: order, sender: sender, time: time, kind: kind,
                body: text, revision: UInt32(revision))
        } catch {
            throw body.mismatch(expected: "at most \(Limits.body) bytes")
        }
    }

    private static func name<Subject>(_ reader: JSONReader) throws(JSONError) -> Name<Subject> {
        let text = try reader.string()
        do throws(WireError) {
            return try Name(text)
        } catch {
            throw reader.mismatch(expected: "1 to \(Limits.name) bytes")
        }
    }
}
