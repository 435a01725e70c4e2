/// Finds what a request is for: a method and a path such as `/v1/conversations/{id}/rows`, where a name in braces stands for
/// any one segment.
package struct Router<Endpoint: Sendable>: Sendable {
    package enum Found {
        case endpoint(Endpoint, parameters: [String: String])
        /// The path is known, with these other methods.
        case otherMethods([Method])
        case nothing
    }

    private enum Part: Equatable {
        case word(String)
        case any(String)
    }

    private struct Route {
        let method: Method
        let parts: [Part]
        let endpoint: Endpoint
    }

    private var routes: [Route] = []

    package init() {}

    /// Of two routes that fit, the one that was added first is found.
    package mutating func add(_ method: Method, _ template: String, _ endpoint: Endpoint) {
        let parts = template.split(separator: "/").map { part -> Part in
            part.hasPrefix("{") ? .any(String(part.dropFirst().dropLast())) : .word(String(part))
        }
        routes.append(Route(method: method, parts: parts, endpoint: endpoint))
    }

    /// HEAD is found where GET is.
    package func find(_ method: Method, _ segments: [String]) -> Found {
        let fitting = routes.filter { fits($0.parts, segments) }
        guard !fitting.isEmpty else { return .nothing }
        let wanted = method == .head ? .get : method
        guard let route = fitting.first(where: { $0.method == wanted }) else {
            return .otherMethods(methods(of: fitting))
        }
        let parameters = zip(route.parts, segments).compactMap { part, segment -> (String, String)? in
            guard case .any(let name) = part else { return nil }
            return (name, segment)
        }
        return .endpoint(route.endpoint, parameters: Dictionary(uniqueKeysWithValues: parameters))
    }

    private func fits(_ parts: [Part], _ segments: [String]) -> Bool {
        parts.count == segments.count
            && zip(parts, segments).allSatisfy { part, segment in
                switch part {
                case .word(let word): word == segment
                case .any: !segment.isEmpty
                }
            }
    }

    private func methods(of routes: [Route]) -> [Method] {
        var methods: [Method] = []
        for route in routes where !methods.contains(route.method) { methods.append(route.method) }
        if methods.contains(.get) { methods.append(.head) }
        return methods + [.options]
    }
}
