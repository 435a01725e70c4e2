import JSON
import TestSupport
import Testing

@testable import Wire

private func events(_ text: String) throws -> [Result<MessageEvent, EventFault>] {
    try IngestRequest(parsing: Array(text.utf8)).events
}

private func event(_ text: String) throws -> MessageEvent { try events(text)[0].get() }

@Test func `a post sets the body and the order`() throws {
    let post = try event(
        #"{"conversation":"c","message":"m","order":7,"sender":"ada","time":5,"body":{"kind":"text", "text":"Hi"}}"#)
    let body = MessageBody(
        sender: try SenderID("ada"), time: Timestamp(milliseconds: 5),
        content: Array(#"{"kind":"text","text":"Hi"}"#.utf8))
    #expect(
        post == MessageEvent(conversation: try ConversationID("c"), message: try MessageID("m"), body: body, order: 7))
}

@Test func `a text may be written shorter`() throws {
    let short = try event(#"{"conversation":"c","message":"m","order":7,"sender":"ada","time":5,"text":"Hi"}"#)
    #expect(short.body?.content == Array(#"{"kind":"text","text":"Hi"}"#.utf8))
}

@Test func `other registers come alone, each event under its own revision`() throws {
    let status = try event(#"{"conversation":"c","message":"m","revision":9,"status":"read"}"#)
    #expect(status.status == Array(#""read""#.utf8) && status.revision == Revision(9) && status.body == nil)
    #expect(try event(#"{"conversation":"c","message":"m","revision":2,"order":-4}"#).order == -4)
    #expect(try event(#"{"conversation":"c","message":"m","deleted":true}"#).isDeleted)
    #expect(try event(#"{"conversation":"c","message":"m","reactions":[{"text":"👍"}]}"#).reactions != nil)
    #expect(try event(#"{"conversation":"c","message":"m","clientID":"t1"}"#).clientID == MessageID("t1"))
}

@Test(arguments: [
    (#"{"conversation":"c"}"#, "", "'message' is missing"),
    (#"{"conversation":"","message":"m","order":1}"#, "conversation", "expected 1 to 255 bytes, found ''"),
    (#"{"conversation":"c","message":"m","time":5,"order":1}"#, "time", "expected no 'time' without a body, found 5"),
    (#"{"conversation":"c","message":"m","text":"x"}"#, "", "'sender' is missing"),
    (
        #"{"conversation":"c","message":"m"}"#, "",
        "expected an event that sets body, order, status, reactions or deleted, found an object of 2"
    ),
    (#"{"conversation":"c","message":"m","order":1,"body":{}}"#, "body", "'kind' is missing"),
    (#"{"conversation":"c","message":"m","order":1.5}"#, "order", "expected an integer, found 1.5"),
])
func `a wrong event is named with its field, and what is wrong with it`(text: String, field: String, reason: String)
    throws
{
    #expect(try events(text) == [.failure(EventFault(field: field, reason: reason))])
    // The others of a request are not touched by it.
    let good = #"{"conversation":"c","message":"m","order":1}"#
    let both = try events(#"{"events":[\#(text),\#(good)]}"#)
    #expect(both[0] == .failure(EventFault(field: field, reason: reason)) && (try? both[1].get()) != nil)
}

@Test(arguments: [
    ("{", "expected a key, found the end of the text"), (#"{"events":7}"#, "expected an array, found 7"),
    (#"{"events":[],"lane":"fast"}"#, "expected 'live' or 'backfill', found 'fast'"),
])
func `what is no request is refused as a whole`(text: String, problem: String) {
    let error = #expect(throws: JSONError.self) { try events(text) }
    #expect(error?.problem.description == problem)
}

@Test func `a request holds no more events than it may`() {
    let text = #"{"events":[\#(Array(repeating: "{}", count: 9).joined(separator: ","))]}"#
    #expect(throws: JSONError.self) { try IngestRequest(parsing: Array(text.utf8), eventLimit: 8) }
}

@Test func `events are read as they were written`() {
    forEachSeed(300) { random in
        var event = try random.messageEvent()
        event.revision = Revision(UInt64.random(in: 0...1 << 60, using: &random))
        event.body?.content = Array(#"{"kind":"text","n":\#(random.next() % 100)}"#.utf8)
        event.status = event.status.map { _ in Array("\"sent\"".utf8) }
        event.reactions = event.reactions.map { _ in Array("[1,2]".utf8) }
        event.order = event.order ?? 1
        let request = try IngestRequest(parsing: IngestRequest.json([event], lane: .backfill))
        return request == IngestRequest(lane: .backfill, events: [.success(event)])
    }
}

/// What programs send, more or less: fields in any order, here and there with space, and some that are not as they should be.
private func request(using random: inout SplitMix64) -> String {
    func any(_ choices: [String]) -> String { choices.randomElement(using: &random)! }
    /// Now and then something odd.
    func mostly(_ usual: String, _ odd: [String]) -> String {
        Int.random(in: 0..<8, using: &random) == 0 ? any(odd) : usual
    }
    func space() -> String { any(["", "", "", " ", "\n\t"]) }
    func event() -> String {
        var fields = [
            #""conversation":\#(mostly(#""c1""#, [#""c\u0031""#, #""""#, "7", #""kö""#]))"#,
            #""message":\#(any([#""m1""#, #""m 2""#]))"#,
            #""order":\#(mostly("1", ["-4", "0", "-0", "1.0", "1e2", "999999999999999999", "9999999999999999999"]))"#,
        ]
        let bodies = [
            #""sender":"ada","time":5,"body":{"kind":"text",\#(space())"text":"Hi \"you\"\n"}"#,
            #""sender":"ada","time":5,"body":{"kind":"poll","options":[1,\#(space())true, null,{"a":{}}],"kind":"x"}"#,
            #""sender":"ada","time":5,"body":{"text":"no kind"}"#, #""sender":"ada","body":{"kind":"text"}"#,
            #""sender":"ada","time":5,"text":"short \u00e9 é"#, #""sender":"ada","time":5,"text":"short""#,
            #""status":"read""#, #""reactions":[{"emoji":"👍","count":1.50}]"#, #""deleted":\#(any(["true", "1"]))"#,
            #""clientID":"t1""#, #""revision":\#(any(["2", "-1"]))"#, #""unknown":1"#, #""status": 0.5"#,
        ]
        for _ in 0..<Int.random(in: 0...3, using: &random) { fields.append(mostly(bodies[0], bodies)) }
        fields.shuffle(using: &random)
        return "{" + fields.map { space() + $0 }.joined(separator: space() + ",") + space() + "}"
    }
    let events = (0..<Int.random(in: 0...3, using: &random)).map { _ in event() }.joined(separator: ",")
    let lane = mostly("", [#","lane":"backfill""#, #","lane":"fast""#])
    return any([space() + event(), #"{"events":[\#(events)\#(space())]\#(lane)}"#, #"{"events":[\#(events)]}"#])
}

@Test func `what is read without making values of it is what the parser makes of it`() {
    var plain = 0
    forEachSeed(3000) { random in
        var bytes = Array(request(using: &random).utf8)
        if Int.random(in: 0..<4, using: &random) == 0 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(random.next() % 128)
        }
        guard let read = IngestRequest(plainly: bytes, eventLimit: 2) else { return true }
        plain += 1
        return try read == IngestRequest(carefully: bytes, eventLimit: 2)
    }
    #expect(plain > 300)
}

@Test func `what Forme writes itself, and what programs write with space, is read without values`() throws {
    let body = #"{"kind": "photo", "photo": {"width": 1600, "height": 1200}, "caption": "Here \"we\" are\n"}"#
    let fields = #""conversation": "c1", "message": "m1", "order": 1, "sender": "ada", "time": 1700000000000"#
    let read = try #require(IngestRequest(plainly: Array(#"{\#(fields), "body": \#(body)}"#.utf8), eventLimit: 1))
    let event = try read.events[0].get()
    #expect(
        event.body?.content
            == Array(#"{"kind":"photo","photo":{"width":1600,"height":1200},"caption":"Here \"we\" are\n"}"#.utf8))
    #expect(IngestRequest(plainly: IngestRequest.json([event]), eventLimit: 1) == read)
}

@Test func `answers are read as they were written`() throws {
    let answers: [EventAnswer] = [
        .accepted, .duplicate, .superseded, .busy(retryAfter: 40), .invalid(field: "body.text", reason: "too \"long\""),
    ]
    #expect(try EventAnswer.answers(parsing: EventAnswer.json(answers)) == answers)
    #expect(
        try EventAnswer.answers(parsing: EventAnswer.json(error: "not JSON")) == [
            .invalid(field: "", reason: "not JSON")
        ])
}
