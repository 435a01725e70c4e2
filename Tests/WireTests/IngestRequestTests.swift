import JSON
import TestSupport
import Testing
import Wire

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
