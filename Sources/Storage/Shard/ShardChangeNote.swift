import Bytes
package import Names
package import Wire

/// A change of one row, as readers are told of it.
package struct ShardChangeNote: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// A new layout, or the first.
        case laidOut = 1
        /// The layout is the same; order, sender, time, revision or status are not.
        case touched = 2
        /// The message was deleted.
        case removed = 3
        /// The row was given up to make room; the message may still be.
        case evicted = 4
    }

    package var kind: Kind
    package var conversation: ConversationID
    package var message: MessageID
    package var number: MessageNumber
    /// The order of the row now, or the one that it had, if it is gone.
    package var order: Int64
    /// The stamp under which it was stored in its file.
    package var stamp: Stamp

    package init(
        kind: Kind, conversation: ConversationID, message: MessageID, number: MessageNumber, order: Int64, stamp: Stamp
    ) {
        (self.kind, self.conversation, self.message) = (kind, conversation, message)
        (self.number, self.order, self.stamp) = (number, order, stamp)
    }
}

/// One entry of the change log: a note, with the number of its conversation within the file.
///
/// | bytes | |
/// |---|---|
/// | 1 | kind: laid out 1, touched 2, removed 3, evicted 4 |
/// | number | conversation |
/// | signed | message's number |
/// | block | message's id |
/// | signed | order |
struct ChangeEntry: Equatable {
    var kind: ShardChangeNote.Kind
    var conversation: Int64
    var number: MessageNumber
    var message: MessageID
    var order: Int64

    func write(to writer: inout [UInt8]) {
        writer.append(kind.rawValue)
        writer.number(UInt64(bitPattern: conversation))
        writer.signed(number.number)
        writer.name(message)
        writer.signed(order)
    }
}

extension ChangeEntry {
    init(from reader: inout PackedReader) throws(ByteError) {
        let code = try reader.byte()
        guard let kind = ShardChangeNote.Kind(rawValue: code) else { throw .unknownCase(code, of: "change") }
        self.kind = kind
        conversation = Int64(bitPattern: try reader.number())
        number = MessageNumber(try reader.signed())
        message = try reader.name()
        order = try reader.signed()
    }

    static func list(_ bytes: [UInt8]) throws(ByteError) -> [ChangeEntry] {
        var reader = PackedReader(bytes)
        var entries: [ChangeEntry] = []
        while !reader.isAtEnd { entries.append(try ChangeEntry(from: &reader)) }
        return entries
    }
}
