extension JSONValue {
    /// The value for people to read: a value that fits into a line stands on one, any other has a line for each member.
    ///
    ///     {
    ///       "size": [280, 64],
    ///       "stamp": "tucked"
    ///     }
    package func indented(columns: Int = 120) -> String {
        var text = ""
        write(to: &text, columns: columns, depth: 0, taken: 0)
        return text
    }

    /// - Parameter taken: columns of the line that are used before it and behind it.
    private func write(to text: inout String, columns: Int, depth: Int, taken: Int) {
        let flat = flat
        guard !isLeaf, 2 * depth + taken + flat.unicodeScalars.count > columns else {
            text += flat
            return
        }
        let indent = String(repeating: "  ", count: depth)
        switch self {
        case .null, .bool, .number, .string: break
        case .array(let elements):
            text += "["
            for (place, element) in elements.enumerated() {
                text += (place > 0 ? ",\n" : "\n") + indent + "  "
                element.write(to: &text, columns: columns, depth: depth + 1, taken: 1)
            }
            text += "\n\(indent)]"
        case .object(let object):
            text += "{"
            for (place, member) in object.members.enumerated() {
                let key = JSONValue.string(member.key).flat + ": "
                text += (place > 0 ? ",\n" : "\n") + indent + "  " + key
                member.value.write(to: &text, columns: columns, depth: depth + 1, taken: key.unicodeScalars.count + 1)
            }
            text += "\n\(indent)}"
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }

    /// The value on one line, with a space behind every comma and colon.
    private var flat: String {
        switch self {
        case .null, .bool, .number, .string:
            var json = JSONWriter()
            json.value(self)
            return String(decoding: json.bytes, as: UTF8.self)
        case .array(let elements): return "[" + elements.map(\.flat).joined(separator: ", ") + "]"
        case .object(let object):
            let members = object.members.map { "\(JSONValue.string($0.key).flat): \($0.value.flat)" }
            return "{" + members.joined(separator: ", ") + "}"
        }
    }
}
