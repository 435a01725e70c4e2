import JSON
import Names
import TestSupport
import Testing
import Wire

@testable import Pool

private struct Desk {
    var keeper = Bookkeeper(shards: 16)
    var journal = MemoryJournal()

    mutating func take(_ subject: String?, _ events: MessageEvent...) throws -> [EventAnswer] {
        keeper.open(room: IngestRoom(live: 1000, backfill: 1000, retryAfter: 20), at: Timestamp(milliseconds: 5))
        let request = IngestRequest(
            subject: try subject.map { try SenderID($0) }, events: events.map { .success($0) })
        let answers = keeper.judge(request, from: peer(1), in: &journal).map(\.answer)
        journal.commit(keeper.close())
        return answers
    }

    func shown() throws -> String? {
        let key = MessageKey(try ConversationID("c"), try MessageID("m"))
        guard case .layOut(let state)? = journal.rows[key] else { return nil }
        return state.reactions.map { String(decoding: $0, as: UTF8.self) }
    }
}

private func event(_ revision: UInt64 = 1, _ change: (inout MessageEvent) throws -> Void) throws -> MessageEvent {
    var event = MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID("m"), revision: Revision(revision))
    try change(&event)
    return event
}

private func post() throws -> MessageEvent {
    try event {
        $0.body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText("hello"))
        $0.order = 1
    }
}

private func react(
    _ reader: String?, _ emoji: [String]? = nil, votes options: [String]? = nil, _ revision: UInt64 = 1
) throws -> MessageEvent {
    try event(revision) {
        $0.react = ReaderChoices(
            reader: try reader.map { try SenderID($0) }, emoji: try emoji?.map { try ChoiceID($0) },
            options: try options?.map { try ChoiceID($0) })
    }
}

private func field(_ answer: EventAnswer) -> String? { if case .invalid(let field, _) = answer { field } else { nil } }

@Test func `what readers say is added up, whoever passes it on, and taken back by the next revision`() throws {
    var desk = Desk()
    #expect(
        try desk.take(nil, post(), react("grace", ["👍"]), react("bob", ["🎉", "👍"])) == [
            .accepted, .accepted, .accepted,
        ])
    #expect(
        try desk.shown()
            == #"[{"emoji":"🎉","count":1,"by":["bob"]},{"emoji":"👍","count":2,"by":["bob","grace"]}]"#)
    #expect(try desk.take("bob", react(nil, ["👍", "🎉", "👍"])) == [.duplicate])
    #expect(try desk.take("bob", react(nil, [], 2)) == [.accepted])
    #expect(try desk.take("bob", react(nil, ["🎉"])) == [.superseded])
    #expect(field(try desk.take("bob", react(nil, ["🎉"], 2))[0]) == "react")
    #expect(try desk.shown() == #"[{"emoji":"👍","count":1,"by":["grace"]}]"#)
    // Votes are another register of the same reader.
    #expect(try desk.take("grace", react(nil, votes: ["b"])) == [.accepted])
    #expect(try desk.shown()?.hasSuffix(#",{"option":"b","count":1,"by":["grace"]}]"#) == true)
    #expect(try desk.take("grace", react(nil, [], votes: [], 9)) == [.accepted])
    #expect(try desk.shown() == nil)
}

@Test func `a person speaks for itself alone, and to what is there`() throws {
    var desk = Desk()
    #expect(field(try desk.take("grace", react(nil, ["👍"]))[0]) == "react")
    #expect(try desk.take(nil, post()) == [.accepted])
    #expect(field(try desk.take("mallory", react("ada", ["👎"]))[0]) == "react.reader")
    #expect(field(try desk.take(nil, react(nil, ["👎"]))[0]) == "react.reader")
    // Any later revision is allowed for a person's own voice, such as the time of a tap.
    #expect(try desk.take("grace", react("grace", ["👍"], 1_700_000_000_000)) == [.accepted])
    #expect(try desk.take("ada", event(2) { $0.isDeleted = true }) == [.accepted])
    #expect(try desk.take("grace", react(nil, ["👍"], 1_800_000_000_000)) == [.superseded])
    guard case .message(let card) = desk.journal.cards.values.first else { return }
    #expect(card.voices.isEmpty)
}

@Test func `an entry of the log names the reader of its choices, who was the subject of the request`() throws {
    var desk = Desk()
    _ = try desk.take(nil, post())
    // Both are first revisions of the same emoji: the card does not tell whose entry is which.
    let answers = try desk.take("grace", react(nil, ["👍"])) + desk.take("bob", react(nil, ["👍"]))
    #expect(answers == [.accepted, .accepted])
    #expect(desk.journal.entries.map { $0.event.react?.reader?.text } == [nil, "grace", "bob"])
}

