import JSON
import Wire

/// An event as producers spell it: one JSON object. Unknown fields are refused, so that a slip of the pen is told; what
/// stands in the body is for the style to judge.
///
///     {"conversation": "c1", "message": "m1", "order": 1, "sender": "ada", "time": 1700000000000,
///      "body": {"kind": "photo", "photo": {"width": 1600, "height": 1200}, "caption": "Here we are"}}
///
/// `"text": "Hello"` is short for `"body": {"kind": "text", "text": "Hello"}`.
enum EventLine {
    static let fields = ["conversation", "message", "order", "sender", "time", "revision", "body", "text"]

    static func event(_ reader: JSONReader) throws(JSONError) -> Event {
        let fields = try reader.object(knownKeys: fields)
        let order = Int64(try fields.required("order").integer())
        let time = Timestamp(milliseconds: Int64(try fields.required("time").integer()))
        let revision = try fields.optional("revision")?.integer(in: 0...Int(UInt32.max)) ?? 1
        let conversation: ConversationID = try name(fields.required("conversation"))
        let message: MessageID = try name(fields.required("message"))
        let sender: SenderID = try name(fields.required("sender"))
        let (body, source) = try body(fields)
        do throws(WireError) {
            return try Event(
                conversation: conversation, message: message, order: order, sender: sender, time: time, body: body,
                revision: UInt32(revision))
        } catch {
            throw source.mismatch(expected: "at most \(Limits.body) bytes")
        }
    }

    /// The body of a plain text.
    static func body(text: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("kind")
            $0.string("text")
            $0.key("text")
            $0.string(text)
        }
        return json.bytes
    }

    /// The body, and the field that it comes from.
    private static func body(_ fields: JSONReader.Fields) throws(JSONError) -> ([UInt8], JSONReader) {
        if let text = fields.optional("text") {
            guard fields.optional("body") == nil else { throw text.mismatch(expected: "'body' or 'text', not both") }
            return (body(text: try text.string()), text)
        }
        let body = try fields.required("body")
        _ = try body.object().required("kind").string()
        var json = JSONWriter()
        json.value(body.value)
        return (json.bytes, body)
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
