package import JSON
package import Typography

/// A message that was read, and found to say what its kind may say. Its layouts, its key and its place in a row are made of it:
/// none of them reads or checks it again.
package struct CheckedMessage: Sendable {
    package let value: JSONValue
    package let kind: String
    /// In which its words are, where it says so in `lang`.
    package let language: Language
    /// Of its kind; of the fallback, where the style does not know the kind.
    package let template: Template
    package var isKnown: Bool { template.kind == kind }

    /// Refuses what is no message of its kind, with the path of what is wrong.
    package init(_ message: JSONReader, of style: borrowing StyleSheet) throws(JSONError) {
        value = message.value
        let fields = try message.object()
        kind = try fields.required("kind").string()
        language = try fields.optional("lang").map { (tag) throws(JSONError) in try Language(tag) } ?? .none
        template = try style.template(for: kind, message)
        try template.fields.check(value, isRoot: true, allowsOthers: template.kind != kind)
    }
}

extension Language {
    package init(_ reader: JSONReader) throws(JSONError) {
        guard let language = Language(try reader.string()) else {
            throw reader.mismatch(expected: "a language tag, such as 'ja' or 'zh-Hant'")
        }
        self = language
    }
}
