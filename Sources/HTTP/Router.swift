/// A table of routes, each a method and a path such as `/v1/conversations/{id}/rows`, where a name in braces stands
/// for any one segment.
package struct Router<Endpoint: Sendable>: Sendable {
    package enum Found {
        case endpoint(Endpoint, parameters: PathParameters)
        /// The path is known, with these other methods.
        case otherMethods([Method])
        case nothing
    }

    // Two arrays, so that the search, which every request makes, is not generic.
    private var routes = RouteList()
    private var endpoints: [Endpoint] = []

    package init() {}

    /// Adds a route. Of two routes that fit, the one that was added first is found.
    package mutating func add(_ method: Method, _ template: String, _ endpoint: Endpoint) {
        routes.add(method, template)
        endpoints.append(endpoint)
    }

    /// Finds the endpoint of a request; HEAD is found where GET is.
    package func find(_ method: Method, _ segments: [String]) -> Found {
        let (place, others) = routes.find(method, segments)
        guard let place else { return others.isEmpty ? .nothing : .otherMethods(others) }
        return .endpoint(endpoints[place], parameters: routes.parameters(of: place, in: segments))
    }
}

/// The values in a path where its route has names. They are one or two, so a linear search is the fastest.
package struct PathParameters {
    package fileprivate(set) var values: [(name: String, value: String)] = []

    package subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }
}

private struct RouteList: Sendable {
    private enum Part {
        case word(String)
        case any(String)
    }

    private var routes: [(method: Method, parts: [Part])] = []

    mutating func add(_ method: Method, _ template: String) {
        let parts = template.split(separator: "/").map { part -> Part in
            part.hasPrefix("{") ? .any(String(part.dropFirst().dropLast())) : .word(String(part))
        }
        routes.append((method, parts))
    }

    /// The place of the route; if there is none, the methods that the path has instead.
    func find(_ method: Method, _ segments: [String]) -> (place: Int?, others: [Method]) {
        let wanted = method == .head ? .get : method
        var others: [Method] = []
        for place in routes.indices where fits(routes[place].parts, segments) {
            if routes[place].method == wanted { return (place, []) }
            if !others.contains(routes[place].method) { others.append(routes[place].method) }
        }
        guard !others.isEmpty else { return (nil, []) }
        if others.contains(.get) { others.append(.head) }
        return (nil, others + [.options])
    }

    func parameters(of place: Int, in segments: [String]) -> PathParameters {
        var parameters = PathParameters()
        let parts = routes[place].parts
        for i in parts.indices {
            if case .any(let name) = parts[i] { parameters.values.append((name, segments[i])) }
        }
        return parameters
    }

    private func fits(_ parts: [Part], _ segments: [String]) -> Bool {
        guard parts.count == segments.count else { return false }
        for i in parts.indices {
            switch parts[i] {
            case .word(let word): if word != segments[i] { return false }
            case .any: if segments[i].isEmpty { return false }
            }
        }
        return true
    }
}
