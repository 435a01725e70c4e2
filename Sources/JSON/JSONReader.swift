/// One value and the path to it, so that an error about the value can name its place.
///
///     let fields = try reader.object(knownKeys: ["file", "index", "weight"])
///     let file = try fields.required("file").string()
///     let index = try fields.optional("index")?.integer(in: 0...255) ?? 0
package struct JSONReader: Sendable {
    private enum Step {
        case root
        case member(String)
        case element(Int)
    }

    package let value: JSONValue
    private let parent: JSONPath
    private let step: Step

    private init(_ value: JSONValue, parent: JSONPath, step: Step) {
        (self.value, self.parent, self.step) = (value, parent, step)
    }

    package init(_ value: JSONValue, at path: JSONPath = .root) {
        self.init(value, parent: path, step: .root)
    }

    package var path: JSONPath {
        switch step {
        case .root: parent
        case .member(let key): .member(key, of: parent)
        case .element(let index): .element(index, of: parent)
        }
    }

    /// The error to throw when the value is of the right type and still not what was meant.
    package func mismatch(expected: String) -> JSONError {
        JSONError(problem: .mismatch(expected: expected, found: value.summary), path: path)
    }
}

extension JSONReader {
    package func string() throws(JSONError) -> String {
        guard let string = value.string else { throw mismatch(expected: "a string") }
        return string
    }

    package func bool() throws(JSONError) -> Bool {
        guard let bool = value.bool else { throw mismatch(expected: "true or false") }
        return bool
    }

    package func number() throws(JSONError) -> JSONNumber {
        guard let number = value.number else { throw mismatch(expected: "a number") }
        return number
    }

    package func integer(in range: ClosedRange<Int> = .min ... .max) throws(JSONError) -> Int {
        guard let integer = value.number?.integer, range.contains(integer) else {
            let isBounded = range != .min ... .max
            throw mismatch(expected: isBounded ? "\(range.lowerBound)...\(range.upperBound)" : "an integer")
        }
        return integer
    }

    /// One of a few words: `reader.choice(["ltr": .leftToRight, "rtl": .rightToLeft])`.
    package func choice<Meaning>(_ meanings: KeyValuePairs<String, Meaning>) throws(JSONError) -> Meaning {
        for (word, meaning) in meanings where value.string == word { return meaning }
        throw mismatch(expected: meanings.map { "'\($0.key)'" }.joined(separator: " or "))
    }

    package func elements() throws(JSONError) -> [JSONReader] {
        guard let array = value.array else { throw mismatch(expected: "an array") }
        let path = path
        return array.enumerated().map { JSONReader($1, parent: path, step: .element($0)) }
    }

    /// The members of an object. With `knownKeys`, any other key is an error, as it is most often a misspelling.
    package func object(knownKeys: [String]? = nil) throws(JSONError) -> Fields {
        guard let object = value.object else { throw mismatch(expected: "an object") }
        let fields = Fields(object: object, path: path)
        if let knownKeys { try fields.refuseOthers(than: knownKeys) }
        return fields
    }
}

extension JSONReader {
    /// The members of an object by their names.
    package struct Fields: Sendable {
        fileprivate let object: JSONObject
        fileprivate let path: JSONPath

        /// The field; nil only when it is not there. `null` is a value like others.
        package func optional(_ key: String) -> JSONReader? {
            object[key].map { JSONReader($0, parent: path, step: .member(key)) }
        }

        package func required(_ key: String) throws(JSONError) -> JSONReader {
            guard let field = optional(key) else { throw JSONError(problem: .missingField(key), path: path) }
            return field
        }

        /// All members in the order of the text, for objects whose keys are data.
        package var all: [(key: String, reader: JSONReader)] {
            object.members.map { ($0.key, JSONReader($0.value, parent: path, step: .member($0.key))) }
        }

        fileprivate func refuseOthers(than known: [String]) throws(JSONError) {
            for member in object.members where !known.contains(member.key) {
                throw JSONError(problem: .unknownField(known: known), path: .member(member.key, of: path))
            }
        }
    }
}

extension JSONValue {
    /// The short form of a value for an error: enough to recognise it, never a page of it.
    fileprivate var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): "\(number)"
        case .string(let string) where string.utf8.count <= 40: "'\(string)'"
        case .string(let string): "'\(String(string.unicodeScalars.prefix(40)))…'"
        case .array(let elements): "an array of \(elements.count)"
        case .object(let object): "an object of \(object.members.count)"
        }
    }
}
