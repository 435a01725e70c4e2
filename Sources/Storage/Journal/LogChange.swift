import Bytes
import Names
import Pool
import Wire

/// The change of one entry of the log, besides its body: the new cards, and the jobs that it caused.
///
/// An opening makes the cards that are not merged yet again from these changes. Each card names the entry that changed
/// it before, so that everything that was ever said of a message can be found and wiped when the message is deleted.
///
/// | bytes | |
/// |---|---|
/// | 1 | version: 1; 3 where words were taken out of it |
/// | 4 | checksum of all that follows |
/// | 1 | lane |
/// | number | shard |
/// | block | conversation |
/// | number | cards; of each: |
/// | block, number | message, 1 + place of the change before it, or 0 |
/// | byte, rest | 0 and the entry as it is stored, or 1 where it was wiped |
/// | number | jobs; of each: |
/// | number, block | number, message |
/// | byte, signed | 1 and the time at which something was said in the conversation; 0 or nothing where nothing was |
///
/// Version 2 is a change of the conversation itself; behind the checksum it has shard,
/// conversation, `ConversationNote.Said`.
///
/// A change that was wiped is followed by zeros up to the length that it had.
struct LogChange: Equatable {
    struct Card: Equatable {
        var key: MessageKey
        /// Nil where it was wiped, as the message is deleted.
        var entry: CardEntry?
        var previous: LogPosition?
    }

    var lane: Lane
    var shard: Shard
    var conversation: ConversationID
    var cards: [Card]
    var jobs: [(number: JobNumber, message: MessageID)]
    var activity: Int64?
    /// The change of the conversation itself, where it was not wiped.
    var note: ConversationNote?
    private let isNote: Bool

    static func == (a: LogChange, b: LogChange) -> Bool {
        a.lane == b.lane && a.shard == b.shard && a.conversation == b.conversation && a.cards == b.cards
            && a.jobs.elementsEqual(b.jobs) { $0 == $1 } && a.activity == b.activity && a.note == b.note
    }

    private static let version = LogFrame.Part.asWritten
    private static let noteVersion = LogFrame.Part.note
    private static let redactedVersion = LogFrame.Part.redacted
    private static let cardLimit = 8

    func write(to writer: inout [UInt8]) {
        if isNote { return Self.write(note?.said, conversation, shard, to: &writer) }
        let start = writer.count
        Self.begin(&writer, lane, shard, conversation, cards: cards.count)
        for card in cards { Self.card(&writer, card.key.message, card.previous, card.entry) }
        writer.number(jobs.count)
        for job in jobs { Self.job(&writer, job.number, job.message) }
        Self.activity(&writer, activity)
        Self.end(&writer, from: start)
    }

    static func begin(
        _ writer: inout [UInt8], _ lane: Lane, _ shard: Shard, _ conversation: ConversationID, cards: Int
    ) {
        writer.append(version)
        writer.word(0 as UInt32)
        writer.append(lane.rawValue)
        writer.number(shard.number)
        writer.name(conversation)
        writer.number(cards)
    }

    static func card(
        _ writer: inout [UInt8], _ message: MessageID, _ previous: LogPosition?, _ entry: CardEntry?
    ) {
        writer.name(message)
        writer.number(previous.map { UInt64($0.number) + 1 } ?? 0)
        writer.append(entry == nil ? 1 : 0)
        entry?.write(to: &writer)
    }

    static func job(_ writer: inout [UInt8], _ number: JobNumber, _ message: MessageID) {
        writer.number(number.number)
        writer.name(message)
    }

    static func activity(_ writer: inout [UInt8], _ activity: Int64?) {
        writer.append(activity == nil ? 0 : 1)
        if let activity { writer.signed(activity) }
    }

    static func write(_ note: ConversationNote, _ shard: Shard, to writer: inout [UInt8]) {
        write(note.said, note.conversation, shard, to: &writer)
    }

    private static func write(
        _ said: ConversationNote.Said?, _ conversation: ConversationID, _ shard: Shard, to writer: inout [UInt8]
    ) {
        let start = writer.count
        writer.append(noteVersion)
        writer.word(0 as UInt32)
        writer.number(shard.number)
        writer.name(conversation)
        if let said { said.write(to: &writer) } else { writer.append(0) }
        end(&writer, from: start)
    }

