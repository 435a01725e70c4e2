import Names
import Pool
import TestSupport
import Testing
import Wire

/// A bookkeeper with its journal, and events in few words.
private struct Desk {
    var keeper: Bookkeeper
    var journal = MemoryJournal()

    init(_ change: (inout IngestLimits) -> Void = { _ in }) {
        var limits = IngestLimits()
        change(&limits)
        keeper = Bookkeeper(shards: 16, limits: limits)
    }

    /// Takes all events in one turn.
    mutating func take(
        _ events: MessageEvent..., room: Int = 1000, lane: Lane = .live
    ) -> [EventAnswer] {
        take(events, room: room, lane: lane)
    }

    mutating func take(_ events: [MessageEvent], room: Int = 1000, lane: Lane = .live) -> [EventAnswer] {
        keeper.open(room: IngestRoom(live: room, backfill: room / 2, retryAfter: 20))
        let request = IngestRequest(lane: lane, events: events.map { .success($0) })
        let judgements = keeper.judge(request, from: peer(1), in: &journal)
        journal.commit(keeper.close())
        return judgements.map(\.answer)
    }

    var works: [LayoutJob.Work] { journal.entries.flatMap(\.jobs).map(\.work) }
    var lastState: MessageState? { if case .layOut(let state) = works.last { state } else { nil } }

    func card(_ id: String) throws -> MessageCard? {
        if case .message(let card) = journal.cards[try key(id)] { card } else { nil }
    }
}

private func key(_ id: String) throws -> MessageKey { MessageKey(try ConversationID("c"), try MessageID(id)) }

private func event(
    _ id: String = "m", _ revision: UInt64 = 1, as clientID: String? = nil, _ text: String? = nil, order: Int64? = nil,
    status: String? = nil, deleted: Bool = false
) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id),
        clientID: try clientID.map { try MessageID($0) }, revision: Revision(revision),
        body: try text.map {
            MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText($0))
        }, order: order, status: status.map { Array($0.utf8) }, isDeleted: deleted)
}

private func post(_ id: String = "m", _ text: String = "hello") throws -> MessageEvent {
    try event(id, 1, text, order: 1)
}

@Test func `a post is accepted and laid out, and known when it comes again`() throws {
    var desk = Desk()
    #expect(desk.take(try post()) == [.accepted])
    #expect(desk.lastState?.isFirst == true)
    #expect(desk.take(try post()) == [.duplicate])
    #expect(desk.take(try post("n"), try post("n")) == [.accepted, .duplicate])
    #expect(desk.works.count == 2)
}

@Test func `the same revision with another value is refused, and the field is named`() throws {
    var desk = Desk()
    _ = desk.take(try post(), try event(status: "1"))
    let reason = "revision 1 is known with another value; raise it"
    #expect(desk.take(try post("m", "other")) == [.invalid(field: "body", reason: reason)])
    #expect(desk.take(try event(order: 2)) == [.invalid(field: "order", reason: reason)])
    #expect(desk.take(try event(status: "2", deleted: false)) == [.invalid(field: "status", reason: reason)])
    #expect(desk.works.count == 2)
}

@Test func `a message is laid out when its body and its order are there, whichever comes first`() throws {
    var desk = Desk()
    #expect(desk.take(try event(order: 4), try event("m", 3, status: "9")) == [.accepted, .accepted])
    #expect(desk.works.isEmpty)
    #expect(desk.take(try event("m", 2, "late")) == [.accepted])
    #expect(desk.lastState?.order == 4)
    #expect(desk.lastState?.status == Array("9".utf8))
    #expect(desk.lastState?.revision == Revision(2))
}

@Test func `older values are superseded, and newer ones are laid out with the body that is known`() throws {
    var desk = Desk()
    _ = desk.take(try event("m", 5, "new", order: 1))
    #expect(desk.take(try event("m", 4, "old")) == [.superseded])
    #expect(desk.take(try event("m", 6, order: 2)) == [.accepted])
    #expect(desk.lastState?.body.content == MessageEvent.plainText("new"))
    #expect(desk.lastState?.isFirst == false)
}

@Test func `a body that is no longer kept leaves its layout as it is`() throws {
    var desk = Desk()
    _ = desk.take(try post())
    desk.journal.entries[0].event.body = nil
    #expect(desk.take(try event("m", 2, order: 9)) == [.accepted])
    #expect(desk.works.last == .amend(order: 9, status: nil))
}

