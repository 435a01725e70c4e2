import Foundation
import HTTP
import Names
import Secrets
import TestSupport
import Testing
import Wire

@testable import Gateway

private let now = TokenTime(seconds: 1_800_000_000)

private func times(_ seconds: Int = 0) -> TokenAccess.Times {
    TokenAccess.Times(calendar: now + .seconds(seconds), steady: .seconds(100 + seconds))
}

private func request(_ authorization: String?...) -> Request {
    var headers: Headers = [:]
    for case let value? in authorization { headers.add("Authorization", value) }
    return Request(method: .get, target: RequestTarget(Array("/".utf8))!, headers: headers)
}

/// A folder with a key, and the tokens that it makes.
private struct Office {
    let place: TemporaryFolder
    let folder: TokenKeyFolder

    init() throws {
        place = try TemporaryFolder()
        folder = TokenKeyFolder(place.file("tokens"))
        _ = try folder.make()
    }

    func token(_ scope: TokenScope = .conversation("c1"), _ rights: TokenRights = .read, subject: String = "ada") throws
        -> String
    {
        let key = try folder.signingKey()
        return key.token(
            TokenClaims(
                key: key.publicKey.id, rights: rights, scope: scope, subject: subject, issued: now,
                expires: now + .seconds(3600)))
    }
}

extension TokenAccess.Found {
    fileprivate var grant: Grant? { if case .grant(let grant) = self { grant } else { nil } }
    fileprivate var refusal: Response? { if case .refused(let response) = self { response } else { nil } }
}

@Test func `a token that holds grants what it says, and nothing beside`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let grant = try #require(
        access.grant(for: request("Bearer \(try office.token(.prefix("team/")))"), at: times()).grant)
    #expect(try grant.subject == SenderID("ada"))
    #expect(grant.allows(.read, "team/1") && grant.allows(.read))
    #expect(
        !grant.allows(.read, "other/1") && !grant.allows(.write, "team/1") && !grant.allows([.read, .write], "team/1"))
}

@Test(
    arguments: zip(
        ["w", "wb", "wb ada", "w ada", "rw ada", "r", "r ada"], [true, true, true, false, false, false, false]))
func `a backend is who may write for everybody, or for nobody in particular`(said: String, isBackend: Bool) throws {
    let words = said.split(separator: " ").map(String.init)
    let letters: [Character: TokenRights] = ["r": .read, "w": .write, "b": .backend]
    let rights = words[0].reduce(into: TokenRights()) { $0.formUnion(letters[$1] ?? []) }
    let subject = words.count > 1 ? words[1] : ""
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let token = try office.token(.all, rights, subject: subject)
    #expect(access.grant(for: request("Bearer \(token)"), at: times()).grant?.isBackend == isBackend)
    #expect(Grant.everything.isBackend)
}

@Test func `whatever is wrong with a token, the answer is the same`() throws {
    let office = try Office()
    let good = try office.token()
    let revoked = try office.token(subject: "eve")
    try office.folder.revoke(try #require(Token(revoked)).id, until: now + .seconds(9000), at: now)
    var access = try TokenAccess(office.folder)
    let foreign = try Office().token()
    let requests: [(Request, Int)] = [
        (request(), 0), (request(""), 0), (request("Bearer"), 0), (request("Bearer x"), 0),
        (request("Basic \(good)"), 0),
        (request("Bearer \(good.dropLast())"), 0), (request("Bearer \(good)", "Bearer \(good)"), 0),
        (request("Bearer \(foreign)"), 0), (request("Bearer \(revoked)"), 0),
        (request("Bearer \(good) x"), 0), (request(good), 0), (request("Bearer \(good)"), 3600),
    ]
    for (request, seconds) in requests {
        let refusal = access.grant(for: request, at: times(seconds)).refusal
        #expect(refusal == .unauthorized, "\(request.headers)")
    }
    #expect(Response.unauthorized.headers["WWW-Authenticate"] == "Bearer")
    var other = try TokenAccess(office.folder)
    #expect(other.grant(for: request("bearer  \(good)"), at: times()).grant != nil)
}

@Test func `a token that is used too often is told when to come back, and others are not`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder, limit: RateLimit(burst: 2, perSecond: 1))
    let one = request("Bearer \(try office.token())")
    let other = request("Bearer \(try office.token(subject: "bob"))")
    for _ in 0..<2 { #expect(access.grant(for: one, at: times()).grant != nil) }
    let refusal = access.grant(for: one, at: times()).refusal
    #expect(refusal?.status == 429 && refusal?.headers["Retry-After"] == "1")
    #expect(access.grant(for: other, at: times()).grant != nil)
    #expect(access.grant(for: one, at: times(1)).grant != nil)
}

@Test func `keys are taken up and dropped while requests come`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let old = request("Bearer \(try office.token())")
    #expect(access.grant(for: old, at: times()).grant != nil)
    let before = try #require(try office.folder.signingKeyID())
    _ = try office.folder.rotate()
    let new = request("Bearer \(try office.token())")
    #expect(access.refresh(at: times(1)) == true)
    #expect(access.grant(for: new, at: times(1)).grant != nil && access.grant(for: old, at: times(1)).grant != nil)
    try office.folder.revoke(before)
    // The folder is not looked at again at once.
    #expect(access.refresh(at: times(1)) == false)
    #expect(access.grant(for: old, at: times(1)).grant != nil)
    #expect(access.refresh(at: times(2)) == true)
    #expect(access.grant(for: old, at: times(2)).refusal == .unauthorized)
    #expect(access.grant(for: new, at: times(2)).grant != nil)
}

