import JSON

/// The fields that a message of some kind may have. Fields that change geometry are part of a layout's key; fields
/// that only change paint or behaviour are not.
package struct FieldSpec: Hashable, Sendable {
    package var fields: [Field]

    package struct Field: Hashable, Sendable {
        package var name: String
        package var type: FieldType
        package var use: Use
        package var isRequired: Bool
    }

    package enum Use: String, CaseIterable, Hashable, Sendable {
        case geometry, paint, behaviour
    }

    package indirect enum FieldType: Hashable, Sendable {
        /// A text of at most so many UTF-8 bytes.
        case text(Int)
        case integer
        case flag
        /// `{ width, height }` in pixels of its own; either may be left out together with the other.
        case picture
        /// Numbers, 0...255.
        case bars
        case object(FieldSpec)
        case list(FieldSpec, atMost: Int)
        case texts(atMost: Int)
    }

    package static let longestText = 1 << 16
    package static let longestList = 256

    package init(fields: [Field]) { self.fields = fields }

    package subscript(name: String) -> Field? { place(of: name).map { fields[$0] } }

    private func place(of name: String) -> Int? {
        let length = name.utf8.count
        for place in fields.indices where fields[place].name.utf8.count == length && fields[place].name == name {
            return place
        }
        return nil
    }
}

extension FieldSpec {
    /// `{ text: "text!", url: "text behaviour", options: { list: { … }, use: "geometry" } }`. A `!` marks a required
    /// field.
    init(_ reader: JSONReader) throws(JSONError) {
        fields = []
        for (name, reader) in try reader.object().all { fields.append(try Field(name, reader)) }
    }

    /// The fields of both; a field of the same name in `other` wins.
    func merged(with other: FieldSpec) -> FieldSpec {
        FieldSpec(fields: fields.filter { other[$0.name] == nil } + other.fields)
    }

    static let empty = FieldSpec(fields: [])
}

extension FieldSpec.Field {
    fileprivate init(_ name: String, _ reader: JSONReader) throws(JSONError) {
        self.name = name
        (use, isRequired) = (.geometry, false)
        if reader.value.object != nil {
            let fields = try reader.object(knownKeys: ["object", "list", "atMost", "use", "required"])
            if let inner = fields.optional("object") {
                type = .object(try FieldSpec(inner))
            } else {
                let most = try fields.optional("atMost")?.integer(in: 1...FieldSpec.longestList)
                type = .list(try FieldSpec(fields.required("list")), atMost: most ?? FieldSpec.longestList)
            }
            if let word = fields.optional("use") { use = try FieldSpec.Use(word) }
            isRequired = try fields.optional("required")?.bool() ?? false
            return
        }
        var words = try reader.string().split(separator: " ").map(String.init)
        guard var first = words.first else { throw reader.mismatch(expected: Self.syntax) }
        isRequired = first.last == "!"
        if isRequired { first.removeLast() }
        words.removeFirst()
        switch first {
        case "text": type = .text(FieldSpec.longestText)
        case "integer": type = .integer
        case "flag": type = .flag
        case "picture": type = .picture
        case "bars": type = .bars
        case "texts": type = .texts(atMost: FieldSpec.longestList)
        default: throw reader.mismatch(expected: Self.syntax)
        }
        guard words.count <= 1 else { throw reader.mismatch(expected: Self.syntax) }
        if let word = words.first {
            guard let known = FieldSpec.Use(rawValue: word) else { throw reader.mismatch(expected: Self.syntax) }
            use = known
        }
    }

    private static let syntax =
        "'TYPE', 'TYPE!' or 'TYPE USE' with the types text, integer, flag, picture, bars, texts and the uses geometry, "
        + "paint, behaviour"
}

extension FieldSpec.Use {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        guard let use = FieldSpec.Use(rawValue: try reader.string()) else {
            throw reader.mismatch(expected: "'geometry', 'paint' or 'behaviour'")
        }
        self = use
    }
}

extension FieldSpec {
    /// Checks the values of a message of this kind. An error has the path of the mistake, which is put together only
    /// then.
    ///
    /// A message of an unknown kind may have more fields; those that are known must still be right.
    func check(
        _ value: JSONValue, at path: @autoclosure () -> JSONPath = .root, isRoot: Bool = false,
        allowsOthers: Bool = false
    ) throws(JSONError) {
        guard let object = value.object else { throw JSONReader(value, at: path()).mismatch(expected: "an object") }
        // By index: a member that is taken out of the list is copied with all that is in it.
        let members = object.members
        for place in members.indices {
            if isRoot && (members[place].key == "kind" || members[place].key == "lang") { continue }
            guard let field = self.place(of: members[place].key) else {
                if allowsOthers { continue }
                throw JSONError(
                    problem: .unknownField(known: fields.map(\.name)), path: .member(members[place].key, of: path()))
            }
            try fields[field].type.check(members[place].value, at: .member(members[place].key, of: path()))
        }
        for place in fields.indices where fields[place].isRequired && object.place(of: fields[place].name) == nil {
            throw JSONError(problem: .missingField(fields[place].name), path: path())
        }
    }
}

extension FieldSpec.FieldType {
    fileprivate func check(_ value: JSONValue, at path: @autoclosure () -> JSONPath) throws(JSONError) {
        switch (self, value) {
        case (.text(let limit), .string(let text)) where text.utf8.count <= limit: return
        case (.integer, .number(let number)) where number.integer != nil: return
        case (.flag, .bool): return
        case (.bars, .array(let bars)) where bars.count <= Self.mostBars && bars.allSatisfy(\.isBar): return
        case (.object(let spec), _): try spec.check(value, at: path())
        case (.list(let spec, let most), .array(let elements)) where elements.count <= most:
            for (place, element) in elements.enumerated() { try spec.check(element, at: .element(place, of: path())) }
        default: try check(JSONReader(value, at: path()))
        }
    }

    static let mostBars = 4096

    /// Checks the rarer types, and finds the error in a wrong value.
    private func check(_ reader: JSONReader) throws(JSONError) {
        switch self {
        case .text(let limit):
            guard try reader.string().utf8.count <= limit else {
                throw reader.mismatch(expected: "at most \(limit) bytes of text")
            }
        case .integer: _ = try reader.integer()
        case .flag: _ = try reader.bool()
        case .picture:
            let fields = try reader.object()
            for key in ["width", "height"] { _ = try fields.optional(key)?.integer(in: 1...1_000_000) }
        case .bars:
            let bars = try reader.elements()
            guard bars.count <= Self.mostBars else { throw reader.mismatch(expected: "at most \(Self.mostBars) bars") }
            for bar in bars { _ = try bar.integer(in: 0...255) }
        case .object(let spec): try spec.check(reader.value, at: reader.path)
        case .list(_, let most), .texts(let most):
            let elements = try reader.elements()
            guard elements.count <= most else { throw reader.mismatch(expected: "at most \(most) elements") }
            for element in elements { _ = try element.string() }
        }
    }
}

extension JSONValue {
    fileprivate var isBar: Bool { number?.integer.map { 0...255 ~= $0 } ?? false }
}
