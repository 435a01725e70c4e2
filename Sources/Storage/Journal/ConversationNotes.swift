import Bytes
import Names
import Pool
import Wire

/// The changes of conversations themselves since the last merge, from the log.
struct ConversationNotes {
    struct Standing: Equatable {
        /// The latest time at which something was said there, in milliseconds; nil where nothing
        /// was said since the merge.
        var activity: Int64?
        var card: ConversationCard?
        /// The entry that brought the card.
        var last: LogPosition?
    }

    private(set) var standings: [ConversationID: Standing] = [:]
    /// The orders up to which readers have read.
    private(set) var readings: [ReadingKey: Int64] = [:]
    /// Conversations that have changed since this was emptied, for a follower; nil before one asks.
    var touched: Set<ConversationID>?

    var count: Int { standings.count + readings.count }
    /// All conversations in these notes.
    var conversations: Set<ConversationID> { Set(standings.keys).union(readings.keys.lazy.map(\.conversation)) }

    mutating func removeAll() {
        if !standings.isEmpty { standings.removeAll(keepingCapacity: true) }
        if !readings.isEmpty { readings.removeAll(keepingCapacity: true) }
    }

    mutating func note(activity: Int64, in conversation: ConversationID) {
        touched?.insert(conversation)
        let known = standings[conversation]?.activity
        if known.map({ activity > $0 }) ?? true { standings[conversation, default: Standing()].activity = activity }
    }

    mutating func take(_ note: ConversationNote, at place: LogPosition) {
        touched?.insert(note.conversation)
        switch note.said {
        case .card(let card):
            standings[note.conversation, default: Standing()].card = card
            standings[note.conversation]?.last = place
        case .read(let reader, let order): readings[ReadingKey(note.conversation, reader)] = order
        }
    }
}

// The undo for a turn that does not reach the file.
extension ConversationNotes {
    struct Before {
        fileprivate var standings: [(ConversationID, Standing?)] = []
        fileprivate var readings: [(ReadingKey, Int64?)] = []

        mutating func note(_ conversation: ConversationID, in notes: ConversationNotes) {
            standings.append((conversation, notes.standings[conversation]))
        }

        mutating func note(_ note: ConversationNote, in notes: ConversationNotes) {
            switch note.said {
            case .card: self.note(note.conversation, in: notes)
            case .read(let reader, _):
                let key = ReadingKey(note.conversation, reader)
                readings.append((key, notes.readings[key]))
            }
        }
    }

    mutating func restore(_ before: Before) {
        for (conversation, standing) in before.standings.reversed() { standings[conversation] = standing }
        for (key, order) in before.readings.reversed() { readings[key] = order }
    }
}

/// | bytes | |
/// |---|---|
/// | byte | 1 registers, 2 how far somebody has read; 0 where it was wiped |
/// | byte | of registers: flags of those that follow, title 1, picture 2 |
/// | number, block | title, picture: revision, value |
/// | block, signed | of a reading place: reader, order |
extension ConversationNote.Said {
    func write(to writer: inout [UInt8]) {
        switch self {
        case .card(let card):
            writer.append(1)
            card.write(to: &writer)
        case .read(let reader, let order):
            writer.append(2)
            writer.name(reader)
            writer.signed(order)
        }
    }

    /// Nil where it was wiped.
    static func read(from reader: inout PackedReader) throws(ByteError) -> ConversationNote.Said? {
        switch try reader.byte() {
        case 0: nil
        case 1: .card(try ConversationCard(from: &reader))
        case 2: .read(try reader.name(Sender.self), upTo: try reader.signed())
        case let code: throw .unknownCase(code, of: "note")
        }
    }
}

extension ConversationCard {
    func write(to writer: inout [UInt8]) {
        writer.append((title == nil ? 0 : 1) | (picture == nil ? 0 : 2))
        if let title {
            writer.number(title.revision.number)
            writer.block(Array(title.value.utf8))
        }
        if let picture {
            writer.number(picture.revision.number)
            writer.block(picture.value)
        }
    }

    init(from reader: inout PackedReader) throws(ByteError) {
        self.init()
        let present = try reader.byte()
        if present & 1 != 0 {
            let revision = Revision(try reader.number())
            let bytes = try reader.block(atMost: Limits.title, of: "title")
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
            title = MessageCard.Register(revision: revision, value: text)
        }
        if present & 2 != 0 {
            let revision = Revision(try reader.number())
            let bytes = try reader.block(atMost: Limits.picture, of: "picture")
            picture = MessageCard.Register(revision: revision, value: Array(bytes))
        }
    }
}