@Test func `a delete absorbs what was said before and what is said later`() throws {
    var desk = Desk()
    #expect(desk.take(try post(), try event("m", 2, deleted: true)) == [.accepted, .accepted])
    #expect(desk.works.last == .remove)
    #expect(desk.take(try event("m", 9, "back", order: 3)) == [.superseded])
    #expect(desk.take(try event("m", 2, deleted: true)) == [.duplicate])
    #expect(desk.take(try event("m", 1, deleted: true)) == [.superseded])
    #expect(desk.take(try event("m", 3, deleted: true)) == [.accepted])
    #expect(desk.works.count == 2)
    #expect(try desk.card("m")?.body == nil)
}

@Test func `a message that is deleted before it came has no job`() throws {
    var desk = Desk()
    #expect(desk.take(try event("m", 2, deleted: true), try post()) == [.accepted, .superseded])
    #expect(desk.works.isEmpty)
}

@Test func `a local echo takes the id of the backend, and keeps its row`() throws {
    var desk = Desk()
    _ = desk.take(try post("echo"))
    #expect(desk.take(try event("m", 1, as: "echo", "hello", order: 1)) == [.accepted])
    #expect(desk.take(try event("m", 1, as: "echo", "hello", order: 1)) == [.duplicate])
    #expect(desk.journal.cards[try key("echo")] == .alias(of: try MessageID("m")))
    #expect(desk.journal.rows.keys.map(\.message.text) == ["m"])
    #expect(Set(desk.journal.entries.flatMap(\.jobs).map(\.message)).count == 1)
    #expect(desk.take(try event("echo", 2, status: "1")) == [.accepted])
    #expect(try desk.card("m")?.status?.revision == Revision(2))
}

@Test func `an echo that comes after its confirmation is known`() throws {
    var desk = Desk()
    #expect(desk.take(try event("m", 1, as: "echo", "hello", order: 1), try post("echo")) == [.accepted, .duplicate])
    #expect(desk.journal.rows.keys.map(\.message.text) == ["m"])
}

@Test func `two messages that turn out to be the same become one, with one row`() throws {
    var desk = Desk()
    _ = desk.take(try event("echo", 1, "hello", order: 1), try event("m", 2, "hello, edited", order: 2))
    #expect(desk.take(try event("m", 1, as: "echo")) == [.accepted])
    #expect(desk.works.last == .remove)
    #expect(desk.journal.rows.keys.map(\.message.text) == ["m"])
    guard case .alias(_, let absorbed?) = desk.journal.cards[try key("echo")] else {
        Issue.record("the alias does not know the row that goes")
        return
    }
    #expect(absorbed.removal == desk.journal.entries.last?.jobs.first?.number)
}

@Test func `a client's id belongs to one message`() throws {
    var desk = Desk()
    _ = desk.take(try event("m", 1, as: "echo", "hello", order: 1))
    #expect(
        desk.take(try event("n", 1, as: "echo", "hello", order: 1)) == [
            .invalid(field: "clientID", reason: "is the client's id of 'm' already")
        ])
}

@Test func `past its room a lane is busy, and nothing grows`() throws {
    var desk = Desk()
    let posts = try (0..<5).map { try post("m\($0)") }
    #expect(
        desk.take(posts, room: 3) == [.accepted, .accepted, .accepted]
            + Array(repeating: .busy(retryAfter: 20, reason: .full), count: 2))
    #expect(desk.take(posts, room: 6, lane: .backfill).count { $0 == .accepted } == 2)
    #expect(desk.journal.entries.count == 5)
}

@Test func `past a limit the answer names it`() throws {
    var desk = Desk { ($0.messageBytes, $0.textBytes, $0.eventsPerRequest) = (60, 20, 3) }
    let texts = ["short", "of twenty-one letters", String(repeating: "x", count: 60), "one too many"]
    let events = try texts.enumerated().map { try post("m\($0)", $1) }
    #expect(
        desk.take(events) == [
            .accepted, .invalid(field: "body", reason: "expected texts of at most 20 bytes"),
            .invalid(field: "body", reason: "expected at most 60 bytes"),
            .invalid(field: "events", reason: "expected at most 3 in one request"),
        ])
}

@Test func `a connection speaks of as many conversations as it may`() throws {
    var desk = Desk { $0.conversationsPerConnection = 2 }
    let events = try ["a", "b", "c", "a"].map {
        MessageEvent(conversation: try ConversationID($0), message: try MessageID("m"), order: 1)
    }
    let refusal = EventAnswer.invalid(
        field: "conversation", reason: "expected at most 2 conversations from one connection")
    #expect(desk.take(events) == [.accepted, .accepted, refusal, .duplicate])
}

