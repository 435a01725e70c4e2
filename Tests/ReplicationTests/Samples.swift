import Names
import Pool
import Replication
import Secrets
import Wire

/// A cipher that seals records as a daemon does.
struct SodiumCipher: RecordCipher {
    func seal(_ plain: [UInt8], under key: RecordKey, bound: [UInt8]) -> [UInt8] {
        SealedBytes.seal(plain, under: key.bytes, bound: bound)
    }

    func open(_ sealed: ArraySlice<UInt8>, under key: RecordKey, bound: [UInt8]) -> [UInt8]? {
        SealedBytes.open(sealed, under: key.bytes, bound: bound)
    }
}

enum Sample {
    static let hosts = ["a", "b", "c"].map(host)
    static let key = RecordKey([UInt8](repeating: 7, count: RecordKey.length))

    static func host(_ name: String) -> HostID { named(name) }
    static func message(_ name: String) -> MessageID { named(name) }
    static let conversation: ConversationID = named("c1")
    static let ada: SenderID = named("ada")

    private static func named<Subject>(_ text: String) -> Name<Subject> {
        do { return try Name(text) } catch { fatalError("\(error)") }
    }

    static func body(_ text: String) -> MessageBody {
        MessageBody(sender: ada, time: Timestamp(milliseconds: 5), content: Array(text.utf8))
    }

    /// An entry whose every field has something in it.
    static func entry(_ number: Int64, _ text: String = "see you at nine") -> JournalEntry {
        let body = body(text)
        var event = MessageEvent(
            conversation: conversation, message: message("m\(number)"), clientID: message("k\(number)"),
            revision: Revision(3), body: body, order: 9, status: Array("\"sent\"".utf8), reactions: Array("[]".utf8))
        let choices = [try? ChoiceID("👍")].compactMap(\.self)
        event.react = ReaderChoices(reader: ada, emoji: choices)
        var card = MessageCard(number: MessageNumber(number))
        card.body = .init(revision: Revision(3), value: .init(at: LogPosition(number), hash: body.hash))
        card.order = .init(revision: Revision(3), value: 9)
        card.status = .init(revision: Revision(3), value: Array("\"sent\"".utf8))
        card.reactions = .init(revision: Revision(3), value: Array("[]".utf8))
        card.voices = [Voice(reader: ada, kind: .emoji, revision: Revision(3), choices: choices)]
        card.lastJob = JobNumber(UInt64(number) + 1)
        let state = MessageState(
            order: 9, body: body, status: card.status?.value, reactions: card.reactions?.value, revision: Revision(3),
            isFirst: true)
        let job = LayoutJob(
            number: JobNumber(UInt64(number) + 1), message: card.number, conversation: conversation,
            messageID: event.message, work: .layOut(state))
        let absorbed = AbsorbedRow(number: MessageNumber(2), removal: JobNumber(4))
        return JournalEntry(
            event: event, lane: .live,
            cards: [
                CardChange(
                    key: MessageKey(conversation, message("k\(number)")),
                    entry: .alias(of: event.message, absorbed: absorbed)),
                CardChange(key: MessageKey(conversation, event.message), entry: .message(card)),
            ], jobs: [job], activity: Timestamp(milliseconds: 5))
    }

    static func turn(_ first: Int64 = 0, count: Int64 = 1) -> TurnContent {
        TurnContent(first: LogPosition(first), entries: (first..<first + count).map { entry($0) })
    }

    static func record(
        _ body: LogRecord.Body, reign: UInt64 = 1, by host: HostID = hosts[0], link: ChainLink = .start, next: Int64 = 0
    ) -> LogRecord {
        LogRecord(
            head: .init(reign: Reign(reign), host: host, link: link, key: KeyNumber(1)), body: body,
            next: LogPosition(next))
    }

    static let notes = [
        ConversationNote(
            conversation,
            .card(
                ConversationCard(
                    title: .init(revision: Revision(2), value: "Friends"),
                    picture: .init(revision: Revision(1), value: Array("null".utf8))))),
        ConversationNote(conversation, .read(ada, upTo: 12)),
    ]
}
