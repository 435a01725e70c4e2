import Names
import Pool
import TestSupport
import Testing
import Wire

/// A bookkeeper with its journal, and events of conversations in JSON.
private struct Desk {
    var keeper = Bookkeeper(shards: 4)
    var journal = MemoryJournal(shards: 4)
    let conversation: ConversationID

    init() throws { conversation = try ConversationID("c") }

    /// Takes all events in one turn.
    mutating func take(_ events: String..., as subject: String? = nil, lane: String = "live") throws -> [EventAnswer] {
        let name = subject.map { #","subject":"\#($0)""# } ?? ""
        let text = #"{"events":[\#(events.joined(separator: ","))],"lane":"\#(lane)"\#(name)}"#
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1), at: Timestamp(milliseconds: 1000))
        let judgements = keeper.judge(
            try IngestRequest(parsing: Array(text.utf8)), from: Peer(route: [1]), in: &journal)
        journal.commit(keeper.close())
        return judgements.map(\.answer)
    }

    func place(_ reader: String) throws -> Int64? { journal.readings[ReadingKey(conversation, try SenderID(reader))] }
}

private func title(_ text: String, _ revision: Int) -> String {
    #"{"conversation":"c","revision":\#(revision),"title":"\#(text)"}"#
}
private func read(_ reader: String?, _ place: String) -> String {
    #"{"conversation":"c","read":{\#(reader.map { #""reader":"\#($0)","# } ?? "")\#(place)}}"#
}
private func post(_ message: String, order: Int?, time: Int = 5) -> String {
    let order = order.map { #","order":\#($0)"# } ?? ""
    return #"{"conversation":"c","message":"\#(message)","sender":"ada","time":\#(time),"text":"hi"\#(order)}"#
}

@Test func `of a title the highest revision wins, whatever the order, and it is taken away with an empty one`() throws {
    var desk = try Desk()
    #expect(try desk.take(title("Friends", 3)) == [.accepted])
    #expect(
        try desk.take(title("Friends", 3), title("Foes", 2), title("Family", 4)) == [
            .duplicate, .superseded, .accepted,
        ])
    #expect(desk.journal.conversations[desk.conversation]?.shownTitle == "Family")
    guard case .invalid("title", _) = try desk.take(title("Fans", 4))[0] else { throw Unexpected() }
    #expect(try desk.take(title("", 5)) == [.accepted])
    #expect(desk.journal.conversations[desk.conversation]?.shownTitle == nil)
    #expect(try desk.take(title("Late", 4)) == [.superseded])
}

@Test func `a picture is a register of its own`() throws {
    var desk = try Desk()
    #expect(try desk.take(#"{"conversation":"c","revision":2,"picture":{"url":"x"},"title":"T"}"#) == [.accepted])
    #expect(try desk.take(#"{"conversation":"c","revision":3,"picture":null}"#) == [.accepted])
    let card = desk.journal.conversations[desk.conversation]
    #expect(card?.shownPicture == nil && card?.shownTitle == "T" && card?.title?.revision == Revision(2))
}

@Test func `what somebody has read only rises, in one turn and in many`() throws {
    var desk = try Desk()
    #expect(
        try desk.take(read("ada", #""order":7"#), read("ada", #""order":5"#), read("ada", #""order":7"#)) == [
            .accepted, .superseded, .duplicate,
        ])
    #expect(try desk.take(read("ada", #""order":6"#), read("bob", #""order":1"#)) == [.superseded, .accepted])
    #expect(try desk.place("ada") == 7 && desk.place("bob") == 1 && desk.place("eve") == nil)
}

@Test func `who has read a message has read all up to its order`() throws {
    var desk = try Desk()
    // Posted and read in one turn.
    #expect(try desk.take(post("m", order: 40), read("ada", #""message":"m""#)) == [.accepted, .accepted])
    #expect(try desk.place("ada") == 40)
    for unknown in [read("ada", #""message":"nobody""#), read("ada", #""message":"unplaced""#)] {
        _ = try desk.take(post("unplaced", order: nil))
        guard case .invalid("read.message", _) = try desk.take(unknown)[0] else { throw Unexpected() }
    }
    guard case .invalid("read.reader", _) = try desk.take(read(nil, #""order":1"#))[0] else { throw Unexpected() }
}

private struct Unexpected: Error {}

@Test(arguments: [
    (title("x", 1), "live", "title"), (#"{"conversation":"c","picture":7}"#, "live", "picture"),
    (read("bob", #""order":1"#), "live", "read.reader"), (read("ada", #""order":1"#), "backfill", "lane"),
])
func `a person says how far it has read itself, and nothing else of a conversation`(
    event: String, lane: String, field: String
) throws {
    var desk = try Desk()
    guard case .invalid(field, _) = try desk.take(event, as: "ada", lane: lane)[0] else { throw Unexpected() }
    #expect(desk.journal.conversations.isEmpty && desk.journal.readings.isEmpty)
    #expect(try desk.take(read(nil, #""order":3"#), read("ada", #""order":4"#), as: "ada") == [.accepted, .accepted])
    #expect(try desk.place("ada") == 4)
}

@Test func `a conversation is active when something is said in it, and never in the future`() throws {
    var desk = try Desk()
    _ = try desk.take(post("m1", order: 1, time: 900), post("m2", order: 2, time: 8_000_000_000_000))
    _ = try desk.take(
        #"{"conversation":"c","message":"m1","revision":2,"status":"read"}"#,
        #"{"conversation":"c","message":"m2","revision":2,"deleted":true}"#)
    #expect(desk.journal.entries.map { $0.activity?.milliseconds } == [900, 1000, nil, nil])
}
