package import JSON
package import Typography

/// A message that was read, and checked against the fields of its kind. Its layouts, its key and its place in a row
/// are made from it: none of them reads or checks it again.
package struct CheckedMessage: Sendable {
    package let value: JSONValue
    package let kind: String
    /// The language of its words, if it has a `lang`.
    package let language: Language
    /// The template of its kind; that of the fallback if the style does not know the kind.
    package let template: Template
    package var isKnown: Bool { template.kind == kind }

    /// Checks a message. An error has the path of the mistake, for which it is no message of its kind.
    package init(_ message: JSONReader, of style: borrowing StyleSheet) throws(JSONError) {
        let fields = try message.object()
        let kind = try fields.required("kind").string()
        let language: Language =
            try fields.optional("lang").map { (tag) throws(JSONError) in try Language(tag) } ?? .none
        let template = try style.template(for: kind, message)
        try template.fields.check(message.value, isRoot: true, allowsOthers: template.kind != kind)
        // Last: what an error may still undo is in memory until the end, and copied when it is returned.
        (value, self.kind, self.language, self.template) = (message.value, kind, language, template)
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
