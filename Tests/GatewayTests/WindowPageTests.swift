import Foundation
import TestSupport
import Testing
import Wire

@testable import Gateway

private func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
}

private func filled() throws -> WindowStage {
    let stage = try WindowStage()
    try stage.fill(300)
    return stage
}

private let window = "/v1/conversations/c/window?target=390@3"

@Test func `a window is answered as JSON or as bytes, and not again to who has it`() throws {
    let front = try RunningFront(stage: filled)
    let answer = try front.curl(window + "&count=30")
    #expect(answer.status == 200 && answer.head.contains("content-type: application/json"))
    let told = try #require(try object(answer.body)["window"] as? [String: Any])
    #expect((told["rows"] as? [[String: Any]])?.count == 30 && told["hasOlder"] as? Bool == true)
    let tag = try #require(answer.head.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }).dropFirst(6)
    let known = "If-None-Match: " + tag.replacing("w/", with: "W/")
    #expect(try front.curl(window + "&count=30", "-H", known).status == 304)
    let bytes = try front.curl(window + "&count=30", "-H", "Accept: application/vnd.forme")
    guard case .window(let reply) = try Framed<GatewayWord>(decoding: Array(bytes.body)).word else {
        Issue.record("no window")
        return
    }
    #expect(reply.rows.count == 30 && reply.rows.allSatisfy { $0.body != nil })
    let zipped = try front.curl(window + "&count=30", "-H", "Accept-Encoding: gzip")
    #expect(zipped.head.contains("content-encoding: gzip") && zipped.body.count < answer.body.count / 2)
}

@Test func `what many ask for is theirs alike, and open only to pages that may read it`() throws {
    let front = try RunningFront(origins: ["https://a", "https://b"], stage: filled)
    func ask(_ fields: String...) throws -> (status: Int, fields: [Substring], body: Data) {
        let answer = try front.curl(window, "-H", fields.first ?? "X: y", "-H", fields.last ?? "X: y")
        return (answer.status, answer.head.split(separator: "\r\n"), answer.body)
    }
    let first = try ask()
    for origin in ["https://a", "https://b", "https://a", "https://c"] {
        let answer = try ask("Origin: \(origin)")
        #expect(answer.status == (origin == "https://c" ? 403 : 200))
        let opened = answer.fields.filter { $0.hasPrefix("access-control-allow-origin") }
        #expect(opened == (origin == "https://c" ? [] : ["access-control-allow-origin: \(origin)"]))
        guard origin != "https://c" else { continue }
        #expect(
            answer.body == first.body && answer.fields.contains("vary: accept, authorization, accept-encoding, origin"))
    }
    let tag = try #require(first.fields.first { $0.hasPrefix("etag: ") }).dropFirst(6).replacing("w/", with: "W/")
    let known = try ask("Origin: https://b", "If-None-Match: \(tag)")
    #expect(known.status == 304 && known.body.isEmpty)
    #expect(known.fields.contains("access-control-allow-origin: https://b"))
    #expect(known.fields.contains("vary: accept, authorization, accept-encoding, origin"))
}

@Test func `what it counts is told to operators`() throws {
    let front = try RunningFront(stage: filled)
    for count in [30, 30, 20] { #expect(try front.curl(window + "&count=\(count)").status == 200) }
    let lines = try front.askOperators("/metrics").body.split(separator: "\n")
    for line in [
        "forme_gateway_windows_answered_total{road=\"http\",how=\"again\"} 1",
        "forme_gateway_windows_answered_total{road=\"http\",how=\"anew\"} 2",
        "forme_gateway_conversations 1", "forme_gateway_windows 0",
    ] {
        #expect(lines.contains { $0 == line }, "\(line)")
    }
    for (place, line) in lines.enumerated() where line.hasPrefix("# HELP ") {
        #expect(lines[place + 1].hasPrefix("# TYPE " + line.dropFirst(7).prefix { $0 != " " }))
    }
}

@Test func `pages, heights and places are found without a window`() throws {
    let front = try RunningFront(stage: filled)
    func rows(_ query: String) throws -> [Int] {
        let told = try object(front.curl(window + query).body)["window"] as? [String: Any]
        return (told?["rows"] as? [[String: Any]] ?? []).compactMap { $0["row"] as? Int }
    }
    #expect(try rows("&count=3") == [298, 299, 300])
    #expect(try rows("&beside=older:298&count=3") == [295, 296, 297])
    #expect(try rows("&beside=newer:295&count=2") == [296, 297])
    let heights = try object(front.curl("/v1/conversations/c/heights?target=390@3&from=0&to=2000").body)["heights"]
    #expect(((heights as? [String: Any])?["heights"] as? [Int])?.count ?? 0 > 3)
    let place = try object(front.curl("/v1/conversations/c/place?target=390@3&around=y:0").body)["place"]
    #expect((place as? [String: Any])?["rank"] as? Int == 1)
}

@Test(arguments: [
    "window?target=390@3&beside=older:7000", "window?target=390@3&lines=7000:00c0ffee00c0ffee:0:1",
    "place?target=390@3&around=message:nobody-wrote-this",
])
func `a row or a message that is not there is refused by name`(question: String) throws {
    let front = try RunningFront(stage: filled)
    let answer = try front.curl("/v1/conversations/c/" + question)
    #expect(try answer.status == 404 && object(answer.body)["because"] as? String == "unknownMessage")
}

@Test(arguments: [
    ("/v1/conversations/other/window?target=390@3&beside=older:1", 404),
    ("/v1/conversations/c/window?target=391@3", 404),
    ("/v1/conversations/c/window", 400), ("/v1/conversations/c/window?target=wide", 400),
    ("/v1/conversations/c/window?target=390@3&count=0", 400), ("/v1/conversations/c/heights?target=390@3", 400),
    ("/v1/conversations/c/place?target=390@3&around=newest", 400), (window + "&around=noon", 400),
])
func `what cannot be answered is a problem, and says nothing else`(path: String, status: Int) throws {
    let front = try RunningFront(stage: filled)
    let answer = try front.curl(path)
    #expect(answer.status == status && answer.head.contains("application/problem+json"))
}
