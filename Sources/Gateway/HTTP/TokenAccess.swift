import Glibc
package import HTTP
package import Secrets

/// The check of tokens: finds out the rights of a request's sender.
///
/// A request with a faulty token, or none, always gets the same 401, byte for byte; only the log has the reason.
package struct TokenAccess: Sendable {
    /// The two clocks that decide here: the calendar, and the clock that never jumps.
    package struct Times: Sendable {
        package let calendar: TokenTime
        package let steady: Duration

        package init(calendar: TokenTime, steady: Duration) {
            self.calendar = calendar
            self.steady = steady
        }
    }

    private let folder: TokenKeyFolder?
    /// The rights of everybody, where there is no folder.
    private let openGrant: Grant
    private var verifier: TokenVerifier
    /// The rates by key and subject, so that more tokens are not more requests.
    private var limits: RateLimits<TokenVerifier.Holder>
    /// The rates of requests without a valid token, by address; nil behind a proxy, where all have the same.
    private var strangers: RateLimits<PeerAddress>?
    /// The state of the folder when it was last read; nil where it is to be read again in any case.
    private var stamp: TokenKeyFolder.Stamp?
    private var lastLook: Duration?
    /// Faults of the keys that were found at the last look.
    package private(set) var troubles: [SecretsError] = []
    /// Whether a token that was revoked can be told from others. Where the list of these is there and cannot be read,
    /// no token is let in.
    private var knowsRevoked = true
    /// The reason of the last refusal: for the log, and not for the request's sender.
    private(set) var reason = ""

    /// The longest time that a revocation may go unnoticed.
    private static let pause: Duration = .milliseconds(250)

    /// - Parameters:
    ///   - folder: nil where nobody is asked for a token: on a machine of one's own, or behind a proxy that asks.
    ///   - longestLife: the longest time from the moment in which a token was made until it expires.
    ///   - knowsAddresses: whether requests come from the addresses of their senders.
    ///   - mayWrite: whether everybody may write, where nobody is asked for a token.
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
    /// A damaged key is none. Where the list of revoked tokens cannot be read, no token is valid; where the folder
    /// has gone, the keys that were known stay.
    /// - Returns: whether it is time to check which streams may stay.
    package mutating func refresh(at times: Times) -> Bool {
        guard let folder, lastLook.map({ times.steady - $0 >= Self.pause }) ?? true else { return false }
        lastLook = times.steady
        do throws(SecretsError) {
            let now = try folder.stamp()
            // A file that could not be read may be readable by now with the same stamp, for instance in a mounted
            // folder.
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

    /// Whether a grant is still valid.
    package func holds(_ grant: Grant, at times: Times) -> Bool {
        grant.token.map { knowsRevoked && verifier.holds($0, at: times.calendar) } ?? true
    }

    /// Whether requests need a token at all.
    package var asks: Bool { folder != nil }

    package enum Found: Sendable {
        case grant(Grant)
        case refused(Response)
    }

    /// - Parameter isCounted: whether it counts as one more request of its sender.
    package mutating func grant(for request: Request, isCounted: Bool = true, at times: Times) -> Found {
        guard folder != nil else { return .grant(openGrant.paid(by: Subject(request))) }
        // To check a signature costs as much as many answers, so an address that brought many bad ones gets no more
        // of them checked.
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

    /// Counts a request without a valid token by its address; returns the refusal where these are too many.
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
    /// Whether it may be over without a change of the folder's stamp.
    fileprivate var isUnreadable: Bool {
        switch self {
        case .unreadable, .unreadableList: true
        case .unwritable, .exposed, .damaged, .damagedList, .noKeys, .hasKeys, .unknownKey: false
        }
    }
}

extension Response {
    /// The refusal while revoked tokens are not known, for requests alone whose token would be valid.
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

    /// The refusal of a request whose token is valid, but not for this (RFC 6750, 3.1).
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
