import JSON
import Names
import TestSupport
import Testing

@testable import Wire

private func said(_ text: String) throws -> Result<ChatEvent, EventFault> {
    try IngestRequest(parsing: Array(text.utf8)).events[0]
}

private func event(_ text: String) throws -> ConversationEvent {
    guard case .conversation(let event) = try said(text).get() else { throw Other() }
    return event
}

private struct Other: Error {}

@Test func `an event that names no message and sets what a conversation has is one of the conversation`() throws {
    let named = try event(#"{"conversation":"c","revision":3,"title":"Friends","picture":{"url": "x"}}"#)
    #expect(named.title == "Friends" && named.picture == Array(#"{"url":"x"}"#.utf8) && named.revision == Revision(3))
    let read = try event(#"{"conversation":"c","read":{"reader":"ada","message":"m7"}}"#)
    #expect(read.read == ReadMark(reader: try SenderID("ada"), .message(try MessageID("m7"))))
    #expect(try event(#"{"conversation":"c","read":{"order":-4}}"#).read == ReadMark(reader: nil, .order(-4)))
    // Taken away.
    let bare = try event(#"{"conversation":"c","title":"","picture":null}"#)
    #expect(bare.title == "" && bare.picture == Array("null".utf8) && bare.revision == Revision(1))
}

@Test(arguments: [
    (#"{"conversation":"c","message":"m","title":"x"}"#, "title", "unknown"),
    (#"{"conversation":"c","title":7}"#, "title", "expected a string, found 7"),
    (#"{"conversation":"c","title":"x","sender":"ada"}"#, "sender", "unknown"),
    (#"{"conversation":"c","read":{}}"#, "read", "expected 'order' or 'message', found an object of 0"),
    (#"{"conversation":"c","read":{"order":1,"message":"m"}}"#, "read", "expected 'order' or 'message'"),
    (#"{"conversation":"c","read":{"order":1.5}}"#, "read.order", "expected an integer, found 1.5"),
    (#"{"conversation":"c","read":{"reader":"","order":1}}"#, "read.reader", "expected 1 to 255 bytes"),
    (#"{"conversation":"","title":"x"}"#, "conversation", "expected 1 to 255 bytes"),
    (#"{"title":"x"}"#, "", "'conversation' is missing"),
    (#"{"conversation":"c","revision":-1,"title":"x"}"#, "revision", "expected 0..."),
])
func `a wrong event of a conversation is named with its field`(text: String, field: String, reason: String) throws {
    guard case .failure(let fault) = try said(text) else { throw Other() }
    #expect(fault.field == field && fault.reason.contains(reason), "\(fault)")
}

@Test func `titles and pictures have limits, to the byte`() throws {
    func fault(_ field: String, _ value: String) throws -> String? {
        guard case .failure(let fault) = try said(#"{"conversation":"c","\#(field)":\#(value)}"#) else { return nil }
        return fault.field
    }
    let most = String(repeating: "é", count: Limits.title / 2)
    #expect(try fault("title", "\"\(most)\"") == nil && fault("title", "\"\(most)x\"") == "title")
    let picture = String(repeating: "x", count: Limits.picture - 2)
    #expect(try fault("picture", "\"\(picture)\"") == nil && fault("picture", "\"\(picture)x\"") == "picture")
}

@Test func `events of conversations are read as they were written, among those of messages`() {
    forEachSeed(200) { random in
        let events = try (0..<Int.random(in: 1...6, using: &random)).map { _ -> ChatEvent in
            guard Bool.random(using: &random) else {
                return .message(
                    MessageEvent(conversation: try ConversationID("c"), message: try MessageID("m"), order: 1))
            }
            var event = ConversationEvent(conversation: try ConversationID("c"), title: "\u{1F389} \"\\")
            event.revision = Revision(UInt64.random(in: 0...1 << 60, using: &random))
            if Bool.random(using: &random) { event.picture = Array(#"{"url":"x"}"#.utf8) }
            let place =
                Bool.random(using: &random)
                ? ReadMark.Place.order(.random(in: -9...9, using: &random)) : .message(try MessageID("m"))
            if Bool.random(using: &random) { event.read = ReadMark(reader: try SenderID("ada"), place) }
            return .conversation(event)
        }
        return try IngestRequest(parsing: IngestRequest.json(of: events)).events == events.map { .success($0) }
    }
}