@Test func `conversations of connections that another host has are not counted here`() throws {
    var desk = Desk { ($0.conversationsPerConnection, $0.conversationsRemembered) = (1, 1) }
    desk.keeper.open(room: IngestRoom(live: 1000, backfill: 500, retryAfter: 20))
    let known = desk.keeper.judge(IngestRequest(events: [.success(try post("m"))]), from: peer(1), in: &desk.journal)
    let events = try ["a", "b", "d"].map {
        MessageEvent(conversation: try ConversationID($0), message: try MessageID("m"), order: 1)
    }
    let request = IngestRequest(events: events.map { .success($0) })
    let others = try desk.keeper.take(request, from: nil, in: &desk.journal)
    // The conversation of the connection was not forgotten for those.
    let again = desk.keeper.judge(request, from: peer(1), in: &desk.journal)
    #expect(known.map(\.answer) == [.accepted] && others.map(\.answer) == [.accepted, .accepted, .accepted])
    let refusal = EventAnswer.invalid(
        field: "conversation", reason: "expected at most 1 conversations from one connection")
    #expect(again.map(\.answer) == [refusal, refusal, refusal])
}

@Test func `an event of a turn that was not committed is to be sent again, unless it is wrong by itself`() throws {
    var desk = Desk { $0.messageBytes = 60 }
    _ = desk.take(try post("old"))
    desk.keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
    let events = [
        try post("new"), try post("new"), try post("old"), try event("new", 1, "another", order: 1),
        try post("long", String(repeating: "x", count: 60)),
    ]
    let request = IngestRequest(
        events: events.map { .success($0) } + [.failure(EventFault(field: "order", reason: "no"))])
    let judgements = desk.keeper.judge(request, from: peer(1), in: &desk.journal)
    let told = judgements.map(\.answer)
    #expect(told.prefix(3) == [.accepted, .duplicate, .duplicate])
    #expect(told[3] == .invalid(field: "body", reason: "revision 1 is known with another value; raise it"))
    // The fourth event was judged by the first, which was not kept.
    let busy = EventAnswer.busy(retryAfter: 9, reason: .disk)
    #expect(judgements.map { $0.unkept(retryAfter: 9) } == [busy, busy, busy, busy, told[4], told[5]])
}

// MARK: - Any order of arrival

/// Random events of every sort for a message that a client posted as "echo" and the backend calls "m".
private func history(using random: inout SplitMix64) throws -> [MessageEvent] {
    var events: [MessageEvent] = []
    for revision in 1...UInt64.random(in: 2...7, using: &random) {
        var event = try event(Bool.random(using: &random) ? "m" : "echo", revision)
        if Bool.random(using: &random) { event.body = try post("m", "text \(revision)").body }
        if Bool.random(using: &random) { event.order = Int64(revision % 3) }
        if Bool.random(using: &random) { event.status = Array("\(revision)".utf8) }
        if Bool.random(using: &random) { event.reactions = Array("[\(revision)]".utf8) }
        event.isDeleted = Int.random(in: 0..<12, using: &random) == 0
        events.append(event)
    }
    events.append(try event("m", 1, as: "echo"))
    return events
}

/// The state that must be the same in any order of arrival: the values of registers, not their positions, and the
/// row.
private struct Outcome: Equatable {
    var registers: MessageCard?
    var body: MessageBody?
    var row: [UInt8]?
    var rows: Int

    init(_ desk: Desk) throws {
        var card = MessageCard(number: MessageNumber(0))
        let known = try desk.card("m")
        body = (known?.body?.value.at).flatMap { desk.journal.body(at: $0) }
        card.body = known?.body.map {
            .init(revision: $0.revision, value: MessageCard.BodyPlace(at: LogPosition(0), hash: $0.value.hash))
        }
        (card.order, card.status, card.reactions) = (known?.order, known?.status, known?.reactions)
        card.deletion = known?.deletion
        registers = known == nil ? nil : card
        rows = desk.journal.rows.count
        guard case .layOut(var state) = desk.journal.rows[try key("m")] else { return }
        state.isFirst = false
        row = state.encoded()
    }
}

@Test func `mixed operations in any order, in any number of turns, end in the same registers and the same bytes`() {
    forEachSeed(600) { random in
        let events = try history(using: &random)
        var outcomes: [Outcome] = []
        for _ in 0..<4 {
            var desk = Desk()
            var rest = events.shuffled(using: &random)[...]
            // Some come twice, as answers are lost.
            rest.append(contentsOf: rest.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
            while !rest.isEmpty {
                let turn = rest.prefix(.random(in: 1...4, using: &random))
                rest.removeFirst(turn.count)
                let answers = desk.take(Array(turn))
                guard !answers.contains(where: { if case .invalid = $0 { true } else { false } }) else { return false }
            }
            outcomes.append(try Outcome(desk))
        }
        return outcomes.allSatisfy { $0 == outcomes[0] && $0.rows == ($0.row == nil ? 0 : 1) }
    }
}
