import HTTP
import JSON
import Secrets

/// The description of the service that other programs read, made of the routes themselves.
enum OpenAPI {
    static func description(of routes: [HTTPRoute]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("openapi")
            json.string("3.1.0")
            json.key("info")
            json.object { json in
                json.key("title")
                json.string("Forme")
                json.key("version")
                json.string("1")
            }
            // The service that this was read from.
            json.key("servers")
            json.array { json in
                json.object { json in
                    json.key("url")
                    json.string("/")
                }
            }
            json.key("paths")
            json.object { json in
                for template in routes.map(\.template).withoutRepetitions {
                    json.key(template)
                    json.object { json in
                        for route in routes where route.template == template { write(route, to: &json) }
                    }
                }
            }
            json.key("components")
            json.object { json in writeComponents(to: &json) }
        }
        return json.bytes
    }

    private static func write(_ route: HTTPRoute, to json: inout JSONWriter) {
        json.key(route.method.name.lowercased())
        json.object { json in
            json.key("operationId")
            json.string(route.endpoint.rawValue)
            json.key("summary")
            json.string(route.summary)
            json.key("parameters")
            json.array { json in for parameter in route.parameters { write(parameter, to: &json) } }
            if let body = route.body {
                json.key("requestBody")
                json.object { json in
                    json.key("required")
                    json.bool(true)
                    json.key("content")
                    json.object { json in write(type: "application/json", body, to: &json) }
                }
            }
            json.key("responses")
            json.object { json in
                let own = route.answers
                let others = refusals(route.need).filter { other in !own.contains { $0.status == other.status } }
                for said in own + others { write(said, to: &json) }
            }
            guard case .token = route.need else { return }
            json.key("security")
            json.array { json in
                json.object { json in
                    json.key("token")
                    json.array { _ in }
                }
            }
        }
    }

    /// The refusals that any request may get, and those wherever a token is needed.
    private static func refusals(_ need: HTTPRoute.Need) -> [HTTPRoute.Said] {
        let malformed = HTTPRoute.Said.problem(400, "The request cannot be read")
        let many = HTTPRoute.Said.problem(429, "Too many requests of this subject, or of this address without a token")
        let foreign = HTTPRoute.Said.problem(
            403, "The token is not for this; or, without tokens, the page or the host is none of this machine")
        guard case .token = need else { return [malformed, foreign, many] }
        return [malformed, .problem(401, "No token, or none that holds"), foreign, many]
    }

    private static func write(_ parameter: HTTPRoute.Parameter, to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in [
                ("name", parameter.name), ("in", parameter.place.rawValue), ("description", parameter.summary),
            ] {
                json.key(key)
                json.string(value)
            }
            json.key("required")
            json.bool(parameter.isRequired)
            json.key("schema")
            parameter.shape.write(to: &json)
            guard let example = parameter.example else { return }
            json.key("example")
            switch parameter.shape {
            case .number, .integer: json.raw(example.utf8)
            default: json.string(example)
            }
        }
    }

    private static func write(_ said: HTTPRoute.Said, to json: inout JSONWriter) {
        json.key("\(said.status)")
        json.object { json in
            json.key("description")
            json.string(said.summary)
            guard !said.contents.isEmpty else { return }
            json.key("content")
            json.object { json in for (type, shape) in said.contents { write(type: type, shape, to: &json) } }
        }
    }

    private static func write(type: String, _ shape: JSONShape?, to json: inout JSONWriter) {
        json.key(type)
        json.object { json in
            guard let shape else { return }
            json.key("schema")
            shape.write(to: &json)
        }
    }

    private static func writeComponents(to json: inout JSONWriter) {
        json.key("securitySchemes")
        json.object { json in
            json.key("token")
            json.object { json in
                for (key, value) in [("type", "http"), ("scheme", "bearer")] {
                    json.key(key)
                    json.string(value)
                }
            }
        }
        json.key("schemas")
        json.object { json in
            for (name, shape) in shapes {
                json.key(name)
                shape.write(to: &json, examples: DescribedExamples.all[name] ?? [])
            }
        }
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        reduce(into: []) { known, name in if !known.contains(name) { known.append(name) } }
    }
}
