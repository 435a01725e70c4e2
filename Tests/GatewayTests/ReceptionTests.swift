import Foundation
import HTTP
import Secrets
import TestSupport
import Testing

@testable import Gateway

private func filled() throws -> WindowStage {
    let stage = try WindowStage()
    try stage.fill(30)
    return stage
}

/// A folder with a key, and tokens of it.
private struct Mint {
    let place: TemporaryFolder
    let folder: TokenKeyFolder

    init() throws {
        place = try TemporaryFolder()
        folder = TokenKeyFolder(place.file("tokens"))
        _ = try folder.make()
    }

    func token(
        _ rights: TokenRights = .read, subject: String = "ada", for seconds: Int = 3600, of scope: TokenScope = .all
    ) throws -> String {
        let key = try folder.signingKey()
        let now = TokenAccess.Times.now.calendar
        return key.token(
            TokenClaims(
                key: key.publicKey.id, rights: rights, scope: scope, subject: subject, issued: now,
                expires: now + .seconds(seconds)))
    }

    func bearer(_ rights: TokenRights = .read, subject: String = "ada") throws -> String {
        "Authorization: Bearer \(try token(rights, subject: subject))"
    }
}

private let window = "/v1/conversations/c/window?target=390@3"

@Test(arguments: [
    ("Host: localhost", 200), ("Host: 127.0.0.1:80", 200), ("Host: [::1]:7310", 200), ("Host: 127.9.9.9", 200),
    ("Host: evil.example", 403), ("Host: 127.0.0.1.evil.example", 403), ("Host: localhost.evil.example", 403),
    ("Host: 10.0.0.1", 403), ("Origin: https://evil.example", 403), ("Origin: null", 403),
    ("Origin: http://localhost:3000", 200), ("Origin: https://chat.example", 200),
    ("Origin: http://localhost.evil.example", 403),
])
func `without tokens, only this machine and pages that are named are answered`(field: String, status: Int) throws {
    let front = try RunningFront(origins: ["https://chat.example"], stage: filled)
    #expect(try front.curl(window, "-H", field).status == status)
}

@Test func `with tokens, a page needs one, and its host may be called anything`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path, stage: filled)
    #expect(try front.curl(window, "-H", "Host: chat.example", "-H", "Origin: https://evil.example").status == 401)
    #expect(try front.curl(window, "-H", "Host: chat.example", "-H", try mint.bearer()).status == 200)
}

@Test(arguments: [
    ("application/json", 404), ("application/json; charset=utf-8", 404), ("text/plain", 415),
    ("application/x-www-form-urlencoded", 415), ("", 415),
])
func `without tokens, events come as what a page cannot send without asking`(type: String, status: Int) throws {
    let front = try RunningFront()
    // This gateway takes no events at all, as it finds out next.
    #expect(
        try front.curl("/v1/conversations/c/events", "-d", #"{"events":[]}"#, "-H", "Content-Type: \(type)").status
            == status)
}

@Test func `a body is refused before it is sent: for its route, its token, its rights`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path)
    let large = mint.place.file("large")
    try Data(count: 900_000).write(to: URL(filePath: large))
    /// The first status of the answer, which would be 100 for a body that is wanted.
    func post(_ path: String, _ field: String = "X: y") throws -> Int {
        try front.curl(
            path, "--data-binary", "@\(large)", "-H", "Expect: 100-continue", "--expect100-timeout", "20", "-H", field
        ).status
    }
    let events = "/v1/conversations/c/events"
    #expect(try post("/nothing") == 404)
    #expect(try post(events) == 401)
    #expect(try post(events, try mint.bearer(.read)) == 403)
    #expect(try post(window, try mint.bearer()) == 405)
    #expect(try post("/v1/conversations/c/streams/7", try mint.bearer()) == 413)
    #expect(try post(events, try mint.bearer(.write)) == 100)
}

