package import JSON
package import MessageLayout
import Typography

/// The hash of all that the layouts of one message depend on, and of nothing else. Equal keys mean equal bytes,
/// everywhere.
///
///     let edition = Edition(name: "2026-11", style: style, environment: environment)
///     let key = try LayoutKey(of: message, in: edition)
///
/// The inputs that all messages of a kind share are hashed once for an edition; here only this message's own are added.
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

    /// Throws for a message that cannot be laid out, in the words of the composer.
    package init(of message: JSONReader, in edition: Edition) throws(JSONError) {
        self.init(of: try CheckedMessage(message, of: edition.style), in: edition)
    }
}

extension LayoutKey: CustomStringConvertible {
    package var description: String { digest.description }
}
