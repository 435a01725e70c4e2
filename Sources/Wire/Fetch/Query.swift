package import Bytes
package import MessageLayout
package import Names
import Record

/// Asks for the finished layouts of a conversation at one target, in order.
package struct Query: Equatable, Sendable {
    package var conversation: ConversationID
    package var target: Target
    /// By its place in the style: own, other, other with name.
    package var variant: UInt8
    /// Where the page before ended; nil from the beginning.
    package var after: Position?
    package var limit: UInt16

    package init(
        conversation: ConversationID, target: Target, variant: UInt8 = 0, after: Position? = nil, limit: UInt16 = 50
    ) {
        self.conversation = conversation
        self.target = target
        self.variant = variant
        self.after = after
        self.limit = limit
    }
}

/// One finished message of a page.
package struct StoredRow: Equatable, Sendable {
    package var position: Position
    package var revision: Revision
    /// What `RecordCutter` cut from the cache, and `LayoutRows` reads.
    package var bytes: [UInt8]

    package init(position: Position, revision: Revision, bytes: [UInt8]) {
        self.position = position
        self.revision = revision
        self.bytes = bytes
    }

    /// - Parameter state: of a message that has fewer, the last.
    package func model(state: Int = 0) throws(ByteError) -> LayoutModel {
        var page = LayoutRows()
        try page.append(bytes)
        let states = page.rows[0].states.count
        guard states > 0 else { throw .empty("states") }
        return page.model(row: 0, state: min(state, states - 1))
    }
}

/// The answer to a `Query`: rows in order, and where to go on.
package struct Page: Equatable, Sendable {
    package var rows: [StoredRow]
    /// The `after` of the next query; nil when the conversation ends here.
    package var next: Position?

    package init(rows: [StoredRow], next: Position?) {
        self.rows = rows
        self.next = next
    }
}

extension Query: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(conversation)
        writer.value(target)
        writer.integer(variant)
        writer.integer(limit)
        writer.list(after.map { [$0] } ?? [])
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        conversation = try reader.value()
        target = try reader.value()
        variant = try reader.integer()
        limit = try reader.integer(in: 1...UInt16(Limits.rowsPerPage), of: "limit")
        after = try reader.list(of: Position.self, atMost: 1).first
    }
}

extension StoredRow: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(position)
        writer.value(revision)
        writer.block(bytes)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        position = try reader.value()
        revision = try reader.value()
        bytes = Array(try reader.block(atMost: Limits.frame, of: "row"))
    }
}

extension Page: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.list(rows)
        writer.list(next.map { [$0] } ?? [])
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        rows = try reader.list(atMost: Limits.rowsPerPage)
        next = try reader.list(of: Position.self, atMost: 1).first
    }
}