@Test func `more tokens of one subject are not more requests, and another subject has its own`() throws {
    let mint = try Mint()
    var access = try TokenAccess(mint.folder, limit: RateLimit(burst: 4, perSecond: 1))
    func status(_ token: String) throws -> Int? {
        let target = try #require(RequestTarget(Array("/".utf8)))
        let request = Request(method: .get, target: target, headers: ["Authorization": "Bearer \(token)"])
        switch access.grant(for: request, at: .now) {
        case .grant: return nil
        case .refused(let response): return response.status
        }
    }
    let tokens = try (1...5).map { try mint.token(for: 3000 + $0) }
    #expect(try tokens.map { try status($0) } == [nil, nil, nil, nil, 429])
    #expect(try status(try mint.token(subject: "bob")) == nil)
    // Tokens without a subject are each a holder of their own.
    let others = try (1...5).map { try mint.token(subject: "", for: 3000 + $0) }
    #expect(try others.map { try status($0) } == [nil, nil, nil, nil, nil])
}

@Test
func `an address that brings many tokens that do not hold is not looked at any more, and tokens that were met are`()
    throws
{
    let mint = try Mint()
    var access = try TokenAccess(mint.folder, limit: RateLimit(burst: 3, perSecond: 1))
    func status(_ token: String) throws -> Int? {
        let target = try #require(RequestTarget(Array("/".utf8)))
        let request = Request(method: .get, target: target, headers: ["Authorization": "Bearer \(token)"])
        switch access.grant(for: request, at: .now) {
        case .grant: return nil
        case .refused(let response): return response.status
        }
    }
    let met = try mint.token()
    #expect(try status(met) == nil)
    let foreign = try Mint().token()
    #expect(try (0..<4).map { _ in try status(foreign) } == [401, 401, 401, 429])
    #expect(try status(met) == nil)
}

@Test func `two readers, two screens and two forms have different tags, and who has one is told so`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path, stage: filled)
    func tag(_ path: String, _ fields: String...) throws -> String {
        let answer = try front.curl(path, "-H", fields[0], "-H", fields.count > 1 ? fields[1] : "X: y")
        #expect(answer.status == 200 && answer.head.contains("vary: accept, authorization"))
        let line = try #require(answer.head.split(separator: "\r\n").first { $0.hasPrefix("etag: ") })
        return String(line.dropFirst(6)).replacing("w/", with: "W/")
    }
    let (ada, bob) = (try mint.bearer(), try mint.bearer(subject: "bob"))
    let tags = [
        try tag(window, ada), try tag(window, bob), try tag(window + "&count=20", ada),
        try tag(window, ada, "Accept: application/vnd.forme"),
    ]
    #expect(Set(tags).count == tags.count)
    #expect(try front.curl(window, "-H", ada, "-H", "If-None-Match: \(tags[0])").status == 304)
    #expect(try front.curl(window, "-H", bob, "-H", "If-None-Match: \(tags[0])").status == 200)
}

@Test func `fonts need a token where windows do`() throws {
    let mint = try Mint()
    let font = mint.place.file("a.ttf")
    try "font".write(toFile: font, atomically: true, encoding: .utf8)
    let hash = String(repeating: "ab", count: 32)
    let front = try RunningFront(fonts: [hash: font], tokens: mint.folder.path)
    for path in ["/v1/fonts", "/v1/fonts/\(hash)"] {
        #expect(try front.curl(path).status == 401)
        #expect(try front.curl(path, "-H", try mint.bearer(.write)).status == 403)
        let answer = try front.curl(path, "-H", try mint.bearer())
        #expect(answer.status == 200 && !answer.head.contains("public"))
    }
}

@Test func `who was turned away is counted, by status`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path, stage: filled)
    for _ in 0..<3 { _ = try front.curl(window) }
    _ = try front.curl("/v1/conversations/c/events", "-d", "x", "-H", try mint.bearer())
    let text = try front.askOperators("/metrics").body
    #expect(text.contains("forme_gateway_refused_total{status=\"401\"} 3\n"))
    #expect(text.contains("forme_gateway_refused_total{status=\"403\"} 1\n"))
    #expect(text.contains("forme_gateway_refused_total{status=\"429\"} 0\n"))
    #expect(text.contains("forme_gateway_key_files_unusable 0\n"))
}

