package import MessageLayout

/// Asks for the finished models of a conversation at one target, in order.
package struct Query: Equatable, Sendable {
    package var conversation: ConversationID
    package var target: Target
    /// Where the page before ended; nil from the beginning.
    package var after: Position?
    package var limit: UInt16

    package init(conversation: ConversationID, target: Target, after: Position? = nil, limit: UInt16 = 50) {
        self.conversation = conversation
        self.target = target
        self.after = after
        self.limit = limit
    }
}

/// The place of a message in its conversation: by order, and by message where orders are equal.
package struct Position: Hashable, Comparable, Sendable {
    package var order: Int64
    package var message: MessageID

    package init(order: Int64, message: MessageID) {
        self.order = order
        self.message = message
    }

    package static func < (a: Position, b: Position) -> Bool {
        a.order == b.order ? a.message < b.message : a.order < b.order
    }
}

/// One finished message of a page.
package struct StoredModel: Equatable, Sendable {
    package var position: Position
    package var revision: UInt32
    /// The bytes of a `ThinModel`, cut from the cache as they were written.
    package var model: [UInt8]

    package init(position: Position, revision: UInt32, model: [UInt8]) {
        self.position = position
        self.revision = revision
        self.model = model
    }
}

/// The answer to a `Query`: rows in order, and where to go on.
package struct Page: Equatable, Sendable {
    package var rows: [StoredModel]
    /// The `after` of the next query; nil when the conversation ends here.
    package var next: Position?

    package init(rows: [StoredModel], next: Position?) {
        self.rows = rows
        self.next = next
    }
}

extension Query: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        writer.value(target)
        writer.integer(limit)
        writer.list(after.map { [$0] } ?? [])
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        conversation = try reader.value()
        target = try reader.value()
        limit = try reader.integer()
        guard 1...Limits.rowsPerPage ~= Int(limit) else { throw .outOfRange(Int64(limit), of: "limit") }
        after = try reader.list(of: Position.self, atMost: 1).first
    }
}

extension Position: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(order)
        writer.value(message)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        order = try reader.integer()
        message = try reader.value()
    }
}

extension StoredModel: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(position)
        writer.integer(revision)
        writer.block(model)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        position = try reader.value()
        revision = try reader.integer()
        model = Array(try reader.block(atMost: Limits.frame, of: "model"))
    }
}

extension Page: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.list(rows)
        writer.list(next.map { [$0] } ?? [])
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        rows = try reader.list(atMost: Limits.rowsPerPage)
        next = try reader.list(of: Position.self, atMost: 1).first
    }
}
