package import HTTP
package import Secrets

/// Finds out what whoever sent a request may do.
///
/// Whatever is wrong with a token, and where there is none, the answer is the same, byte for byte.
package struct TokenAccess: Sendable {
    /// The two clocks that decide here: the one of the calendar, and the one that never jumps.
    package struct Times: Sendable {
        package let calendar: TokenTime
        package let steady: Duration

        package init(calendar: TokenTime, steady: Duration) {
            self.calendar = calendar
            self.steady = steady
        }
    }

    private let folder: TokenKeyFolder?
    private var verifier: TokenVerifier
    private var limits: RateLimits<Token.ID>
    private var stamp: TokenKeyFolder.Stamp?
    private var lastLook: Duration?

    /// - Parameter folder: nil where nobody is asked for a token: on a machine of one's own, or behind a proxy that asks.
    package init(_ folder: TokenKeyFolder?, limit: RateLimit = RateLimit(burst: 200, perSecond: 100))
        throws(SecretsError)
    {
        self.folder = folder
        verifier = TokenVerifier(TokenKeyRing())
        limits = RateLimits(limit)
        guard let folder else { return }
        stamp = try folder.stamp()
        verifier.replace(try folder.ring())
    }

    /// Takes up keys that were added and revoked, at most once a second. Where the folder cannot be read, what was known
    /// stays so, and the error is thrown for somebody to mend it.
    package mutating func refresh(at times: Times) throws(SecretsError) {
        guard let folder, lastLook.map({ times.steady - $0 >= .seconds(1) }) ?? true else { return }
        lastLook = times.steady
        let now = try folder.stamp()
        guard now != stamp || !now.isSettled else { return }
        verifier.replace(try folder.ring())
        stamp = now
    }

    package enum Found: Sendable {
        case grant(Grant)
        case refused(Response)
    }

    package mutating func grant(for request: Request, at times: Times) -> Found {
        guard folder != nil else { return .grant(.everything) }
        guard let text = bearer(request.headers), let token = try? verifier.verify(text, at: times.calendar) else {
            // Nobody decides by what the reason was: this is its end.
            return .refused(.unauthorized)
        }
        if let wait = limits.take(token.id, at: times.steady) { return .refused(.tooMany(wait: wait)) }
        let claims = token.claims
        return .grant(Grant(subject: claims.subject, rights: claims.rights, scope: claims.scope))
    }

    private func bearer(_ headers: Headers) -> Substring? {
        guard headers.count("Authorization") == 1, let field = headers["Authorization"] else { return nil }
        // By bytes: a token has hundreds of them, and comes with every request.
        let space = UInt8(ascii: " ")
        let scheme = field.utf8.prefix { $0 != space }
        guard Substring(scheme).lowercased() == "bearer" else { return nil }
        let token = field.utf8[scheme.endIndex...].drop { $0 == space }
        return token.isEmpty ? nil : Substring(token)
    }
}

extension Response {
    package static var unauthorized: Response {
        var response = problem(401, "Unauthorized")
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    }

    package static var forbidden: Response { problem(403, "Forbidden") }
    package static var notFound: Response { problem(404, "Not found") }

    static func tooMany(wait: Duration) -> Response {
        var response = problem(429, "Too many requests")
        response.headers["Retry-After"] = "\(max(1, Int((wait / .seconds(1)).rounded(.up))))"
        return response
    }

    static func notAllowed(_ methods: [Method]) -> Response {
        var response = problem(405, "Method not allowed")
        response.headers["Allow"] = methods.map(\.name).joined(separator: ", ")
        return response
    }
}
