package import JSON

/// A message that was read, and found to say what its kind may say. Its layouts, its key and its place in a row are made of it:
/// none of them reads or checks it again.
package struct CheckedMessage: Sendable {
    package let value: JSONValue
    package let kind: String
    /// Of its kind; of the fallback, where the style does not know the kind.
    package let template: Template
    package var isKnown: Bool { template.kind == kind }

    /// Refuses what is no message of its kind, with the path of what is wrong.
    package init(_ message: JSONReader, of style: borrowing StyleSheet) throws(JSONError) {
        value = message.value
        kind = try message.object().required("kind").string()
        template = try style.template(for: kind, message)
        try template.fields.check(value, isRoot: true, allowsOthers: template.kind != kind)
    }
}
