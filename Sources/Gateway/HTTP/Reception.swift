import HTTP
import Operations
import Secrets

private let log = Log("gateway")

/// Admission of requests, decided by the head alone: by its route, its origin and host, its token and the rights that
/// this gives, and the rate of requests. Nothing else is spent on a request that is turned away.
struct Reception: Sendable {
    private var access: TokenAccess
    private let origins: CrossOrigin
    /// The check of pages and hosts where nobody is asked for a token; nil where pages of browsers on this machine
    /// can do no harm.
    private let house: OpenHouse?
    /// The number of requests that were turned away, by status.
    private(set) var refusals: [Int: Int] = [:]
    /// The addresses that these came from.
    private(set) var turnedAway = TurnedAwayAddresses()

    init(_ access: TokenAccess, _ origins: CrossOrigin, isOpenHouse: Bool) {
        (self.access, self.origins) = (access, origins)
        house = isOpenHouse && !access.asks ? OpenHouse(origins) : nil
    }

    enum Decision {
        case welcome(HTTPRoute, PathParameters, Grant)
        case answered(Response)
    }

    /// - Parameter isCounted: false for a request whose head was counted when it came.
    mutating func decide(_ request: Request, isCounted: Bool, at times: TokenAccess.Times) -> Decision {
        let decision = decision(request, isCounted, times)
        if case .answered(let response) = decision, 400..<600 ~= response.status, response.status != 404 {
            refusals[response.status, default: 0] += 1
            if TurnedAwayAddresses.statuses.contains(response.status) {
                turnedAway.count(.init(address: request.address, status: response.status))
                log.info(
                    "turned a request away",
                    [
                        "status": .number(response.status), "address": "\(request.address)",
                        "reason": "\(reason(response.status))",
                    ])
            }
        }
        return decision
    }

    private func reason(_ status: Int) -> String {
        switch status {
        case 401: access.reason
        case 403: access.asks ? "the token is not for this" : "this is not open to who has no token"
        default: "too many requests"
        }
    }

    private mutating func decision(
        _ request: Request, _ isCounted: Bool, _ times: TokenAccess.Times
    ) -> Decision {
        if let refusal = house?.refusal(of: request) { return .answered(refusal) }
        switch HTTPRoute.router.find(request.method, request.target.segments) {
        case .nothing: return .answered(access.stranger(request, isCounted, at: times) ?? .noRoute(request))
        case .otherMethods(let methods):
            if let refusal = access.stranger(request, isCounted, at: times) { return .answered(refusal) }
            if let preflight = origins.preflight(request, methods: methods) { return .answered(preflight) }
            return .answered(request.method == .options ? .allowed(methods) : .notAllowed(methods))
        case .endpoint(let route, let parameters):
            if [.events, .preview].contains(route.endpoint), house != nil, !request.isJSON {
                return .answered(.notJSON)
            }
            guard case .token(let right) = route.need else {
                let refusal = access.stranger(request, isCounted, at: times)
                return refusal.map { .answered($0) } ?? .welcome(route, parameters, .everything)
            }
            switch access.grant(for: request, isCounted: isCounted, at: times) {
            case .refused(let refusal): return .answered(refusal)
            case .grant(let grant):
                // A font belongs to no conversation.
                let isAllowed = parameters["conversation"].map { grant.allows(right, $0) } ?? grant.allows(right)
                guard isAllowed else { return .answered(access.asks ? .forbidden : .readingOnly) }
                return .welcome(route, parameters, grant)
            }
        }
    }
}

// Tokens.
extension Reception {
    var asksForTokens: Bool { access.asks }

    /// The faults of the keys of tokens; nil where nobody is asked for a token.
    var troubles: [SecretsError]? { access.asks ? access.troubles : nil }

    /// See `TokenAccess.refresh(at:)`. Once a minute the addresses that were turned away are logged, also those whose
    /// own lines were too many for the log.
    mutating func refresh(at times: TokenAccess.Times) -> Bool {
        for row in turnedAway.turn(to: times.steady) {
            log.info(
                "requests turned away in the last minute",
                [
                    "address": "\(row.refusal.address)", "status": .number(row.refusal.status),
                    "requests": .number(row.requests),
                ])
        }
        return access.refresh(at: times)
    }

    func holds(_ grant: Grant, at times: TokenAccess.Times) -> Bool { access.holds(grant, at: times) }
}

/// The check of a gateway that answers this machine alone, and asks nobody for a token. The address at which it
/// listens keeps others out, but a browser on this machine goes past that for any page. So a page must be of this
/// machine or named, and the host that it asks for must be this machine.
private struct OpenHouse: Sendable {
    private let origins: CrossOrigin

    init(_ origins: CrossOrigin) { self.origins = origins }

    func refusal(of request: Request) -> Response? {
        if let host = request.headers["Host"], !isHere(host[...]) {
            return .problem(
                403, "Forbidden",
                "without tokens only this machine is answered, and Host names another; set http.tokens")
        }
        if let origin = request.headers["Origin"], origins.allowed(request) == nil, !isPageHere(origin) {
            return .problem(
                403, "Forbidden", "without tokens only pages of this machine and of http.origins are answered")
        }
        return nil
    }

    private func isPageHere(_ origin: String) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        return isHere(origin[scheme.upperBound...])
    }

    /// Whether a host is a name or a number of this machine, with a port or without.
    private func isHere(_ place: Substring) -> Bool {
        let host: Substring
        if place.first == "[" {
            host = place.prefix { $0 != "]" }.dropFirst()
            return host == "::1"
        }
        host = place.prefix { $0 != ":" }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.lowercased() == "localhost"
            || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}

extension Request {
    /// Whether the body is JSON, which a page of another origin cannot send without a preflight.
    fileprivate var isJSON: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.lowercased()
        return type?.split(separator: " ").first == "application/json"
    }
}

extension Response {
    static func allowed(_ methods: [Method]) -> Response {
        Response(204, headers: ["Allow": methods.map(\.name).joined(separator: ", ")])
    }

    /// The answer where no route leads. A scraper that asks clients' port for figures is told where they are.
    static func noRoute(_ request: Request) -> Response {
        guard request.target.segments == ["metrics"] else { return .notFound }
        return .problem(
            404, "Not Found",
            "figures are at the port for operators: --metrics HOST:PORT of serve and gateway, or metrics in the configuration"
        )
    }

    static var notJSON: Response {
        .problem(415, "Unsupported media type", "messages are posted with Content-Type: application/json")
    }
}
