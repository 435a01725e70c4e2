import JSON

/// What some JSON looks like, as JSON Schema says it.
indirect enum JSONShape: Sendable {
    case anything
    case bool
    case integer
    case number(ClosedRange<Int>)
    case text(pattern: String? = nil)
    case list(JSONShape)
    case object([(name: String, shape: JSONShape)], optional: Set<String> = [])
    /// An object with any names, all of whose values look alike.
    case table(JSONShape)
    /// One that is described under this name.
    case named(String)

    func write(to json: inout JSONWriter) {
        json.object { json in
            func type(_ name: String) {
                json.key("type")
                json.string(name)
            }
            switch self {
            case .anything: break
            case .bool: type("boolean")
            case .integer: type("integer")
            case .number(let range):
                type("integer")
                for (key, value) in [("minimum", range.lowerBound), ("maximum", range.upperBound)] {
                    json.key(key)
                    json.integer(value)
                }
            case .text(let pattern):
                type("string")
                if let pattern {
                    json.key("pattern")
                    json.string(pattern)
                }
            case .list(let element):
                type("array")
                json.key("items")
                element.write(to: &json)
            case .object(let members, let optional):
                type("object")
                json.key("properties")
                json.object { json in
                    for member in members {
                        json.key(member.name)
                        member.shape.write(to: &json)
                    }
                }
                json.key("required")
                json.array { json in
                    for member in members where !optional.contains(member.name) { json.string(member.name) }
                }
                json.key("additionalProperties")
                json.bool(false)
            case .table(let value):
                type("object")
                json.key("additionalProperties")
                value.write(to: &json)
            case .named(let name):
                json.key("$ref")
                json.string("#/components/schemas/\(name)")
            }
        }
    }
}
