import HTTP
import Secrets
import Wire

/// The endpoints of the service over HTTP.
package enum HTTPEndpoint: String, CaseIterable, Sendable {
    case live, ready, description, fonts, font, licence, conversations, listChanges, window, heights, place,
        changes, words, preview,
        ranges, events, script, rowScript, scriptFile, page, proof, pageFile, folderFile, folderChanges
}

/// A route: its method and path, the right that it needs, and its answers. Requests are routed by these, and the
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
        let isRequired: Bool
        /// A value that it may have.
        let example: String?

        init(
            name: String, place: Place, summary: String, shape: JSONShape, isRequired: Bool = false,
            example: String? = nil
        ) {
            (self.name, self.place, self.summary, self.shape) = (name, place, summary, shape)
            self.example = example
            self.isRequired = isRequired || place == .path
        }
    }

    /// One of the answers: its meaning, and its body.
    struct Said: Sendable {
        let status: Int
        let summary: String
        /// Types of the body, each with its shape, where it is JSON.
        let contents: [(type: String, shape: JSONShape?)]

        /// - Parameter isAlsoFramed: whether a client that accepts frames of `Wire` gets these instead.
        init(
            _ status: Int, _ summary: String, _ type: String? = nil, _ shape: JSONShape? = nil,
            isAlsoFramed: Bool = false
        ) {
            self.init(
                status, summary,
                (type.map { [($0, shape)] } ?? []) + (isAlsoFramed ? [(WindowPages.binary, nil)] : []))
        }

        init(_ status: Int, _ summary: String, _ contents: [(type: String, shape: JSONShape?)]) {
            (self.status, self.summary, self.contents) = (status, summary, contents)
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
    /// The body that it is sent with, as JSON.
    var body: JSONShape?

    /// Refuses names that the query of this route does not have, and names that are repeated.
    func check(_ query: [RequestTarget.Item]) throws(QueryFault) {
        for (place, item) in query.enumerated() {
            guard parameters.contains(where: { $0.place == .query && $0.name == item.name }) else {
                throw .unknown(item.name, known: parameters.filter { $0.place == .query }.map(\.name))
            }
            if query[..<place].contains(where: { $0.name == item.name }) { throw .repeated(item.name) }
        }
    }

    /// The most bytes of a body.
    var bodyLimit: Int {
        switch endpoint {
        case .events: 1 << 20
        // A word of a client, the longest of which names the rows of a window.
        case .words: 64 << 10
        case .preview: Limits.draft
        case .ranges: 64 << 10
        case .live, .ready, .description, .fonts, .font, .licence, .conversations, .listChanges, .window,
            .heights, .place, .changes, .script, .rowScript, .scriptFile,
            .page, .proof, .pageFile, .folderFile, .folderChanges:
            0
        }
    }
}

extension HTTPRoute {
    static let all: [HTTPRoute] = HTTPEndpoint.allCases.map(\.route)

    /// Routes that are described to programs; pages are for people.
    static let described = all.filter {
        ![.page, .proof, .pageFile, .folderFile, .folderChanges].contains($0.endpoint)
    }

    static let router = {
        var router = Router<HTTPRoute>()
        for route in all { router.add(route.method, route.template, route) }
        return router
    }()
}