    static func end(_ writer: inout [UInt8], from start: Int) {
        writer.replaceWord(at: start + 1, with: Checksum.of(writer[(start + 5)...]))
    }

    init(
        lane: Lane, shard: Shard, conversation: ConversationID, cards: [Card],
        jobs: [(number: JobNumber, message: MessageID)]
    ) {
        (self.lane, self.shard, self.conversation) = (lane, shard, conversation)
        (self.cards, self.jobs, isNote) = (cards, jobs, false)
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(ByteError) {
        var reader = PackedReader(bytes)
        let version = try reader.byte()
        guard [Self.version, Self.noteVersion, Self.redactedVersion].contains(version) else {
            throw .unknownVersion(version)
        }
        let sum = try reader.word()
        guard sum == Checksum.of(reader.remainder) else {
            throw .outOfRange(Int64(sum), of: "checksum of an entry")
        }
        isNote = version == Self.noteVersion
        if isNote {
            (lane, cards, jobs) = (.live, [], [])
            shard = Shard(UInt16(truncatingIfNeeded: try reader.number()))
            conversation = try reader.name()
            note = try ConversationNote.Said.read(from: &reader).map { ConversationNote(conversation, $0) }
            return
        }
        let code = try reader.byte()
        guard let lane = Lane(rawValue: code) else { throw .unknownCase(code, of: "lane") }
        self.lane = lane
        shard = Shard(UInt16(truncatingIfNeeded: try reader.number()))
        conversation = try reader.name()
        (cards, jobs) = ([], [])
        for _ in 0..<min(try reader.number(), UInt64(Self.cardLimit)) {
            let key = MessageKey(conversation, try reader.name())
            let previous = try reader.number()
            guard previous <= UInt64(Int64.max) else { throw .outOfRange(.max, of: "place") }
            let isWiped = try reader.byte() != 0
            cards.append(
                Card(
                    key: key, entry: isWiped ? nil : try CardEntry(from: &reader),
                    previous: previous == 0 ? nil : LogPosition(Int64(previous) - 1)))
        }
        for _ in 0..<min(try reader.number(), UInt64(Self.cardLimit)) {
            jobs.append((JobNumber(try reader.number()), try reader.name()))
        }
        if !reader.isAtEnd, try reader.byte() == 1 { activity = try reader.signed() }
    }

    /// The bytes of the change without the words of messages, as long as before, so that nothing moves in the file.
    func wiped(to length: Int) -> [UInt8] {
        var change = self
        change.note = nil
        for index in change.cards.indices {
            if case .message = change.cards[index].entry { change.cards[index].entry = nil }
        }
        var writer = [UInt8](capacity: length)
        change.write(to: &writer)
        writer.append(contentsOf: repeatElement(0, count: max(0, length - writer.count)))
        if !isNote { writer[0] = Self.redactedVersion }
        Self.end(&writer, from: 0)
        return writer
    }
}

/// A body as it is stored in the log.
///
/// | bytes | |
/// |---|---|
/// | 1 | version: 1; 0 where it was wiped |
/// | 4 | checksum of all that follows |
/// | block, signed | sender, time |
/// | rest | content |
enum LogBody {
    private static let version = LogFrame.Part.asWritten

    static func write(_ body: MessageBody, to writer: inout [UInt8]) {
        let start = writer.count
        writer.append(version)
        writer.word(0 as UInt32)
        writer.name(body.sender)
        writer.signed(body.time.milliseconds)
        writer.append(contentsOf: body.content)
        writer.replaceWord(at: start + 1, with: Checksum.of(writer[(start + 5)...]))
    }

    /// Nil where it was wiped.
    static func body(_ bytes: ArraySlice<UInt8>) throws(ByteError) -> MessageBody? {
        var reader = PackedReader(bytes)
        switch try reader.byte() {
        case LogFrame.Part.wiped: return nil
        case version: break
        case let other: throw .unknownVersion(other)
        }
        let sum = try reader.word()
        guard sum == Checksum.of(reader.remainder) else {
            throw .outOfRange(Int64(sum), of: "checksum of a body")
        }
        let sender = try reader.name(Sender.self)
        let time = try reader.signed()
        return MessageBody(
            sender: sender, time: Timestamp(milliseconds: time), content: Array(reader.remainder))
    }
}