@Test func `a conversation in another spelling of Unicode is another one`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path) {
        let stage = try WindowStage()
        try stage.fill(3)
        return stage
    }
    let token = "Authorization: Bearer " + (try mint.token(of: .conversation("caf\u{E9}")))
    #expect(try front.curl("/v1/conversations/cafe%CC%81/window?target=390@3", "-H", token).status == 403)
    // The token allows this conversation, which does not exist.
    #expect(try front.curl("/v1/conversations/caf%C3%A9/window?target=390@3", "-H", token).status == 404)
}

@Test(arguments: [
    ("&unread_from=7", "unread_from: unknown; known are target"),
    ("&count=1&count=2", "count: is there more than once"),
    ("&count=999", "count: '999' is not a whole number in 1...256"), ("&foo=", "foo: unknown; known are "),
    ("&unread_from=7", "; did you mean unreadFrom?"), ("&cuont=7", "; did you mean count?"),
    ("&readr=ada", "; did you mean reader?"), ("&with=boddy", "with: 'boddy' is not body, runs, fonts, or several"),
])
func `a slip of the pen in a query is named, and so is what may be there`(slip: String, sentence: String) throws {
    let front = try RunningFront(stage: filled)
    let answer = try front.curl(window + slip)
    let problem = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    let detail = problem["detail"] as? String ?? ""
    #expect(answer.status == 400 && detail.contains(sentence), "\(detail)")
}

@Test(arguments: [
    "target=347@2.5", "target=390.25@3", "target=390@3&unreadFrom=1700000000000", "target=390@3&as=c%2F1",
    "target=390@3&as=%E4%BD%A0", "target=390@3&reader=%7B%22clock%22:%2212%22%7D",
    "target=390@3&reader=%7B%22zone%22:%7B%22offset%22:19800%7D,%22clock%22:%2224%22%7D",
    "target=390@3&reader=%7B%22zone%22:%7B%22offset%22:0%7D,%22clock%22:%2224%22%7D",
    "target=16384@1", "target=16383.75@1", "target=390@3&as=" + String(repeating: "%E4%BD%A0", count: 85),
    "target=390@3&as=" + String(repeating: "a", count: 100) + String(repeating: "%E4%BD%A0", count: 40),
    "target=390@3&as=" + String(repeating: "%F0%9F%91%8B", count: 63),
    "target=390@3&reader=%7B%22own%22:%22%E4%BD%A0%20%26%22%7D",
    "target=390@3&reader=%7B%22own%22:%20%22ada%22,%20%22clock%22:%20%2212%22%7D",
    "target=390@3&reader=%7B%22zone%22:%7B%22offset%22:3600,%22changes%22:%5B%5B1774746000,7200%5D,%5B1792890000,3600%5D%5D%7D%7D",
])
func `what the service takes is in its description, too`(query: String) throws {
    let front = try RunningFront(stage: filled)
    #expect(try front.curl("/v1/conversations/c/window?" + query).status != 400)
    let route = try #require(HTTPRoute.all.first { $0.endpoint == .window })
    let target = try #require(RequestTarget(Array("/?\(query)".utf8)))
    for item in target.query {
        let parameter = try #require(route.parameters.first { $0.name == item.name })
        switch parameter.shape {
        case .text(let pattern?): #expect(item.value.range(of: pattern, options: .regularExpression) != nil, "\(item)")
        case .number(let range): #expect(Int(item.value).map { range.contains($0) } ?? false, "\(item)")
        default: Issue.record("\(item) has another shape")
        }
    }
}

@Test func `a refusal says what to send, and in the words of RFC 6750 that a token is not for this`() throws {
    let mint = try Mint()
    let front = try RunningFront(tokens: mint.folder.path, stage: filled)
    let missing = try front.curl(window)
    #expect(missing.status == 401 && missing.head.contains("www-authenticate: bearer\r\n"))
    #expect(String(decoding: missing.body, as: UTF8.self).contains("Authorization: Bearer TOKEN"))
    let foreign = try front.curl(window, "-H", try mint.bearer(.write))
    #expect(foreign.status == 403 && foreign.head.contains("error=\"insufficient_scope\""))
    #expect(String(decoding: foreign.body, as: UTF8.self).contains("the token is not for this right"))
}
