import Glibc
package import HTTP
package import Secrets

/// Finds out what whoever sent a request may do.
///
/// Whatever is wrong with a token, and where there is none, the answer is the same 401, byte for byte; only the log has the reason.
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
    /// What everybody may, where there is none.
    private let openGrant: Grant
    private var verifier: TokenVerifier
    /// By key and subject, so that more tokens are not more requests.
    private var limits: RateLimits<TokenVerifier.Holder>
    /// Of requests without a token that holds, by address; nil behind a proxy, where all have the same.
    private var strangers: RateLimits<PeerAddress>?
    /// Nil where the folder is to be read again, whatever it looks like.
    private var stamp: TokenKeyFolder.Stamp?
    private var lastLook: Duration?
    /// Faults of the keys that were found at the last look.
    package private(set) var troubles: [SecretsError] = []
    /// Whether a token that was revoked can be told from others. Where the list is there and cannot be read, none is let in.
    private var knowsRevoked = true
    /// Why the last request that was refused was: for the log, and not for who sent it.
    private(set) var reason = ""

    /// How long a revocation may go unnoticed.
    private static let pause: Duration = .milliseconds(250)

    /// - Parameters:
    ///   - folder: nil where nobody is asked for a token: on a machine of one's own, or behind a proxy that asks.
    ///   - longestLife: from the moment in which a token was made until it expires.
    ///   - knowsAddresses: whether requests come from the addresses of who sent them.
    ///   - mayWrite: whether everybody may, where nobody is asked for a token.
    package init(
        _ folder: TokenKeyFolder?, limit: RateLimit = RateLimit(burst: 200, perSecond: 100),
        longestLife: Duration = TokenVerifier.standardLife, knowsAddresses: Bool = true,
        mayWrite: Bool = true
    ) throws(SecretsError) {
        openGrant = mayWrite ? .everything : .reading
        self.folder = folder
        verifier = TokenVerifier(TokenKeyRing(), longestLife: longestLife)
        limits = RateLimits(limit)
        strangers = knowsAddresses ? RateLimits(limit) : nil
        guard let folder else { return }
        stamp = try folder.stamp()
        take(try folder.reading())
    }

    /// Takes up keys that were added and revoked, at most every quarter of a second.
    ///
    /// A key that is damaged is none. Where the list of what is revoked cannot be read, no token holds; where the folder has gone, what
    /// was known stays so.
    /// - Returns: whether it is time to look who may still stay.
    package mutating func refresh(at times: Times) -> Bool {
        guard let folder, lastLook.map({ times.steady - $0 >= Self.pause }) ?? true else { return false }
        lastLook = times.steady
        do throws(SecretsError) {
            let now = try folder.stamp()
            // A file that could not be read may be readable by now, though nothing says so: of a folder that is mounted, say.
            guard now != stamp || !now.isSettled || troubles.contains(where: \.isUnreadable) else { return true }
            take(try folder.reading(knowing: verifier.ring))
            stamp = now
        } catch {
            (stamp, troubles) = (nil, [error])
            if case .unreadable(_, ENOENT) = error {} else { knowsRevoked = false }
        }
        return true
    }

    private mutating func take(_ reading: TokenKeyFolder.Reading) {
        if reading.ring != verifier.ring { verifier.replace(reading.ring) }
        (troubles, knowsRevoked) = (reading.damaged, reading.knowsRevoked)
    }

    /// Whether what was granted once still is.
    package func holds(_ grant: Grant, at times: Times) -> Bool {
        grant.token.map { knowsRevoked && verifier.holds($0, at: times.calendar) } ?? true
    }

    /// Whether somebody is asked for a token at all.
    package var asks: Bool { folder != nil }

    package enum Found: Sendable {
        case grant(Grant)
        case refused(Response)
    }

    /// - Parameter isCounted: whether it counts as one more request of its sender.
    package mutating func grant(for request: Request, isCounted: Bool = true, at times: Times) -> Found {
        guard folder != nil else { return .grant(openGrant.paid(by: Subject(request))) }
        // A signature costs as much as many answers, and an address that brought many bad ones gets no more of them.
        let mayCheck = strangers?.wait(request.address, at: times.steady) == nil
        let token: TokenVerifier.Verified
        do throws(TokenError) {
            guard let text = bearer(request.headers) else {
                reason = "no token"
                return .refused(stranger(request, isCounted, at: times) ?? .unauthorized)
            }
            token = try verifier.verify(text, at: times.calendar, checking: mayCheck)
        } catch {
            reason = "the token is \(error)"
            return .refused(stranger(request, isCounted, at: times) ?? .unauthorized)
        }
        guard let grant = Grant(token) else {
            reason = "the token has a subject that no sender can have"
            return .refused(stranger(request, isCounted, at: times) ?? .unauthorized)
        }
        guard knowsRevoked else { return .refused(.unsure) }
        if isCounted, let wait = limits.take(token.holder, at: times.steady) { return .refused(.tooMany(wait: wait)) }
        return .grant(grant)
    }

    /// Counts a request of somebody of whom nothing is known by where it comes from; the answer where these are too many.
    package mutating func stranger(_ request: Request, _ isCounted: Bool, at times: Times) -> Response? {
        guard folder != nil, isCounted else { return nil }
        return strangers?.take(request.address, at: times.steady).map { .tooMany(wait: $0) }
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

extension SecretsError {
    /// Whether it may be over without a change of what was found.
    fileprivate var isUnreadable: Bool {
        switch self {
        case .unreadable, .unreadableList: true
        case .unwritable, .exposed, .damaged, .damagedList, .noKeys, .hasKeys, .unknownKey: false
        }
    }
}

extension Response {
    /// Told to those alone whose token would hold.
    package static var unsure: Response {
        var response = problem(
            503, "Tokens cannot be checked",
            "the gateway cannot read its list of revoked tokens; try again when its operator has mended that")
        response.headers["Retry-After"] = "1"
        return response
    }

    package static var unauthorized: Response {
        var response = problem(
            401, "Unauthorized", "send a token that holds and was made for here, as Authorization: Bearer TOKEN")
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    }

    /// To somebody whose token holds (RFC 6750, 3.1).
    package static var forbidden: Response {
        var response = problem(403, "Forbidden", "the token is not for this right or this conversation")
        response.headers["WWW-Authenticate"] =
            #"Bearer error="insufficient_scope", error_description="the token is not for this""#
        return response
    }

    /// A refusal of writing where nobody is asked for a token.
    static var readingOnly: Response {
        problem(403, "Forbidden", "without tokens nobody writes here; set http.tokens")
    }
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
