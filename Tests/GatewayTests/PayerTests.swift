import Names
import Secrets
import TestSupport
import Testing
import Transport
import Wire

@testable import Gateway
@testable import HTTP

private let now = TokenAccess.Times(calendar: .init(seconds: 1_800_000_000), steady: .seconds(100))

private func request(_ address: String, on connection: UInt64) throws -> Request {
    Request(
        method: .get, target: try #require(RequestTarget(Array("/".utf8))), from: try #require(PeerAddress(address)),
        on: connection)
}

@Test func `without tokens, who asks is known by the address, and on this machine by the connection`() throws {
    var access = try TokenAccess(nil)
    func payer(_ address: String, _ connection: UInt64) throws -> Subject {
        guard case .grant(let grant) = access.grant(for: try request(address, on: connection), at: now) else {
            throw Refused()
        }
        return grant.payer
    }
    #expect(try payer("203.0.113.5", 1) == payer("203.0.113.5", 2))
    #expect(try payer("203.0.113.5", 1) != payer("203.0.113.6", 1))
    #expect(try payer("127.0.0.1", 1) != payer("127.0.0.1", 2))
    #expect(try payer("127.0.0.1", 3) == payer("127.0.0.1", 3))
    #expect(try payer("::1", 1) != payer("::1", 2))
}

private struct Refused: Error {}

