import Names
import Pool
import TestSupport
import Testing
import Wire

/// A bookkeeper with its journal, and requests of persons and backends.
private struct Desk {
    var keeper = Bookkeeper(shards: 16)
    var journal = MemoryJournal()
    var time: Int64 = 1_700_000_000_000

    /// Takes all events in one turn.
    mutating func take(_ requests: (subject: String?, event: MessageEvent)..., lane: Lane = .live) throws
        -> [EventAnswer]
    {
        try take(requests, lane: lane)
    }

    mutating func take(_ requests: [(subject: String?, event: MessageEvent)], lane: Lane = .live) throws
        -> [EventAnswer]
    {
        keeper.open(room: IngestRoom(live: 1000, backfill: 1000, retryAfter: 20), at: Timestamp(milliseconds: time))
        var answers: [EventAnswer] = []
        for (subject, event) in requests {
            let request = IngestRequest(
                lane: lane, subject: try subject.map { try SenderID($0) }, events: [.success(event)])
            answers += keeper.judge(request, from: peer(1), in: &journal).map(\.answer)
        }
        journal.commit(keeper.close())
        return answers
    }

    func card(_ id: String) throws -> MessageCard? {
        let key = MessageKey(try ConversationID("c"), try MessageID(id))
        if case .message(let card) = journal.cards[key] { return card } else { return nil }
    }

    func sender(_ id: String) throws -> SenderID? {
        try card(id)?.body.flatMap { journal.body(at: $0.value.at) }?.sender
    }
}

private func event(
    _ id: String = "m", _ revision: UInt64 = 1, by sender: String? = nil, _ text: String = "hello",
    as clientID: String? = nil, order: Int64? = nil, status: String? = nil, reactions: String? = nil,
    deleted: Bool = false
) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id),
        clientID: try clientID.map { try MessageID($0) }, revision: Revision(revision),
        body: try sender.map {
            MessageBody(
                sender: try SenderID($0), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText(text))
        }, order: order, status: status.map { Array($0.utf8) }, reactions: reactions.map { Array($0.utf8) },
        isDeleted: deleted)
}

private func field(_ answer: EventAnswer) -> String? { if case .invalid(let field, _) = answer { field } else { nil } }

@Test func `a person posts, edits and deletes messages of its own`() throws {
    var desk = Desk()
    #expect(try desk.take(("ada", event(by: "ada"))) == [.accepted])
    #expect(try desk.take(("ada", event("m", 2, by: "ada", "better"))) == [.accepted])
    #expect(try desk.take(("ada", event("m", 3, deleted: true))) == [.accepted])
    #expect(try desk.take(("ada", event("m", 3, deleted: true))) == [.duplicate])
    #expect(try desk.take(("ada", event("m", 4, by: "ada", "back"))) == [.superseded])
    #expect(desk.journal.entries.flatMap(\.jobs).count == 3)
}