@Test func `what a backend says of all and what readers say stand side by side, and neither replaces the other`() throws
{
    var desk = Desk()
    let whole = #"[{"emoji":"👍","count":12,"own":true},{"emoji":"🔥","count":3,"by":["grace","eve"]}]"#
    _ = try desk.take(nil, post(), event(7) { $0.reactions = Array(whole.utf8) })
    _ = try desk.take("grace", react(nil, ["👍", "🔥"]))
    // Grace is one of the three already.
    let both =
        #"[{"emoji":"👍","own":true,"count":13,"by":["grace"]},{"emoji":"🔥","count":3,"by":["grace","eve"]}]"#
    #expect(try desk.shown() == both)
    #expect(try desk.take(nil, event(8) { $0.reactions = Array("[]".utf8) }) == [.accepted])
    #expect(
        try desk.shown()
            == #"[{"emoji":"👍","count":1,"by":["grace"]},{"emoji":"🔥","count":1,"by":["grace"]}]"#)
    // Reactions that are no list stay as the backend sent them.
    #expect(try desk.take(nil, event(9) { $0.reactions = Array("7".utf8) }) == [.accepted])
    #expect(try desk.shown() == "7")
}

@Test func `what is too much is refused, and names go before counts do`() throws {
    var desk = Desk()
    _ = try desk.take(nil, post())
    var accepted = 0
    for reader in 0..<400 {
        let answer = try desk.take("reader-\(reader)-\(String(repeating: "x", count: 9))", react(nil, ["👍"]))[0]
        if answer == .accepted { accepted += 1 } else { #expect(field(answer) == "react") }
    }
    #expect(100..<400 ~= accepted)
    #expect(try desk.shown().map { $0.utf8.count <= Limits.reactions } == true)
    #expect(try desk.shown()?.contains(#""count":\#(accepted)"#) == true)

    var other = Desk()
    _ = try other.take(nil, post())
    for reader in 0..<4 {
        #expect(try other.take("r\(reader)", react(nil, (0..<8).map { "\(reader)-\($0)" })) == [.accepted])
    }
    #expect(field(try other.take("last", react(nil, ["one more"]))[0]) == "react.emoji")
    // A backend is never kept out by what readers said.
    let whole = (0..<32).map { #"{"emoji":"\#($0)"}"# }.joined(separator: ",")
    #expect(try other.take(nil, event { $0.reactions = Array("[\(whole)]".utf8) }) == [.accepted])
    #expect(try JSONValue.parse(Array(other.shown()!.utf8)).array?.count == 32)
}

@Test func `what was said is taken back also where a backend has brought a message past the limit`() throws {
    var desk = Desk()
    _ = try desk.take(nil, post())
    let said = try (0..<4).flatMap { reader in
        try desk.take("r\(reader)", react(nil, (0..<8).map { "\(reader)-\($0)" }))
    }
    let more = try desk.take(nil, event { $0.reactions = Array(#"[{"emoji":"🔥"}]"#.utf8) })
    #expect(said + more == Array(repeating: .accepted, count: 5))
    let another = try desk.take("last", react(nil, ["one more"]))
    #expect(field(another[0]) == "react.emoji")
    // An emoji that is there already makes no more of them.
    let same = try desk.take("last", react(nil, ["🔥", "0-0"]))
    let back = try desk.take("r0", react(nil, ["0-0"], votes: nil, 2))
    #expect(same + back == [.accepted, .accepted])
    let room = try desk.take("last", react(nil, ["🔥", "one more"], votes: nil, 2))
    #expect(room == [.accepted])
}

@Test func `voices in any order, in any turns, come to the same`() {
    forEachSeed(300) { random in
        var events = [try post()]
        for revision in 1...UInt64(8) {
            let reader = ["ada", "grace", "bob"].randomElement(using: &random)!
            let choices = ["👍", "🎉", "b"].filter { _ in Bool.random(using: &random) }
            let isVote = Bool.random(using: &random)
            events.append(try react(reader, isVote ? nil : choices, votes: isVote ? choices : nil, revision))
        }
        events.append(try event(3) { $0.reactions = Array(#"[{"emoji":"👍","count":2}]"#.utf8) })
        var shown: Set<String> = []
        for _ in 0..<4 {
            var desk = Desk()
            for event in events.shuffled(using: &random) + [events[1]] {
                if case .invalid = try desk.take(nil, event)[0] { return false }
            }
            shown.insert(try desk.shown() ?? "")
        }
        return shown.count == 1
    }
}
