/// The method of a request. A method that has no case here is kept by name, and no route takes it.
package enum Method: Hashable, Sendable {
    case get, head, post, put, patch, delete, options
    case other(String)

    package init(_ name: String) {
        self = Self.named[name] ?? .other(name)
    }

    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }

    private static let named: [String: Method] = Dictionary(
        uniqueKeysWithValues: [.get, .head, .post, .put, .patch, .delete, .options].map { ($0.name, $0) })
}
