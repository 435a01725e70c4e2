import Conversation
import TestSupport
import Testing
import Wire

@testable import Gateway

private let extremes: [Int64] = [.min, .min + 1, -1 << 53, -1, 0, 1, 1 << 53, .max - 1, .max]

@Test func `any y of a reader is a place of the conversation`() throws {
    let stage = try WindowStage()
    // Older rows come last, so that the top is above the origin.
    try stage.commit((100...120).map { try stage.laidOut($0) })
    let client = WindowClient("ada")
    _ = try Reader("ada", on: stage)
    try stage.commit((1...99).map { try stage.laidOut($0) })
    stage.tick()
    for y in extremes {
        guard case .place? = stage.say(.locate(WindowID(1), y: y), as: client).first else {
            Issue.record("\(y) is nowhere")
            return
        }
        for range in [min(0, y)..<max(0, y), y..<y, .min..<y, y..<Int64.max] {
            guard case .heights(let reply)? = stage.say(.heights(WindowID(1), range), as: client).first else {
                Issue.record("no heights from \(range)")
                return
            }
            #expect(!reply.heights.isEmpty)
        }
        let reader = try Reader("bob", on: stage, around: .y(y))
        #expect(!reader.mirror.rows.isEmpty)
    }
}

@Test func `a word with a number that cannot be is answered with the field and its bounds`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, place: .newest, count: 257,
        screen: 100)
    let frame = Framed(ClientWord.open(opening), request: RequestID(77)).encoded()
    let answers = try #require(stage.desk.answer(frame: frame, from: WindowClient("ada"), at: .now))
    let answer = try Framed<GatewayWord>(decoding: try #require(answers.first))
    #expect(answer == Framed(.unreadable("count: 257 is not in 1...256"), request: RequestID(77)))
}

@Test(arguments: [
    ("window?target=390@3&count=257", "count: '257' is not a whole number in 1...256"),
    (
        "window?target=390@3&screen=9223372036854775807",
        "screen: '9223372036854775807' is not a whole number in 1...1048576"
    ),
    ("window?target=390@3&unreadFrom=9223372036854775808", "unreadFrom: '9223372036854775808' is not"),
    ("window?target=390@3&around=date:9223372036854775807", "around: 'date:9223372036854775807' is not newest"),
    ("window?target=99999@3", "target: '99999@3' is not WIDTH@SCALE"),
    ("heights?target=390@3&from=0&to=9223372036854775808", "to: '9223372036854775808' is not a whole number"),
    ("window?target=390@3&lines=1:00c0ffee00c0ffee:0:9223372036854775807", "lines: '1:00c0ffee00c0ffee:0:92"),
])
func `over HTTP, too`(query: String, detail: String) throws {
    let front = try RunningFront()
    let answer = try front.curl("/v1/conversations/c/" + query)
    #expect(answer.status == 400 && answer.head.contains("application/problem+json"))
    #expect(String(decoding: answer.body, as: UTF8.self).contains("\"detail\":\"\(detail)"))
}

@Test(arguments: [
    "heights?from=0&to=9223372036854775807", "place?around=y:9223372036854775807",
    "window?around=y:-9223372036854775808",
])
func `no y ends the gateway`(query: String) throws {
    let front = try RunningFront {
        let stage = try WindowStage()
        try stage.fill(50)
        return stage
    }
    #expect(try front.curl("/v1/conversations/c/" + query + "&target=390@3").status == 200)
}
