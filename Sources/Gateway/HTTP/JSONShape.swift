import JSON

/// The shape of some JSON, as JSON Schema says it.
indirect enum JSONShape: Sendable {
    case anything
    case null
    case bool
    case integer
    case number(ClosedRange<Int>)
    case decimal
    case text(pattern: String? = nil)
    /// One of these texts.
    case word([String])
    case list(JSONShape, count: Int? = nil)
    /// An object with these members; with others, too, where it is open.
    case object([(name: String, shape: JSONShape)], optional: Set<String> = [], isOpen: Bool = false)
    /// An object with any names, all of whose values look alike.
    case table(JSONShape)
    case either([JSONShape])
    /// A shape that is described under this name.
    case named(String)
    /// A text in which there is JSON of this shape.
    case carrying(JSONShape)

    /// - Parameter examples: JSON of this shape.
    func write(to json: inout JSONWriter, examples: [String] = []) {
        json.object { json in
            writeMembers(to: &json)
            guard !examples.isEmpty else { return }
            json.key("examples")
            json.array { json in for example in examples { json.raw(example.utf8) } }
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .anything: break
        case .null: json.type("null")
        case .bool: json.type("boolean")
        case .integer: json.type("integer")
        case .decimal: json.type("number")
        case .number(let range):
            json.type("integer")
            json.limits([("minimum", range.lowerBound), ("maximum", range.upperBound)])
        case .text(let pattern):
            json.type("string")
            if let pattern {
                json.key("pattern")
                json.string(pattern)
            }
        case .word(let words):
            json.type("string")
            json.key("enum")
            json.array { json in for word in words { json.string(word) } }
        case .list(let element, let count):
            json.type("array")
            json.key("items")
            element.write(to: &json)
            if let count { json.limits([("minItems", count), ("maxItems", count)]) }
        case .object(let members, let optional, let isOpen):
            json.type("object")
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
            json.bool(isOpen)
        case .table(let value):
            json.type("object")
            json.key("additionalProperties")
            value.write(to: &json)
        case .either(let shapes):
            json.key("anyOf")
            json.array { json in for shape in shapes { shape.write(to: &json) } }
        case .named(let name):
            json.key("$ref")
            json.string("#/components/schemas/\(name)")
        case .carrying(let shape):
            json.type("string")
            json.key("contentMediaType")
            json.string("application/json")
            json.key("contentSchema")
            shape.write(to: &json)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func type(_ name: String) {
        key("type")
        string(name)
    }

    fileprivate mutating func limits(_ limits: [(String, Int)]) {
        for (name, limit) in limits {
            key(name)
            integer(limit)
        }
    }
}
