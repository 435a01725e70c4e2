/// A parsed JSON text: its values in the order of the text, with exact numbers.
///
///     let event = try JSONValue.parse(bytes)
///     event["text"]?.string
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of a member, or nil when there is none or this is no object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }
}

/// The members of an object, in the order of the text. No two keys are equal; the parser refuses such a text.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            (self.key, self.value) = (key, value)
        }
    }

    package private(set) var members: [Member]

    /// Trusts its caller that all keys differ.
    package init(_ members: [Member]) { self.members = members }

    package subscript(key: String) -> JSONValue? { place(of: key).map { members[$0].value } }

    /// The place of a key. One member after another is compared: objects are small, and their readers ask for few
    /// keys. Most keys differ in length already.
    package func place(of key: String) -> Int? {
        let length = key.utf8.count
        // The loop goes by place, as taking members out of the list would copy each with all that is in it.
        for place in members.indices
        where members[place].key.utf8.count == length && members[place].key == key {
            return place
        }
        return nil
    }
}
