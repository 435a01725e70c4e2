import Names
import TestSupport
import Testing
import Wire

@testable import MessageLayout
@testable import Pool

private let words = StyleWords(
    kinds: ["text", "photo"], statuses: ["bounced"],
    reactions: .init(most: 2, fields: ["emoji", "count", "own", "face"]))

private func event(
    _ body: String? = nil, order: Int64? = nil, status: String? = nil, reactions: String? = nil, _ id: String = "m",
    time: Int64 = 1
) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id),
        body: try body.map {
            MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: time), content: Array($0.utf8))
        }, order: order, status: status.map { Array($0.utf8) }, reactions: reactions.map { Array($0.utf8) })
}

@Test(
    arguments: [
        (#"{"kind":"text","text":"hi"}"#, nil), (#"{"caption":"{\"kind\":\"phot\"}","kind":"photo"}"#, nil),
        (#"{"kind":"phot"}"#, "phot"), (#"{"a":{"kind":"text"},"kind":"Text"}"#, "Text"),
        (#"{"kind":"te\u0078t"}"#, nil), (#"{"n":1.5,"kind":"tex"}"#, "tex"),
        (#"{"text":"hi","kind":"text"}"#, nil), (#"{"text":"hi","kind":"phot"}"#, "phot"),
        (#"{"a":{"kind":"text"},"kind":"phot","b":1}"#, "phot"), (#"{"kind":"phot","a":",\"kind\":\"text"}"#, "phot"),
        (#"{"a":"\",","kind":"phot"}"#, "phot"), (#"{"kind":"phot","a":{"b":1,"kind":"text"}}"#, "phot"),
        (#"{"b":1,"kind":"te\u0078t"}"#, nil), (#"{"a":"é","kind":"phot","b":"ü"}"#, "phot"),
        (#"{"a":"","kind":""}"#, ""),
    ] as [(String, String?)])
func `a kind that no style draws is named`(body: String, unknown: String?) throws {
    let warning = words.warning(of: try event(body))
    #expect((warning == nil) == (unknown == nil))
    if let unknown { #expect(warning?.hasPrefix("body.kind: no style draws '\(unknown)'") == true) }
}

@Test(arguments: [
    (#""read""#, true), (#""bounced""#, true), (#""nonsense""#, false), ("1", false), (#"{"read":true}"#, false),
])
func `a status that nobody knows is named, with those that are known`(status: String, isKnown: Bool) throws {
    let warning = words.warning(of: try event(status: status))
    #expect(
        warning
            == (isKnown
                ? nil : "status: \(status) is unknown; known are bounced, delivered, failed, read, sending, sent"))
}

@Test(arguments: [
    (#"[{"emoji":"👍","count":2,"own":true}]"#, true), ("[]", true),
    (#"[{"emoji":"👍"},{"emoji":"🎉","by":["a"]}]"#, true),
    (#"[{"emoji":"\u2764","count":2e0}]"#, true), (#"{"👍":2}"#, false), (#"["👍"]"#, false), (#"[{"text":"👍"}]"#, false),
    (#"[{"emoji":"👍","count":"2"}]"#, false), (#"[{"emoji":"1"},{"emoji":"2"},{"emoji":"3"}]"#, false), ("7", false),
    (#"[{"emoji":"👍","counts":2}]"#, false), (#"[{"emoji":"👍","own":1}]"#, false), (#"[{"emoji":"👍","face":1}]"#, true),
])
func `reactions that are not drawn are told`(reactions: String, isDrawn: Bool) throws {
    #expect((words.warning(of: try event(reactions: reactions)) == nil) == isDrawn)
    // A style that takes them in another form is not second-guessed.
    let other = StyleWords(kinds: [], statuses: [], reactions: nil)
    #expect(other.warning(of: try event(reactions: reactions)) == nil)
}

@Test(
    arguments: [
        (#"{"kind":"text","text":"hi","reactions":[{"emoji":"👍","count":2}]}"#, nil),
        (
            #"{"kind":"text","reactions":[{"emoji":"👍","count":1,"by":["ada"]}],"text":"hi"}"#,
            "body.reactions: expected"
        ),
        (#"{"kind":"text","reactions":7}"#, "body.reactions: expected"),
        (#"{"kind":"text","n":1.5,"reactions":[{"emoji":"👍","by":["ada"]}]}"#, "body.reactions: expected"),
        (#"{"kind":"text","text":"\"reactions\":7"}"#, nil), (#"{"kind":"text","text":"reactions"}"#, nil),
        (#"{"kind":"text","a":{"reactions":7,"status":7}}"#, nil),
        (#"{"kind":"text","a":["reactions","status"]}"#, nil),
        (#"{"kind":"text","status":"read"}"#, nil), (#"{"kind":"text","status":"nonsense"}"#, "body.status: "),
    ] as [(String, String?)])
func `what a body says of reactions and its status is compared, too`(body: String, warning: String?) throws {
    let said = words.warning(of: try event(body))
    #expect(warning.map { said?.hasPrefix($0) == true } ?? (said == nil), "\(said ?? "nothing")")
    // A status and reactions beside the body take the place of those in it.
    #expect(words.warning(of: try event(body, status: #""read""#, reactions: #"[{"emoji":"1","by":["a"]}]"#)) == nil)
}

@Test(
    arguments: [
        (0, nil), (99_999_999, nil), (100_000_000, 1970), (1_700_000_060, 1970), (99_999_999_999, 1973),
        (100_000_000_000, nil), (1_700_000_060_000, nil), (-1_700_000_060, nil),
    ] as [(Int64, Int?)])
func `a time in seconds is kept with a warning that names the year that it is taken for`(time: Int64, year: Int?) throws
{
    var keeper = Bookkeeper(shards: 16)
    var journal = MemoryJournal()
    keeper.words = words
    keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
    let text = #"{"kind":"text","text":"hi"}"#
    let events = [try event(text, order: 1, "a", time: time), try event(text, "b", time: time)]
    let said = keeper.judge(IngestRequest(events: events.map { .success($0) }), from: peer(1), in: &journal)
    let sentence = year.map {
        "time: \(time) is taken as milliseconds, a day of \($0); multiply seconds by 1000"
    }
    #expect(said.map(\.answer) == [.accepted, .accepted])
    #expect(said[0].warning == sentence)
    #expect(said[1].warning?.hasPrefix(sentence.map { "\($0); order: is missing" } ?? "order: is missing") == true)
    #expect(keeper.warned == (year == nil ? 1 : 2))
}

@Test func `what is warned of is kept and counted, and an order that comes later is no longer missed`() throws {
    var keeper = Bookkeeper(shards: 16)
    var journal = MemoryJournal()
    keeper.words = words
    func take(_ event: MessageEvent) -> Judgement {
        keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
        let judgements = keeper.judge(IngestRequest(events: [.success(event)]), from: peer(1), in: &journal)
        journal.commit(keeper.close())
        return judgements[0]
    }
    let text = #"{"kind":"text","text":"hi"}"#
    #expect(take(try event(text, order: 1, "a")).warning == nil)
    let missing = take(try event(text))
    #expect(missing.answer == .accepted && missing.warning?.hasPrefix("order: is missing") == true)
    #expect(take(try event(order: 4)).warning == nil)
    let both = take(try event(#"{"kind":"phot"}"#, status: "7", "b"))
    #expect(both.answer == .accepted && both.warning?.contains("order: is missing") == true)
    #expect(keeper.warned == 2 && journal.entries.count == 4)
    #expect(take(try event(text)).answer == .duplicate)
}

private func spec(_ optionText: FieldSpec.FieldType = .text(9)) -> FieldSpec {
    FieldSpec(fields: [
        .init(name: "question", type: .text(20), use: .geometry, isRequired: true),
        .init(
            name: "options",
            type: .list(
                FieldSpec(fields: [.init(name: "text", type: optionText, use: .geometry, isRequired: true)]), atMost: 2),
            use: .geometry, isRequired: true),
        .init(name: "picture", type: .picture, use: .geometry, isRequired: false),
        .init(name: "bars", type: .bars, use: .geometry, isRequired: false),
        .init(name: "names", type: .texts(atMost: 1), use: .geometry, isRequired: false),
        .init(name: "closed", type: .flag, use: .paint, isRequired: false),
        .init(name: "votes", type: .integer, use: .geometry, isRequired: false),
        .init(name: "status", type: .text(20), use: .paint, isRequired: false),
    ])
}

@Test(
    arguments: [
        (#""question":"x","options":[]"#, nil), (#""question":"x","options":[{"text":"1"},{"text":"2"}]"#, nil),
        (#""question":"x""#, "body: 'options' is missing; "), (#""options":[]"#, "body: 'question' is missing; "),
        (#""question":1,"options":[]"#, "body.question: expected "),
        (#""question":"\u0078","options":[]"#, nil),
        (#""question":"012345678901234567890","options":[]"#, "body.question: "),
        (#""question":"x","options":[{"text":"1"},{"text":"2"},{"text":"3"}]"#, "body.options: "),
        (#""question":"x","options":[{"text":"1"},{}]"#, "body.options[1]: 'text' is missing; "),
        (#""question":"x","options":[],"other":1"#, "body.other: unknown; known are "),
        (#""question":"x","options":[],"lang":"ja""#, nil), (#""question":"x","options":[],"lang":7"#, "body.lang: "),
        (#""question":"x","options":[],"picture":{}"#, nil),
        (#""question":"x","options":[],"picture":{"width":3,"height":4,"more":[1]}"#, nil),
        (#""question":"x","options":[],"picture":{"width":0}"#, "body.picture.width: "),
        (#""question":"x","options":[],"bars":[0,255]"#, nil),
        (#""question":"x","options":[],"bars":[256]"#, "body.bars"),
        (#""question":"x","options":[],"names":["a"],"closed":true,"votes":3e0"#, nil),
        (#""question":"x","options":[],"names":["a","b"]"#, "body.names: "),
        (#""question":"x","options":[],"closed":"no""#, "body.closed: "),
        (#""question":"x","options":[],"votes":1.5"#, "body.votes: "),
        // For such a status there is a warning already, unless the event has one beside the body.
        (#""question":"x","options":[],"status":7"#, "body.status: 7 is unknown"),
    ] as [(String, String?)])
func `a body that no style can lay out is kept with a warning that names the fault`(rest: String, fault: String?) throws
{
    let known = StyleWords(kinds: ["text", "poll"], statuses: [], reactions: nil, fields: ["poll": spec()])
    for body in [#"{"kind":"poll",\#(rest)}"#, #"{\#(rest),"kind":"poll"}"#] {
        let said = known.warning(of: try event(body))
        #expect(fault.map { said?.hasPrefix($0) == true } ?? (said == nil), "\(body): \(said ?? "nothing")")
        #expect(said?.contains("; body") != true)
    }
    // The fields of a text are not known here.
    #expect(known.warning(of: try event(#"{"kind":"text",\#(rest)}"#, status: #""read""#)) == nil)
}

@Test func `while there are two styles, a body is warned of that neither lays out`() throws {
    func words(_ option: FieldSpec.FieldType) -> StyleWords {
        StyleWords(kinds: ["poll"], statuses: [], reactions: nil, fields: ["poll": spec(option)])
    }
    let both = words(.text(9)).union(words(.integer))
    func warning(_ option: String) throws -> String? {
        both.warning(of: try event(#"{"kind":"poll","question":"x","options":[{"text":\#(option)}]}"#))
    }
    #expect(try warning("1") == nil && warning(#""one""#) == nil)
    #expect(try warning("true")?.hasPrefix("body.options[0].text: ") == true)
    #expect(words(.integer).union(words(.integer)) == words(.integer))
}