@Test func `a person changes nothing of a message of another, whoever posted that`() throws {
    for poster in [nil, "ada"] {
        var desk = Desk()
        #expect(try desk.take((poster, event(by: "ada", order: poster == nil ? 7 : nil))) == [.accepted])
        let kept = desk.journal.cards
        let attempts = [
            try event("m", 2, by: "ada", "I never said this"), try event("m", 2, by: "mallory", "mine"),
            try event("m", UInt64(Int64.max), by: "mallory"), try event("m", 2, deleted: true),
            try event("m", 2, by: "mallory", deleted: true), try event("m", 2, order: 9),
            try event("m", 2, status: "\"read\""), try event("m", 2, reactions: "[]"),
            try event("other", 2, by: "mallory", as: "m"), try event("m", 2, by: "mallory", as: "other"),
        ]
        let fields = [
            "sender", "body", "revision", "deleted", "deleted", "order", "status", "reactions", "clientID", "clientID",
        ]
        for (attempt, field) in zip(attempts, fields) {
            guard case .invalid(field, let reason) = try desk.take(("mallory", attempt))[0] else {
                Issue.record("\(attempt)"); continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(desk.journal.cards == kept)
        #expect(try desk.take(("ada", event("m", 2, by: "ada", "as I meant it"))) == [.accepted])
    }
}

@Test func `the second event of a turn is judged by the first`() throws {
    var desk = Desk()
    let answers = try desk.take(
        ("ada", event(by: "ada")), ("mallory", event("m", 2, by: "mallory")), ("mallory", event("m", 2, deleted: true)),
        ("ada", event("m", 2, by: "ada", "better")))
    #expect(answers[0] == .accepted && field(answers[1]) == "body" && field(answers[2]) == "deleted")
    #expect(answers[3] == .accepted)
}

@Test func `what nobody has posted is nobody's to delete, and an id is as many bytes as it has`() throws {
    var desk = Desk()
    #expect(field(try desk.take(("ada", event(deleted: true)))[0]) == "deleted")
    #expect(field(try desk.take(("ada", event(by: "ada", deleted: true)))[0]) == "deleted")
    #expect(desk.journal.entries.isEmpty)
    // Equal by Unicode's rules, and other bytes.
    #expect(field(try desk.take(("caf\u{E9}", event(by: "cafe\u{301}")))[0]) == "sender")
    #expect(try desk.take(("caf\u{E9}", event(by: "caf\u{E9}"))) == [.accepted])
    #expect(field(try desk.take(("cafe\u{301}", event("m", 2, deleted: true)))[0]) == "deleted")
    #expect(field(try desk.take(("ada", event("n", by: "ada")), lane: .backfill)[0]) == "lane")
}

@Test func `a message whose content is not retained is a backend's to change`() throws {
    var desk = Desk()
    #expect(try desk.take(("ada", event(by: "ada"))) == [.accepted])
    desk.journal.entries[0].event.body = nil
    #expect(field(try desk.take(("ada", event("m", 2, by: "ada")))[0]) == "body")
    #expect(field(try desk.take(("ada", event("m", 2, deleted: true)))[0]) == "deleted")
    #expect(try desk.take((nil, event("m", 2, deleted: true))) == [.accepted])
}

@Test func `revisions of persons stay near to what is kept`() throws {
    var desk = Desk()
    #expect(field(try desk.take(("ada", event("m", 1 << 32 + 1, by: "ada")))[0]) == "revision")
    #expect(try desk.take(("ada", event("m", 1 << 32, by: "ada"))) == [.accepted])
    #expect(field(try desk.take(("ada", event("m", 1 << 33 + 1, deleted: true)))[0]) == "revision")
    // A backend's revisions may be times; a person's go on from there.
    #expect(try desk.take((nil, event("m", 1_700_000_000_000, status: "1"))) == [.accepted])
    #expect(try desk.take(("ada", event("m", 1_700_000_000_001, by: "ada", "edited"))) == [.accepted])
}

@Test func `a message of a person gets an order when it comes, once, and a backend may say another`() throws {
    var desk = Desk()
    #expect(try desk.take(("ada", event("a", by: "ada")), ("ada", event("b", by: "ada"))) == [.accepted, .accepted])
    #expect(try desk.card("a")?.order?.value == desk.time && desk.card("b")?.order?.value == desk.time + 1)
    desk.time += 5000
    #expect(try desk.take(("ada", event("a", by: "ada"))) == [.duplicate])
    #expect(try desk.take(("ada", event("a", 2, by: "ada", "edited"))) == [.accepted])
    #expect(try desk.card("a")?.order?.value == desk.time - 5000)
    #expect(try desk.take((nil, event("a", 1, order: 3))) == [.accepted])
    #expect(try desk.card("a")?.order?.value == 3)
    // An order that a backend has said before the person posts stays.
    #expect(try desk.take((nil, event("c", 1, order: 4)), ("ada", event("c", by: "ada"))) == [.accepted, .accepted])
    #expect(try desk.card("c")?.order?.value == 4)
}

// MARK: - Any order of arrival

@Test func `whatever persons ask in whatever order, a message says what its sender or a backend has said`() {
    let persons = ["ada", "grace", "mallory"]
    forEachSeed(800) { random in
        var desk = Desk()
        var owners: [String: String] = [:]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            var turn: [(subject: String?, event: MessageEvent)] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let id = ["a", "b", "c"].randomElement(using: &random)!
                let subject = Int.random(in: 0..<4, using: &random) == 0 ? nil : persons.randomElement(using: &random)!
                let sender = Int.random(in: 0..<5, using: &random) == 0 ? nil : persons.randomElement(using: &random)!
                var asked = try event(
                    id, UInt64.random(in: 1...6, using: &random), by: sender, "\(random.next() % 4)",
                    deleted: Int.random(in: 0..<6, using: &random) == 0)
                if Int.random(in: 0..<6, using: &random) == 0 { asked.order = 3 }
                if Int.random(in: 0..<6, using: &random) == 0 { asked.status = Array("1".utf8) }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    asked.clientID = try MessageID(["a", "b", "c", "d"].randomElement(using: &random)!)
                }
                turn.append((subject, asked))
            }
            let isTogether = Bool.random(using: &random)
            for part in isTogether ? [turn] : turn.map({ [$0] }) {
                let before = desk
                let answers = try desk.take(part)
                guard part.count == 1, let subject = part[0].subject else { continue }
                // The turn is one person's alone: messages of others are as they were.
                for (key, entry) in before.journal.cards {
                    guard case .message(let card) = entry, let place = card.body?.value.at else { continue }
                    guard before.journal.body(at: place)?.sender.text != subject else { continue }
                    guard desk.journal.cards[key] == entry else { return false }
                }
                if answers[0] != .accepted, desk.journal.cards != before.journal.cards { return false }
            }
            for (key, entry) in desk.journal.cards {
                guard case .message(let card) = entry, let place = card.body?.value.at else { continue }
                owners[key.message.text] = desk.journal.body(at: place)?.sender.text
            }
        }
        // Every entry changes a card, and every body is one of a person.
        return desk.journal.entries.allSatisfy { !$0.cards.isEmpty } && owners.values.allSatisfy(persons.contains)
    }
}
