package import HTTP
package import Secrets

/// Finds out what a request is for and whether whoever sent it may, and answers it.
package struct HTTPDesk: ~Copyable {
    private var access: TokenAccess
    private let origins: CrossOrigin
    private let fonts: FontFiles
    private let compressor = Compressor()
    private let description = HTTPDesk.makeDescription()

    package init(access: TokenAccess, origins: CrossOrigin = CrossOrigin(), fonts: FontFiles) {
        self.access = access
        self.origins = origins
        self.fonts = fonts
    }

    /// See `TokenAccess.refresh(at:)`.
    package mutating func refresh(at times: TokenAccess.Times) throws(SecretsError) { try access.refresh(at: times) }

    package mutating func answer(_ request: Request, _ health: Health, at times: TokenAccess.Times) -> Response {
        switch HTTPRoute.router.find(request.method, request.target.segments) {
        case .nothing: return finished(.notFound, request)
        case .otherMethods(let methods):
            if let preflight = origins.preflight(request, methods: methods) { return preflight }
            return finished(request.method == .options ? allowed(methods) : .notAllowed(methods), request)
        case .endpoint(let route, let parameters):
            return finished(answer(request, route, parameters, health, times), request)
        }
    }

    private mutating func answer(
        _ request: Request, _ route: HTTPRoute, _ parameters: [String: String], _ health: Health,
        _ times: TokenAccess.Times
    ) -> Response {
        if case .token(let right) = route.need {
            switch access.grant(for: request, at: times) {
            case .refused(let refusal): return refusal
            case .grant(let grant): guard grant.allows(right) else { return .forbidden }
            }
        }
        switch route.endpoint {
        case .live: return Health.liveness
        case .ready: return health.readiness
        case .description: return description
        case .font: return fonts.response(parameters["hash"] ?? "")
        }
    }

    /// In the form that the client asked for, and open to the pages that may read it.
    private func finished(_ response: Response, _ request: Request) -> Response {
        origins.opened(response.negotiated(for: request, compressor), to: request)
    }

    private func allowed(_ methods: [Method]) -> Response {
        Response(204, headers: ["Allow": methods.map(\.name).joined(separator: ", ")])
    }

    private static func makeDescription() -> Response {
        let bytes = OpenAPI.description(of: HTTPRoute.all)
        var response = Response(200, "application/json", bytes)
        response.tag = EntityTag(Fingerprint.of(bytes).prefix(8).map { String($0, radix: 16) }.joined())
        response.headers["Cache-Control"] = "no-cache"
        return response
    }
}
