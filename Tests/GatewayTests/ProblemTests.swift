import Foundation
import HTTP
import Names
import Secrets
import TestSupport
import Testing
import Transport
import Wire

@testable import Gateway

private func filled() throws -> WindowStage {
    let stage = try WindowStage()
    try stage.fill(3)
    return stage
}

extension Request {
    fileprivate static func asking(_ method: HTTP.Method, _ body: [UInt8] = []) throws -> Request {
        Request(method: method, target: try #require(RequestTarget(Array("/".utf8))), body: body)
    }
}

private func detail(_ body: Data) throws -> String {
    let problem = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    #expect(problem["status"] as? Int == 400 && problem["title"] as? String != nil)
    return try #require(problem["detail"] as? String)
}

@Test(arguments: [
    ("/v1/conversations/c/window", "target: is missing; expected WIDTH@SCALE"),
    ("/v1/conversations/c/place?target=390@3", "around: is missing; expected message:ID or y:PIXELS"),
    ("/v1/conversations/c/place?target=390@3&around=newest", "around: 'newest' is not message:ID or y:PIXELS"),
    ("/v1/conversations/c/heights?target=390@3&to=1", "from: is missing; expected a whole number in"),
    ("/v1/conversations/c/window?target=390@3&as=", "as: '' is not 1 to 255 bytes"),
    ("/v1/conversations/\(String(repeating: "c", count: 256))/window?target=390@3", "conversation: 'cccc"),
    ("/livez?verbose=1", "verbose: unknown; none are known"),
    ("/v1/fonts?weight=400", "weight: unknown; none are known"),
    ("/v1/openapi.json?format=yaml", "format: unknown; none are known"),
    ("/v1/conversations/c/window?target=390@3&count=%FF", "the path or the query is not UTF-8"),
])
func `every request that cannot be read is told what of it, and what it may be`(path: String, sentence: String) throws {
    let front = try RunningFront(stage: filled)
    let answer = try front.curl(path)
    #expect(answer.status == 400 && answer.head.contains("application/problem+json"))
    let told = try detail(answer.body)
    #expect(told.contains(sentence), "\(told)")
}

@Test(arguments: [
    (#"{"page":{"window":1,"side":"up"}}"#, "page.side: expected"),
    (#"{"page":{"window":1,"side":"older","cuont":3}}"#, "page.cuont: unknown; known are window, side, count"),
    (#"{"page":{"window":1"#, "1:20"), (#"{"turn":{"window":1}}"#, "expected one of open, prewarm"),
    (
        #"{"open":{"window":2,"conversation":"","target":{"width":390,"scale":3},"screen":9}}"#,
        "open.conversation: expected"
    ),
    (#"{"open":{"window":2,"conversation":"d","target":{"width":390,"scale":3}}}"#, "open: 'screen' is missing"),
])
func `a word for a stream that cannot be read is told with its place and its cause`(
    word: String, sentence: String
) throws {
    let stage = try filled()
    let streams = WindowStreams(stage.desk)
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 20, screen: 2000)
    stage.prepare(opening)
    _ = streams.open(opening, for: .everything, try .asking(.get), at: .now)
    let answer = streams.hear(
        try .asking(.post, Array(word.utf8)), on: streams.names[0].text, of: stage.conversation, for: .everything,
        at: .now)
    guard case .bytes(let bytes) = answer.body else { throw CurlFailed(code: 0) }
    let told = try detail(Data(bytes))
    #expect(answer.status == 400 && told.contains(sentence), "\(told)")
}

@Test(arguments: [
    (#"{"events":[{"conversation":"c","message":"m"#, "1:"),
    (#"{"events":7}"#, "events: expected"), (#"{"events":[],"lanes":"live"}"#, "lanes: unknown; known are events"),
    (
        """
        {"events":[{"conversation":"c","message":"m1","sender":"a","time":1,"order":1,"text":"a"},
          {"conversation":"d","message":"m2","sender":"a","time":1,"order":1,"text":"a"}]}
        """,
        "events[1].conversation: 'd' is not 'c', which the path names"
    ),
    (
        #"{"conversation":"d","message":"m2","sender":"a","time":1,"order":1,"text":"a"}"#,
        "conversation: 'd' is not 'c', which the path names"
    ),
    (
        #"{"conversation":"d","message":"m2","later":1}"#,
        "conversation: 'd' is not 'c', which the path names"
    ),
    (
        #"{"events":[{"conversation":"c","message":"m1","later":1},{"conversation":"d","message":"m2","later":1}]}"#,
        "events[1].conversation: 'd' is not 'c', which the path names"
    ),
    (
        #"{"events":[{"conversation":"c","message":"m1","text":"a"}],"subject":"bo"}"#,
        "subject: 'bo' is not 'ada', whom the token names"
    ),
])
func `events that cannot be read are told with their place and the cause`(body: String, sentence: String) throws {
    let folder = try TemporaryFolder()
    let forwarder = try EventForwarder(to: "ipc://\(folder.file("events"))", Access())
    let person = Grant(as: try SenderID("ada"), .write)
    let answer = try #require(
        try forwarder.forward(
            try .asking(.post, Array(body.utf8)), of: try ConversationID("c"), for: person, at: .now))
    guard case .bytes(let bytes) = answer.body else { throw CurlFailed(code: 0) }
    let told = try detail(Data(bytes))
    #expect(answer.status == 400 && told.contains(sentence), "\(told)")
}
