package import Bytes
package import Names

/// The row that a draft would have, and the rows that would change beside it.
package struct PreviewReply: Hashable, Sendable {
    /// The state of the conversation in which the row would stand there.
    package var cursor: WindowCursor
    /// The row of the draft. It has no number yet; see `MessageNumber.draft`.
    package var row: WindowRow
    /// Rows beside it that would look otherwise: the one above, and the one below, if it were not the last.
    package var neighbours: [WindowRow]

    package init(cursor: WindowCursor, row: WindowRow, neighbours: [WindowRow]) {
        (self.cursor, self.row, self.neighbours) = (cursor, row, neighbours)
    }
}

extension MessageNumber {
    /// The number of a draft's row. The numbers of messages are not negative.
    package static let draft = MessageNumber(-1)
}

package enum DraftRejection: Error, Hashable, Sendable {
    /// A newer draft came for the same window before its turn.
    case superseded
    /// The draft would not be accepted: its author may only read.
    case forbidden
    /// The draft would not be accepted, or could not be laid out.
    case invalid(EventFault)
}

extension PreviewReply: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(cursor)
        writer.value(row)
        writer.list(neighbours)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(cursor: try reader.value(), row: try reader.value(), neighbours: try reader.list(atMost: 2))
    }
}

extension DraftRejection: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .superseded: writer.integer(1 as UInt8)
        case .forbidden: writer.integer(2 as UInt8)
        case .invalid(let fault):
            writer.integer(3 as UInt8)
            writer.text(fault.field, atMost: Limits.objection)
            writer.text(fault.reason, atMost: Limits.objection)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .superseded
        case 2: self = .forbidden
        case 3:
            self = .invalid(
                EventFault(
                    field: try reader.text(atMost: Limits.objection, of: "field"),
                    reason: try reader.text(atMost: Limits.objection, of: "reason")))
        case let code: throw .unknownCase(code, of: "rejection")
        }
    }
}
