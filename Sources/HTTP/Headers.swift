/// The fields above a body, in order. Names are case-insensitive.
package struct Headers: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of this name, when read; the only one, after it is set.
    package subscript(_ name: String) -> String? {
        get { fields.first { $0.name.isSameName(as: name) }?.value }
        set {
            fields.removeAll { $0.name.isSameName(as: name) }
            if let newValue { add(name, newValue) }
        }
    }

    package mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// All values of this name as one list: a repeated field means the same as a list.
    package func list(_ name: String) -> String? {
        var list: String?
        for field in fields where field.name.isSameName(as: name) {
            list = list.map { $0 + ", " + field.value } ?? field.value
        }
        return list
    }

    package func count(_ name: String) -> Int { fields.count { $0.name.isSameName(as: name) } }
}

extension String {
    /// Whether two names are equal but for the case of ASCII letters.
    func isSameName(as other: String) -> Bool {
        // Most names are written alike.
        if self == other { return true }
        return utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercase == $1.asciiLowercase }
    }

    /// The text without spaces and tabs at both ends.
    var withoutOuterSpace: Substring {
        var rest = self[...]
        while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest.drop { $0 == " " || $0 == "\t" }
    }
}

extension UInt8 {
    var asciiLowercase: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
