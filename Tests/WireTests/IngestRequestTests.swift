import JSON
import Names
import TestSupport
import Testing

@testable import Wire

private func events(_ text: String) throws -> [Result<MessageEvent, EventFault>] {
    try IngestRequest(parsing: Array(text.utf8)).events.map { event in event.map { $0.message! } }
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
        "expected an event that sets body, order, status, reactions, react or deleted, found an object of 2"
    ),
    (#"{"conversation":"c","message":"m","order":1,"body":{}}"#, "body", "'kind' is missing"),
    (#"{"conversation":"c","message":"m","order":1.5}"#, "order", "expected an integer, found 1.5"),
    (
        #"{"conversation":"c","message":"m","sender":"ada","time":9223372036854775807,"text":"x"}"#, "time",
        "expected -8640000000000000...8640000000000000, found 9223372036854775807"
    ),
])
func `a wrong event is named with its field, and what is wrong with it`(text: String, field: String, reason: String)
    throws
{
    #expect(try events(text) == [.failure(EventFault(field: field, reason: reason))])
    // The other events of a request are not touched by it.
    let good = #"{"conversation":"c","message":"m","order":1}"#
    let both = try events(#"{"events":[\#(text),\#(good)]}"#)
    #expect(both[0] == .failure(EventFault(field: field, reason: reason)) && (try? both[1].get()) != nil)
}

@Test(arguments: [
    ("{", "expected a key, found the end of the text"), (#"{"events":7}"#, "expected an array, found 7"),
    ("null", "expected an object, found null"), ("[]", "expected an object, found an array of 0"),
    ("1", "expected an object, found 1"), (#""events""#, "expected an object, found 'events'"),
    (#"{"events":[],"lane":"fast"}"#, "expected 'live' or 'backfill', found 'fast'"),
])
func `what is no request is refused as a whole`(text: String, problem: String) {
    let error = #expect(throws: JSONError.self) { try events(text) }
    #expect(error?.problem.description == problem)
}

@Test func `a request may hold what many users say in one conversation, each under their own name`() throws {
    let senders = ["ada", "ben", "cem", "ada", "dee"]
    let said = senders.enumerated().map { number, sender in
        #"{"conversation":"c","message":"m\#(number)","order":\#(number),"sender":"\#(sender)","time":5,"text":"Hi"}"#
    }
    let events = try events(#"{"events":[\#(said.joined(separator: ","))]}"#).map { try $0.get() }
    #expect(events.map { $0.body?.sender.text } == senders)
    #expect(events.map(\.message.text) == ["m0", "m1", "m2", "m3", "m4"])
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

/// A request more or less as programs send it: fields in any order, space here and there, and some values that are
/// wrong.
private func request(using random: inout SplitMix64) -> String {
    func any(_ choices: [String]) -> String { choices.randomElement(using: &random)! }
    /// The usual text, and now and then an odd one.
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
    let event = try #require(try read.events[0].get().message)
    #expect(
        event.body?.content
            == Array(#"{"kind":"photo","photo":{"width":1600,"height":1200},"caption":"Here \"we\" are\n"}"#.utf8))
    #expect(IngestRequest(plainly: IngestRequest.json([event]), eventLimit: 1)?.events == read.events)
}

@Test func `answers are read as they were written`() throws {
    let answers: [EventAnswer] = [
        .accepted, .duplicate, .superseded, .busy(retryAfter: 40), .busy(retryAfter: 7, reason: .draining),
        .invalid(field: "body.text", reason: "too \"long\""),
    ]
    let limits = RequestLimits(events: 10, bytes: 5000)
    #expect(try IngestReply(parsing: EventAnswer.json(answers, limits: limits)) == .answered(answers))
    let plain = [EventAnswer](answers.dropLast())
    #expect(try IngestReply(parsing: EventAnswer.json(plain, limits: limits)) == .answered(plain))
    for fault in [RequestFault(reason: "not \"JSON\"", limits: limits), RequestFault(reason: "no", limits: nil)] {
        #expect(try IngestReply(parsing: EventAnswer.json(fault)) == .refused(fault))
    }
    let later = Array(#"{"answers":[{"answer":"busy","retryAfter":3,"reason":"moonrise"}]}"#.utf8)
    #expect(try IngestReply(parsing: later) == .answered([.busy(retryAfter: 3)]))
}

@Test func `a warning stands beside the answer that it is of`() throws {
    let answers: [EventAnswer] = [.accepted, .duplicate, .accepted]
    let json = EventAnswer.json(answers, warnings: [2: "order: is missing"], limits: RequestLimits())
    #expect(String(decoding: json, as: UTF8.self).hasSuffix(#",{"answer":"accepted","warning":"order: is missing"}]}"#))
    #expect(try IngestReply(parsing: json) == .answered(answers, warnings: [2: "order: is missing"]))
}

@Test func `whoever asks with no events is told how much a request may hold`() {
    let told = EventAnswer.json([], limits: RequestLimits(events: 10, bytes: 5000))
    #expect(String(decoding: told, as: UTF8.self) == #"{"answers":[],"limits":{"events":10,"bytes":5000}}"#)
    let refused = EventAnswer.json(RequestFault(reason: "no", limits: RequestLimits(events: 1, bytes: 2)))
    #expect(String(decoding: refused, as: UTF8.self) == #"{"error":"no","limits":{"events":1,"bytes":2}}"#)
}

@Test func `requests hold as many events as fit, and all of them together say what was to be said`() {
    forEachSeed(200) { random in
        let limits = RequestLimits(
            events: Int.random(in: 1...6, using: &random), bytes: Int.random(in: 10...2000, using: &random))
        let lane = Bool.random(using: &random) ? Lane.live : .backfill
        let events = try (0..<Int.random(in: 1...12, using: &random)).map { number in
            MessageEvent(
                conversation: try ConversationID("c"), message: try MessageID("m\(number)"), order: 1,
                status: Array(repeating: UInt8(ascii: "1"), count: Int.random(in: 1...64, using: &random)))
        }
        var left = events[...]
        var read: [MessageEvent] = []
        while !left.isEmpty {
            let packed = PackedRequest(left, lane: lane, within: limits)
            guard packed.count == 1 || (packed.bytes.count <= limits.bytes && packed.count <= limits.events) else {
                return false
            }
            guard packed.bytes == IngestRequest.json(left.prefix(packed.count), lane: lane) else { return false }
            // One more would not fit.
            let more = left.prefix(packed.count + 1)
            let isFull =
                packed.count == limits.events || more.count == packed.count
                || IngestRequest.json(more, lane: lane).count > limits.bytes
            guard isFull else { return false }
            read += left.prefix(packed.count)
            left = left.dropFirst(packed.count)
        }
        return read == events
    }
}

@Test func `what one reader says is a set of choices, and no more than a few`() throws {
    let said = try event(#"{"conversation":"c","message":"m","react":{"reader":"ada","emoji":["🎉","👍","🎉"]}}"#)
    let choices = try ["🎉", "👍"].map { try ChoiceID($0) }.sorted()
    #expect(said.react == ReaderChoices(reader: try SenderID("ada"), emoji: choices))
    #expect(try MessageEvent(decoding: said.encoded()) == said)
    #expect(try events(String(decoding: IngestRequest.json([said]), as: UTF8.self))[0].get() == said)
    for (react, field) in [
        ("{}", "react"), (#"{"emoji":"👍"}"#, "react.emoji"), (#"{"emoji":[""]}"#, "react.emoji[0]"),
        (#"{"options":[1]}"#, "react.options[0]"), (#"{"emoji":[],"on":true}"#, "react.on"),
        (#"{"emoji":["1","2","3","4","5","6","7","8","9"]}"#, "react.emoji"),
        (#"{"emoji":["\#(String(repeating: "x", count: 65))"]}"#, "react.emoji[0]"),
    ] {
        guard case .failure(let fault) = try events(#"{"conversation":"c","message":"m","react":\#(react)}"#)[0] else {
            Issue.record("\(react)"); continue
        }
        #expect(fault.field == field)
    }
}

@Test(arguments: [String(repeating: "\u{1}", count: 2_000), String(repeating: "ä", count: 2_000)])
func `an answer fits a frame, whatever it has to repeat of a request`(long: String) throws {
    let count = Limits.eventsPerRequest
    let invalid = Array(repeating: EventAnswer.invalid(field: long, reason: long), count: count)
    let refused = EventAnswer.json(invalid, limits: RequestLimits())
    #expect(refused.count <= Limits.frame)
    guard case .answered(let answers, _) = try IngestReply(parsing: refused),
        case .invalid(let field, let reason)? = answers.last
    else { throw NoAnswer() }
    #expect(answers.count == count && field == reason && long.hasPrefix(field) && 60...64 ~= field.utf8.count)
    let warnings = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, long) })
    let taken = EventAnswer.json(
        Array(repeating: EventAnswer.accepted, count: count), warnings: warnings, limits: RequestLimits())
    #expect(taken.count <= Limits.frame)
    guard case .answered(let accepted, let warned) = try IngestReply(parsing: taken) else { throw NoAnswer() }
    #expect(accepted.count == count && warned.count == count)
    // One by itself fits, and stays whole.
    let one = [EventAnswer.invalid(field: long, reason: "x")]
    let whole = try IngestReply(parsing: EventAnswer.json(one, limits: RequestLimits()))
    #expect(whole == .answered(one, warnings: [:]))
    let fault = RequestFault(reason: String(repeating: long, count: 1_000), limits: RequestLimits())
    #expect(EventAnswer.json(fault).count <= Limits.frame)
}

private struct NoAnswer: Error {}

@Test func `votes of readers are what a poll says of its options`() throws {
    func message(_ reactions: String, options: String = #"[{"id":"a","percent":9},{"id":"b"},{"id":"c"}]"#) throws
        -> String
    {
        let body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
            content: Array(#"{"kind":"poll","votes":1,"options":\#(options)}"#.utf8))
        var json = JSONWriter()
        json.value(
            try MessageState(order: 1, body: body, reactions: Array(reactions.utf8), revision: Revision(1)).message())
        return String(decoding: json.bytes, as: UTF8.self)
    }
    #expect(
        try message(
            #"[{"emoji":"👍","count":1,"by":["x"]},{"option":"a","count":2,"by":["x"]},{"option":"c","count":1}]"#)
            == #"{"kind":"poll","options":[{"id":"a","percent":67},{"id":"b","percent":0},{"id":"c","percent":33}],"#
            + #""votes":3,"reactions":[{"emoji":"👍","count":1}]}"#)
    // Options that the body does not have are left out.
    #expect(
        try message(#"[{"option":"z","count":2}]"#, options: #"[{"id":"a"}]"#)
            == #"{"kind":"poll","votes":1,"options":[{"id":"a"}],"reactions":[]}"#)
}
