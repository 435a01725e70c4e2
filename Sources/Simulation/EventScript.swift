import Names
import Wire

/// The events that producers will send, with their times: posts, edits, statuses, reactions, moves, deletes and
/// confirmed echoes, mixed.
struct EventScript {
    struct Line {
        var at: Instant
        var producer: Int
        var lane: Lane
        /// The message event; nil where a producer sends something else.
        var event: MessageEvent?
        /// The event of a conversation itself.
        var note: ConversationEvent?
        /// The person for whom it is sent; nil where the backend acts for itself.
        var subject: SenderID?

        var said: ChatEvent? { event.map { .message($0) } ?? note.map { .conversation($0) } }

        /// Whether a person removes another's message, which must be refused whatever is kept.
        var isForbidden: Bool { event?.isDeleted == true && subject == EventScript.stranger }
    }

    private(set) var lines: [Line] = []
    private var messages: [(conversation: Int, name: Int, revision: UInt64, isConfirmed: Bool)] = []
    private let conversations: [ConversationID]
    private let senders = ["ada", "grace"].map { SenderID(own: $0) }
    private static let readers = ["ada", "grace", "bob"].map { SenderID(own: $0) }
    static let stranger = SenderID(own: "mallory")

    /// The first byte of a body decides its fate.
    static let plain: UInt8 = 0
    static let refused: UInt8 = 1
    static let poison: UInt8 = 2

    init(_ scenario: Scenario, _ dice: inout Dice) {
        conversations = (0..<scenario.conversations).map { ConversationID(own: "c\($0)") }
        // These have dice of their own, so that a seed keeps the lines that it had before persons spoke.
        var personDice = Dice(seed: ~scenario.seed << 3)
        var noteDice = Dice(seed: ~scenario.seed << 5)
        var poisons = scenario.faults.contains(.poison) ? 2 : 0
        for number in 0..<scenario.events {
            // Somewhat out of order, so that a status comes before its post.
            let jitter = dice.happens(200) ? dice.number(0...2 * Length.second) : 0
            let at = Instant(scenario.duration / scenario.events * number + jitter)
            var line = Line(
                at: at, producer: dice.number(0...scenario.producers - 1), lane: dice.happens(120) ? .backfill : .live)
            if !dice.happens(4) {
                var kind = dice.happens(4) ? Self.refused : Self.plain
                if poisons > 0, number > scenario.events / 4, dice.happens(5) {
                    (kind, poisons) = (Self.poison, poisons - 1)
                }
                line.event = event(kind, &dice)
            }
            lines.append(line)
            if noteDice.happens(60) { lines.append(noteLine(number, at: at, &noteDice, scenario)) }
            guard !messages.isEmpty, personDice.happens(60) else { continue }
            lines.append(personLine(at: at, &personDice, scenario))
        }
        lines.sort { $0.at < $1.at }
    }

    private mutating func event(_ kind: UInt8, _ dice: inout Dice) -> MessageEvent {
        guard !messages.isEmpty, !dice.happens(500), kind == Self.plain else { return post(kind, &dice) }
        // Mostly a recent one.
        let back = min(dice.number(0...messages.count - 1), dice.number(0...messages.count - 1))
        let place = messages.count - 1 - back
        var event = self.event(of: place)
        switch dice.number(0...9) {
        case 0...1: event.body = body(place, Self.plain)
        case 2...3: event.status = Array("\(messages[place].revision)".utf8)
        case 4: event.reactions = Array("[\(messages[place].revision)]".utf8)
        case 5: event.order = Int64(dice.number(0...1000))
        case 6:
            event.status = Array("\"read\"".utf8)
            event.order = Int64(dice.number(0...1000))
        case 7: event.isDeleted = true
        default:
            // The backend's id for a message that a client has posted.
            messages[place].isConfirmed = true
            event.message = name("m", place)
            event.clientID = name("k", place)
        }
        return event
    }

    /// A reader's reaction or vote, sent by the reader or by the backend; or a deletion, by the writer of the message
    /// or by a stranger.
    private mutating func personLine(at: Instant, _ dice: inout Dice, _ scenario: Scenario) -> Line {
        let place = dice.number(0...messages.count - 1)
        var event = event(of: place)
        var subject: SenderID?
        if dice.happens(100) {
            event.isDeleted = true
            subject = dice.happens(500) ? senders[place % 2] : Self.stranger
        } else {
            let reader = dice.one(of: Self.readers)
            let choices = dice.happens(200) ? [] : [ChoiceID(own: "c\(dice.number(0...2))")]
            let isVote = dice.happens(400)
            if dice.happens(600) { subject = reader }
            event.react = ReaderChoices(
                reader: subject == nil || dice.happens(300) ? reader : nil, emoji: isVote ? nil : choices,
                options: isVote ? choices : nil)
        }
        return Line(
            at: at, producer: dice.number(0...scenario.producers - 1), lane: .live, event: event, subject: subject)
    }

    /// The title of a conversation, or the place up to which a person has read it: no two lines are the same.
    private func noteLine(_ number: Int, at: Instant, _ dice: inout Dice, _ scenario: Scenario) -> Line {
        var note = ConversationEvent(conversation: dice.one(of: conversations), revision: Revision(UInt64(number + 1)))
        var subject: SenderID?
        if dice.happens(300) {
            note.title = "title \(number)"
        } else {
            let reader = dice.one(of: Self.readers)
            if dice.happens(600) { subject = reader }
            // Mostly further than before, and sometimes out of order.
            let order =
                Int64(10 * number - (dice.happens(200) ? 10 * dice.number(0...number) : 0)) * 1000 + Int64(number)
            note.read = ReadMark(reader: subject == nil || dice.happens(300) ? reader : nil, .order(order))
        }
        return Line(
            at: at, producer: dice.number(0...scenario.producers - 1), lane: .live, note: note, subject: subject)
    }

    private mutating func post(_ kind: UInt8, _ dice: inout Dice) -> MessageEvent {
        // A few conversations have most of the messages.
        let crowd = conversations.count - 1
        let conversation = min(dice.number(0...crowd), dice.number(0...crowd), dice.number(0...crowd))
        messages.append((conversation, messages.count, 0, dice.happens(700)))
        var event = event(of: messages.count - 1)
        event.body = body(messages.count - 1, kind)
        if !dice.happens(100) { event.order = Int64(messages.count) }
        return event
    }

    private mutating func event(of place: Int) -> MessageEvent {
        messages[place].revision += 1
        return MessageEvent(
            conversation: conversations[messages[place].conversation],
            message: name(messages[place].isConfirmed ? "m" : "k", place),
            revision: Revision(messages[place].revision))
    }

    private func name(_ kind: String, _ place: Int) -> MessageID { MessageID(own: "\(kind)\(place)") }

    private func body(_ place: Int, _ kind: UInt8) -> MessageBody {
        let revision = messages[place].revision
        let content = [kind] + (0..<6).map { UInt8(truncatingIfNeeded: (UInt64(place) << 16 | revision) >> ($0 * 8)) }
        return MessageBody(
            sender: senders[place % 2], time: Timestamp(milliseconds: Int64(place)), content: content)
    }
}
