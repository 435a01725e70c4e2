import HTTP
import Secrets

/// Everything that can be asked for over HTTP.
package enum HTTPEndpoint: String, CaseIterable, Sendable {
    case live, ready, description, font
}

/// One way to ask for something: what leads to it, who may, and what is answered. Requests are routed by these, and the
/// description of the service for other programs is made of them.
struct HTTPRoute: Sendable {
    enum Need: Sendable {
        /// Anybody may.
        case nothing
        /// A token with this right. Its scope is the endpoint's business.
        case token(TokenRights)
    }

    struct Parameter: Sendable {
        enum Place: String { case path, query, header }
        let name: String
        let place: Place
        let summary: String
        let shape: JSONShape
    }

    /// One of the answers: what it means, and what its body is.
    struct Said: Sendable {
        let status: Int
        let summary: String
        let type: String?
        let shape: JSONShape?

        init(_ status: Int, _ summary: String, _ type: String? = nil, _ shape: JSONShape? = nil) {
            self.status = status
            self.summary = summary
            self.type = type
            self.shape = shape
        }

        static func problem(_ status: Int, _ summary: String) -> Said {
            Said(status, summary, "application/problem+json", .named("Problem"))
        }
    }

    let endpoint: HTTPEndpoint
    let method: Method
    let template: String
    let need: Need
    let summary: String
    let parameters: [Parameter]
    let answers: [Said]
}

extension HTTPRoute {
    static let all: [HTTPRoute] = HTTPEndpoint.allCases.map(\.route)

    static let router = {
        var router = Router<HTTPRoute>()
        for route in all { router.add(route.method, route.template, route) }
        return router
    }()
}

extension HTTPEndpoint {
    fileprivate var route: HTTPRoute {
        switch self {
        case .live:
            HTTPRoute(
                endpoint: self, method: .get, template: "/livez", need: .nothing,
                summary: "Whether the gateway's loop turns", parameters: [],
                answers: [.init(200, "It does", "application/json", .named("Health"))])
        case .ready:
            HTTPRoute(
                endpoint: self, method: .get, template: "/readyz", need: .nothing,
                summary: "Whether the gateway can answer what it is there for", parameters: [],
                answers: [
                    .init(200, "It can", "application/json", .named("Health")),
                    .init(503, "Not now; what is missing is false", "application/json", .named("Health")),
                ])
        case .description:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/openapi.json", need: .nothing,
                summary: "This description", parameters: [],
                answers: [.init(200, "OpenAPI 3.1", "application/json", .anything), .init(304, "The client has it")])
        case .font:
            HTTPRoute(
                endpoint: self, method: .get, template: "/v1/fonts/{hash}", need: .nothing,
                summary: "A font that layouts name, so that a client draws with the file that was measured",
                parameters: [
                    .init(
                        name: "hash", place: .path, summary: "The BLAKE2b-256 of the file",
                        shape: .text(pattern: "^[0-9a-f]{64}$"))
                ],
                answers: [
                    .init(200, "The file, for ever the same", "font/*"),
                    .init(206, "The part of it that was asked for", "font/*"),
                    .init(304, "The client has it"), .problem(404, "No layout of this service names it"),
                    .problem(416, "It has no such part"),
                ])
        }
    }
}
