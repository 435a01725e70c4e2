import Names
import TestSupport
import Testing
import Wire

@testable import Pool

private let words = StyleWords(
    kinds: ["text", "photo"], statuses: ["bounced"],
    reactions: .init(most: 2, fields: ["emoji", "count", "own", "face"]))

private func event(
    _ body: String? = nil, order: Int64? = nil, status: String? = nil, reactions: String? = nil, _ id: String = "m"
) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id),
        body: try body.map {
            MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: Array($0.utf8))
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
    // What is said apart from the body takes its place.
    #expect(words.warning(of: try event(body, status: #""read""#, reactions: #"[{"emoji":"1","by":["a"]}]"#)) == nil)
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