@Test func `a folder that cannot be read any more is told, and changes nothing`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let token = request("Bearer \(try office.token())")
    #expect(access.troubles.isEmpty)
    try FileManager.default.removeItem(atPath: office.folder.path)
    #expect(access.refresh(at: times(1)) == true)
    #expect(access.troubles.count == 1)
    #expect(access.grant(for: token, at: times(1)).grant != nil)
    #expect(throws: SecretsError.self) { _ = try TokenAccess(office.folder) }
}

@Test func `a damaged key is told, and what is revoked meanwhile holds no longer`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let texts = [try office.token(), try office.token(subject: "bob")]
    try Data("nonsense".utf8).write(to: URL(filePath: office.folder.path + "/0123456789abcdef.public"))
    try office.folder.revoke(try #require(Token(texts[0])).id, until: now + .seconds(9000), at: now)
    #expect(access.refresh(at: times(1)) == true)
    #expect(access.troubles.count == 1)
    #expect(access.grant(for: request("Bearer \(texts[0])"), at: times(1)).refusal == .unauthorized)
    let held = try #require(access.grant(for: request("Bearer \(texts[1])"), at: times(1)).grant)
    // A list that cannot be read keeps no key from being revoked.
    let list = office.folder.path + "/revoked"
    try FileManager.default.removeItem(atPath: list)
    try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
    try office.folder.revoke(try #require(try office.folder.signingKeyID()))
    #expect(access.holds(held, at: times(1)))
    #expect(access.refresh(at: times(2)) == true)
    #expect(!access.holds(held, at: times(2)) && access.troubles.count == 2)
}

@Test func `while the list of revoked tokens cannot be read, no token is let in`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let texts = [try office.token(), try office.token(subject: "bob")]
    let held = try #require(access.grant(for: request("Bearer \(texts[0])"), at: times()).grant)
    let list = office.folder.path + "/revoked"
    try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
    #expect(access.refresh(at: times(1)) == true)
    #expect(!access.holds(held, at: times(1)) && access.holds(.everything, at: times(1)))
    #expect(access.grant(for: request("Bearer \(texts[1])"), at: times(1)).refusal == .unsure)
    #expect(access.grant(for: request(), at: times(1)).refusal?.status == 401)
    let reasons = access.troubles.map(\.blindness)
    #expect(reasons == ["the list of revoked tokens cannot be read by this user, so no token is accepted"])
    try FileManager.default.removeItem(atPath: list)
    try office.folder.revoke(try #require(Token(texts[0])).id, until: now + .seconds(9000), at: now)
    #expect(access.refresh(at: times(2)) == true)
    #expect(access.troubles.isEmpty)
    #expect(access.grant(for: request("Bearer \(texts[0])"), at: times(2)).refusal?.status == 401)
    #expect(access.grant(for: request("Bearer \(texts[1])"), at: times(2)).grant != nil)
}

@Test func `what was granted holds until its token does not`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let grant = try #require(access.grant(for: request("Bearer \(try office.token())"), at: times()).grant)
    #expect(access.holds(grant, at: times(3599)) && !access.holds(grant, at: times(3600)))
    #expect(access.holds(.everything, at: times(9_000_000)))
}

@Test func `where nobody is asked for a token, everything is granted`() throws {
    var access = try TokenAccess(nil)
    #expect(access.grant(for: request(), at: times()).grant == .everything.paid(by: .caller(0)))
    #expect(Grant.everything.allows([.read, .write], "c1"))
}

@Test(arguments: ["window", "changes"])
func `a request that has waited for a conversation is answered where its token still holds`(path: String) throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let office = try Office()
    var desk = HTTPDesk(access: try TokenAccess(office.folder), fonts: FontFiles([]), windows: stage.desk)
    let token = try office.token(.conversation("c"))
    let target = try #require(
        RequestTarget(Array("/v1/conversations/c/\(path)?target=390@3&count=1&bodies=no".utf8)))
    let request = Request(method: .get, target: target, headers: ["Authorization": "Bearer \(token)"])
    let answer = desk.answer(request, Health([.init("cache", nil)]), at: times())
    guard case .later = answer else {
        Issue.record("\(answer)")
        return
    }
    var outcome: OpeningOutcome?
    while outcome == nil, stage.desk.isComing { outcome = stage.desk.proceed(at: .now) { _, _ in .gone } }
    let refused = desk.answers(after: try #require(outcome))
    desk.refresh(at: times(7200), { _, _ in .done }, { _ in })
    let answers = desk.answersInTurn()
    guard refused.isEmpty, answers.count == 1, case .response(let response) = answers[0].1 else {
        Issue.record("\(refused) \(answers)")
        return
    }
    #expect(response.status == 401)
    let streams = desk.streams.count
    #expect(streams == 0 && stage.desk.count == 0)
}
