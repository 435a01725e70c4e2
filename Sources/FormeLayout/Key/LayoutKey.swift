package import JSON
package import MessageLayout
import Typography

/// Everything that the layouts of one message depend on, and nothing else. Equal keys mean equal bytes, on every machine.
///
///     let edition = Edition(name: "2026-11", style: style, environment: environment)
///     let key = try LayoutKey(of: message, in: edition)
///
/// What all messages of a kind have in common is hashed once for an edition; here only what this one says is added.
package struct LayoutKey: Hashable, Sendable {
    package let digest: Digest

    /// - Parameter message: checked by the style of the edition.
    package init(of message: borrowing CheckedMessage, in edition: borrowing Edition) {
        let kind = edition.kinds[message.template.kind]!
        var key = KeyBytes()
        key.digest(kind.template.digest)
        key.flag(message.isKnown)
        key.fields(kind.geometry, of: message.value)
        if message.language != .none { key.text(message.language.description) }
        digest = key.digest
    }

    /// Refuses what cannot be laid out, in the words of the composer.
    package init(of message: JSONReader, in edition: Edition) throws(JSONError) {
        self.init(of: try CheckedMessage(message, of: edition.style), in: edition)
    }
}

extension LayoutKey: CustomStringConvertible {
    package var description: String { digest.description }
}
