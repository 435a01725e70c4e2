import HTTP
import Names
import Secrets
import TestSupport
import Testing
import Transport
import Wire

@testable import Gateway

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
