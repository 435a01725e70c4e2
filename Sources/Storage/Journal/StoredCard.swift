import Bytes
import Names
import Pool
import Wire

/// The value under a key: the entry, and the place of its newest change in the log. From there the
/// changes before it can be found, when all of them are to be forgotten.
struct StoredCard: Equatable {
    var entry: CardEntry
    var last: LogPosition
}

/// | bytes | |
/// |---|---|
/// | byte | 1 a message, 2 another id of one, 3 a message to which readers have said something |
/// | signed | of a message: number |
/// | byte | flags of the fields that follow: body 1, order 2, status 4, reactions 8, deletion 16, last job 32 |
/// | number, signed, 8 | body: revision, place, hash |
/// | number, signed | order: revision, value |
/// | number, block | status, reactions: revision, value |
/// | number | deletion's revision; last job |
/// | number | of code 3: voices of readers; of each: |
/// | block, byte, number | reader, 0 emoji or 1 options, revision |
/// | number, blocks | choices |
/// | block | of another id: the message's; |
/// | byte | 1 when a row was absorbed: |
/// | signed, number | its number, and the job that removes it |
extension CardEntry {
    func write(to writer: inout [UInt8]) {
        switch self {
        case .message(let card):
            // Earlier versions know the code 1, and refuse 3.
            writer.append(card.voices.isEmpty ? 1 : 3)
            card.write(to: &writer)
            if !card.voices.isEmpty { card.writeVoices(to: &writer) }
        case .alias(let message, let absorbed):
            writer.append(2)
            writer.name(message)
            writer.append(absorbed == nil ? 0 : 1)
            if let absorbed {
                writer.signed(absorbed.number.number)
                writer.number(absorbed.removal.number)
            }
        }
    }

    init(from reader: inout PackedReader) throws(ByteError) {
        switch try reader.byte() {
        case 1: self = .message(try MessageCard(from: &reader))
        case 3:
            var card = try MessageCard(from: &reader)
            card.voices = try MessageCard.voices(from: &reader)
            self = .message(card)
        case 2:
            let message = try reader.name(Message.self)
            var absorbed: AbsorbedRow?
            if try reader.byte() != 0 {
                absorbed = AbsorbedRow(
                    number: MessageNumber(try reader.signed()), removal: JobNumber(try reader.number()))
            }
            self = .alias(of: message, absorbed: absorbed)
        case let code: throw .unknownCase(code, of: "card")
        }
    }
}

extension MessageCard {
    private static let (hasBody, hasOrder, hasStatus, hasReactions): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
    private static let (hasDeletion, hasJob): (UInt8, UInt8) = (16, 32)

    fileprivate func write(to writer: inout [UInt8]) {
        writer.signed(number.number)
        var present: UInt8 = 0
        if body != nil { present |= Self.hasBody }
        if order != nil { present |= Self.hasOrder }
        if status != nil { present |= Self.hasStatus }
        if reactions != nil { present |= Self.hasReactions }
        if deletion != nil { present |= Self.hasDeletion }
        if lastJob != nil { present |= Self.hasJob }
        writer.append(present)
        if let body {
            writer.number(body.revision.number)
            writer.signed(body.value.at.number)
            writer.word(UInt32(truncatingIfNeeded: body.value.hash))
            writer.word(UInt32(truncatingIfNeeded: body.value.hash >> 32))
        }
        if let order {
            writer.number(order.revision.number)
            writer.signed(order.value)
        }
        if let status {
            writer.number(status.revision.number)
            writer.block(status.value)
        }
        if let reactions {
            writer.number(reactions.revision.number)
            writer.block(reactions.value)
        }
        if let deletion { writer.number(deletion.number) }
        if let lastJob { writer.number(lastJob.number) }
    }

    fileprivate init(from reader: inout PackedReader) throws(ByteError) {
        let present: UInt8
        (self, present) = try Self.head(from: &reader)
        if present & Self.hasStatus != 0 {
            status = Register(
                revision: Revision(try reader.number()),
                value: Array(try reader.block(atMost: Limits.status, of: "status")))
        }
        if present & Self.hasReactions != 0 {
            reactions = Register(
                revision: Revision(try reader.number()),
                value: Array(try reader.block(atMost: Limits.reactions, of: "reactions")))
        }
        if present & Self.hasDeletion != 0 { deletion = Revision(try reader.number()) }
        if present & Self.hasJob != 0 { lastJob = JobNumber(try reader.number()) }
    }

    /// A card with its number, body and order, and the flags of the fields that follow.
    private static func head(from reader: inout PackedReader) throws(ByteError) -> (card: MessageCard, present: UInt8) {
        var card = MessageCard(number: MessageNumber(try reader.signed()))
        let present = try reader.byte()
        if present & hasBody != 0 {
            let revision = Revision(try reader.number())
            let place = LogPosition(try reader.signed())
            let hash = UInt64(try reader.word()) | UInt64(try reader.word()) << 32
            card.body = Register(revision: revision, value: BodyPlace(at: place, hash: hash))
        }
        if present & hasOrder != 0 {
            card.order = Register(revision: Revision(try reader.number()), value: try reader.signed())
        }
        return (card, present)
    }

    /// The same for a message that is shown; nil for another. It reads no further, and so allocates no memory.
    fileprivate static func shownHead(from reader: inout PackedReader) throws(ByteError) -> MessageCard? {
        let (card, present) = try head(from: &reader)
        return card.order != nil && present & (hasJob | hasDeletion) == hasJob ? card : nil
    }
}

extension MessageCard {
    fileprivate func writeVoices(to writer: inout [UInt8]) {
        writer.number(voices.count)
        for voice in voices {
            writer.name(voice.reader)
            writer.append(voice.kind.rawValue)
            writer.number(voice.revision.number)
            writer.number(voice.choices.count)
            for choice in voice.choices { writer.name(choice) }
        }
    }

    fileprivate static func voices(from reader: inout PackedReader) throws(ByteError) -> [Voice] {
        var voices: [Voice] = []
        for _ in 0..<min(try reader.number(), UInt64(Limits.voices)) {
            let name = try reader.name(Sender.self)
            let code = try reader.byte()
            guard let kind = Voice.Kind(rawValue: code) else { throw .unknownCase(code, of: "voice") }
            let revision = Revision(try reader.number())
            var choices: [ChoiceID] = []
            for _ in 0..<min(try reader.number(), UInt64(Limits.choices)) {
                choices.append(try reader.name(Choice.self))
            }
            voices.append(Voice(reader: name, kind: kind, revision: revision, choices: choices))
        }
        return voices
    }
}

extension StoredCard {
    /// The bytes as stored: the place of the newest change, then the entry.
    func encoded() -> [UInt8] {
        var writer = [UInt8]()
        writer.signed(last.number)
        entry.write(to: &writer)
        return writer
    }

    init(decoding bytes: [UInt8]) throws(ByteError) {
        var reader = PackedReader(bytes)
        last = LogPosition(try reader.signed())
        entry = try CardEntry(from: &reader)
    }

    /// The number and order of a message that is shown (`MessageCard.isShown`), without the rest of
    /// its card; nil for another card.
    static func shownHead(in bytes: [UInt8]) throws(ByteError) -> MessageCard? {
        var reader = PackedReader(bytes)
        _ = try reader.signed()
        switch try reader.byte() {
        case 1, 3: return try MessageCard.shownHead(from: &reader)
        case 2: return nil
        case let code: throw .unknownCase(code, of: "card")
        }
    }
}
