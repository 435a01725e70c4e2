import Foundation
import HTTP
import Secrets
import TestSupport
import Testing

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
    #expect(grant.subject == "ada")
    #expect(grant.allows(.read, "team/1") && grant.allows(.read))
    #expect(
        !grant.allows(.read, "other/1") && !grant.allows(.write, "team/1") && !grant.allows([.read, .write], "team/1"))
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
        (request("Bearer \(foreign)"), 0), (request("Bearer \(revoked)"), 0), (request("Bearer \(good)"), 3600),
        (request("Bearer \(good) x"), 0), (request(good), 0),
    ]
    for (request, seconds) in requests {
        let refusal = access.grant(for: request, at: times(seconds)).refusal
        #expect(refusal == .unauthorized, "\(request.headers)")
    }
    #expect(Response.unauthorized.headers["WWW-Authenticate"] == "Bearer")
    #expect(access.grant(for: request("bearer  \(good)"), at: times()).grant != nil)
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
    try access.refresh(at: times(1))
    #expect(access.grant(for: new, at: times(1)).grant != nil && access.grant(for: old, at: times(1)).grant != nil)
    try office.folder.revoke(before)
    // Not looked at again within the same second.
    try access.refresh(at: times(1))
    #expect(access.grant(for: old, at: times(1)).grant != nil)
    try access.refresh(at: times(2))
    #expect(access.grant(for: old, at: times(2)).refusal == .unauthorized)
    #expect(access.grant(for: new, at: times(2)).grant != nil)
}

@Test func `a folder that cannot be read any more is told, and changes nothing`() throws {
    let office = try Office()
    var access = try TokenAccess(office.folder)
    let token = request("Bearer \(try office.token())")
    try FileManager.default.removeItem(atPath: office.folder.path)
    #expect(throws: SecretsError.self) { try access.refresh(at: times(1)) }
    #expect(access.grant(for: token, at: times(1)).grant != nil)
    #expect(throws: SecretsError.self) { _ = try TokenAccess(office.folder) }
}

@Test func `where nobody is asked for a token, everything is granted`() throws {
    var access = try TokenAccess(nil)
    #expect(access.grant(for: request(), at: times()).grant == .everything)
    #expect(Grant.everything.allows([.read, .write], "c1"))
}
