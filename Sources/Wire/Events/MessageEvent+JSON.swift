import Bytes
package import JSON
package import Names

extension MessageEvent {
    package static let fields = [
        "conversation", "message", "clientID", "revision", "sender", "time", "body", "text", "order", "status",
        "reactions", "react", "deleted",
    ]

    /// An event as producers spell it. Unknown fields are refused, so that a misspelt one is reported; the style
    /// judges the fields of the body.
    ///
    ///     {"conversation": "c1", "message": "m1", "order": 1, "sender": "ada", "time": 1700000000000,
    ///      "body": {"kind": "photo", "photo": {"width": 1600, "height": 1200}, "caption": "Here we are"}}
    ///     {"conversation": "c1", "message": "m1", "revision": 2, "status": "read"}
    ///     {"conversation": "c1", "message": "m1", "revision": 1, "react": {"reader": "grace", "emoji": ["👍"]}}
    ///     {"conversation": "c1", "message": "m1", "revision": 3, "deleted": true}
    ///
    /// `"text": "Hello"` is short for `"body": {"kind": "text", "text": "Hello"}`.
    package init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: Self.fields)
        self.init(
            conversation: try fields.required("conversation").name(), message: try fields.required("message").name())
        clientID = try fields.optional("clientID")?.name()
        if let revision = try fields.optional("revision")?.integer(in: 0 ... .max) {
            self.revision = Revision(UInt64(revision))
        }
        body = try Self.body(fields)
        order = try fields.optional("order").map { (order) throws(JSONError) in Int64(try order.integer()) }
        status = try fields.optional("status")?.bytes(atMost: Limits.status)
        reactions = try fields.optional("reactions")?.bytes(atMost: Limits.reactions)
        react = try fields.optional("react").map { (react) throws(JSONError) in try ReaderChoices(react) }
        isDeleted = try fields.optional("deleted")?.bool() ?? false
        let setsNothing =
            body == nil && order == nil && status == nil && reactions == nil && react == nil && !isDeleted
        guard !setsNothing || clientID != nil else {
            throw reader.mismatch(expected: "an event that sets body, order, status, reactions, react or deleted")
        }
    }

    private static func body(_ fields: JSONReader.Fields) throws(JSONError) -> MessageBody? {
        guard let (content, source) = try content(fields) else {
            for key in ["sender", "time"] {
                if let stray = fields.optional(key) { throw stray.mismatch(expected: "no '\(key)' without a body") }
            }
            return nil
        }
        guard content.count <= Limits.body else { throw source.mismatch(expected: "at most \(Limits.body) bytes") }
        return MessageBody(
            sender: try fields.required("sender").name(),
            time: try fields.required("time").time(), content: content)
    }

    /// The content of a body, and the field that it comes from.
    private static func content(_ fields: JSONReader.Fields) throws(JSONError) -> ([UInt8], JSONReader)? {
        if let text = fields.optional("text") {
            guard fields.optional("body") == nil else { throw text.mismatch(expected: "'body' or 'text', not both") }
            return (plainText(try text.string()), text)
        }
        guard let body = fields.optional("body") else { return nil }
        _ = try body.object().required("kind").string()
        return (body.bytes, body)
    }

    /// The content of a plain text.
    package static func plainText(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("kind")
            $0.string("text")
            $0.key("text")
            $0.string(text)
        }
        return json.bytes
    }

    package func write(to json: inout JSONWriter) {
        json.object {
            $0.key("conversation")
            $0.string(conversation.text)
            $0.key("message")
            $0.string(message.text)
            if let clientID {
                $0.key("clientID")
                $0.string(clientID.text)
            }
            $0.key("revision")
            $0.integer(revision.number)
            if let body {
                $0.key("sender")
                $0.string(body.sender.text)
                $0.key("time")
                $0.integer(body.time.milliseconds)
                $0.key("body")
                $0.raw(body.content)
            }
            if let order {
                $0.key("order")
                $0.integer(order)
            }
            if let status {
                $0.key("status")
                $0.raw(status)
            }
            if let reactions {
                $0.key("reactions")
                $0.raw(reactions)
            }
            if let react {
                $0.key("react")
                react.write(to: &$0)
            }
            if isDeleted {
                $0.key("deleted")
                $0.bool(true)
            }
        }
    }
}

extension JSONReader {
    package func name<Subject>() throws(JSONError) -> Name<Subject> {
        let text = try string()
        do throws(ByteError) {
            return try Name(text)
        } catch {
            throw mismatch(expected: "1 to \(Limits.name) bytes")
        }
    }

    /// The bytes of the value, written anew: equal values with the same spelling have equal bytes, however they
    /// were spaced.
    fileprivate var bytes: [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }

    func bytes(atMost limit: Int) throws(JSONError) -> [UInt8] {
        let bytes = bytes
        guard bytes.count <= limit else { throw mismatch(expected: "at most \(limit) bytes") }
        return bytes
    }
}