@Test func `requests that waited for a conversation are answered in their turns, and so many of one asker`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let access = try TokenAccess(nil, limit: RateLimit(burst: 1 << 20, perSecond: 1 << 20))
    var desk = HTTPDesk(access: access, fonts: FontFiles([]), windows: stage.desk)
    let target = try #require(
        RequestTarget(Array("/v1/conversations/c/window?target=390@3&count=1&bodies=no".utf8)))
    let health = Health([.init("cache", nil)])
    let (most, address) = (64, try #require(PeerAddress("203.0.113.5")))
    for number in 1...UInt64(most + 10) {
        let request = Request(
            id: Request.ID(number: number), method: .get, target: target, headers: ["Host": "localhost"], from: address)
        let answer = desk.answer(request, health, at: now)
        guard case .later = answer else {
            Issue.record("\(answer)")
            return
        }
        // The time of the turn of the loop is over, so that the next request comes in another one.
        let early = desk.answersInTurn()
        #expect(early.isEmpty)
    }
    var outcome: OpeningOutcome?
    while outcome == nil, stage.desk.isComing { outcome = stage.desk.proceed(at: .now) { _, _ in .gone } }
    let refused = desk.answers(after: try #require(outcome))
    #expect(refused.count == 10)
    for (_, answer) in refused {
        guard case .response(let response) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(response.status == 503)
    }
    var answered: Set<Request.ID> = []
    let deadline = ContinuousClock.now + patience
    while answered.count < most, .now < deadline { answered.formUnion(desk.answersInTurn().map(\.0)) }
    #expect(answered.count == most && answered.isDisjoint(with: refused.map(\.0)))
}

@Test func `a word to a stream waits for the turn of its asker, as other requests do`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    var desk = HTTPDesk(access: try TokenAccess(nil), fonts: FontFiles([]), windows: stage.desk)
    func request(_ number: UInt64, _ method: HTTP.Method, _ path: String, _ body: String = "") throws -> Request {
        Request(
            id: Request.ID(number: number), method: method,
            target: try #require(RequestTarget(Array("/v1/conversations/c/\(path)".utf8))),
            headers: ["Host": "localhost", "Content-Type": "application/json"], body: Array(body.utf8),
            from: try #require(PeerAddress("203.0.113.\(number)")))
    }
    let health = Health([.init("cache", nil)])
    _ = desk.answer(try request(1, .get, "window?target=390@3&count=1"), health, at: now)
    var outcome: OpeningOutcome?
    while outcome == nil, stage.desk.isComing { outcome = stage.desk.proceed(at: .now) { _, _ in .gone } }
    // The one who waited for the conversation is next.
    let refused = desk.answers(after: try #require(outcome))
    let answer = desk.answer(try request(2, .post, "streams/7", #"{"close":{"window":1}}"#), health, at: now)
    guard refused.isEmpty, case .later = answer else {
        Issue.record("\(refused) \(answer)")
        return
    }
    var statuses: [Request.ID: Int] = [:]
    let deadline = ContinuousClock.now + patience
    while statuses.count < 2, .now < deadline {
        for case (let id, .response(let response)) in desk.answersInTurn() { statuses[id] = response.status }
    }
    // There is no such stream.
    #expect(statuses == [Request.ID(number: 1): 200, Request.ID(number: 2): 404])
}

@Test func `one who posts without waiting is told to come back, and others have room`() throws {
    let folder = try TemporaryFolder()
    let endpoint = "ipc://\(folder.file("events"))"
    let coordinator = try Socket(.router, in: try Context())
    try coordinator.bind(endpoint)
    let forwarder = try EventForwarder(to: endpoint, Access())
    let body = Array(
        #"{"conversation":"c","message":"m","sender":"a","time":1,"order":1,"body":{"kind":"text","text":"x"}}"#.utf8)
    func post(by connection: UInt64) throws -> Int? {
        let grant = Grant.everything.paid(by: .caller(connection))
        let request = Request(method: .post, target: try #require(RequestTarget(Array("/".utf8))), body: body)
        return try forwarder.forward(request, of: try ConversationID("c"), for: grant, at: .now)?.status
    }
    let deadline = ContinuousClock.now + patience
    while try post(by: 1) != nil, .now < deadline { _ = try wait(for: [coordinator.source], atMost: .milliseconds(5)) }
    for _ in 1..<EventForwarder.mostOfOne { #expect(try post(by: 1) == nil) }
    #expect(try post(by: 1) == 503)
    #expect(try post(by: 2) == nil)
    // Posts that were not answered in time do not wait any more.
    #expect(try forwarder.answers(at: .now + .seconds(11)).count == EventForwarder.mostOfOne + 1)
    #expect(try post(by: 1) == nil)
}

@Test func `posts that a stopped coordinator does not take have one limit of bytes, and more are told to come back`()
    throws
{
    let folder = try TemporaryFolder()
    let endpoint = "ipc://\(folder.file("events"))"
    // Of such large frames a router takes sixteen before they are received.
    let coordinator = try Socket(.router, in: try Context(), frameLimit: 4 << 20)
    try coordinator.bind(endpoint)
    let forwarder = try EventForwarder(to: endpoint, Access(), mostUnsent: 300_000)
    let text = String(repeating: "x", count: 30_000)
    let body = Array(
        #"{"conversation":"c","message":"m","sender":"a","time":1,"order":1,"body":{"kind":"text","text":"\#(text)"}}"#
            .utf8)
    var posts: UInt64 = 0
    func post() throws -> Response? {
        posts += 1
        let grant = Grant.everything.paid(by: .caller(posts))
        let request = Request(method: .post, target: try #require(RequestTarget(Array("/".utf8))), body: body)
        return try forwarder.forward(request, of: try ConversationID("c"), for: grant, at: .now)
    }
    let deadline = ContinuousClock.now + patience
    while try post() != nil, .now < deadline { _ = try wait(for: [coordinator.source], atMost: .milliseconds(5)) }
    // The kernel and the other end take some, and that needs a moment.
    var (taken, refusals) = (1, 0)
    while refusals < 20, taken < 100 {
        guard let refused = try post() else {
            (taken, refusals) = (taken + 1, 0)
            continue
        }
        refusals += 1
        #expect(refused.status == 503 && refused.headers["Retry-After"] == "1")
        _ = try wait(for: [forwarder.source], atMost: .milliseconds(5))
    }
    #expect(taken < 100)
    // Posts that were not answered in time wait no more, and the coordinator has not taken them all the same.
    #expect(try forwarder.answers(at: .now + .seconds(11)).count == taken)
    #expect(try post()?.status == 503)
    var isRefused = true
    while isRefused, .now < deadline {
        while try coordinator.receive() != nil {}
        isRefused = try post() != nil
        _ = try wait(for: [coordinator.source], atMost: .milliseconds(5))
    }
    #expect(!isRefused)
}
