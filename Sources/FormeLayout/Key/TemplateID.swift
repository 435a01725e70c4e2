package import MessageLayout

/// The hash of all that layouts of one kind of message depend on, but for the messages: its template with the
/// lengths, texts and words that it uses, fonts and rules, variants and targets. Equal ids mean equal layouts of
/// equal messages.
///
/// Nothing that can change without changing a layout is in it: no name of the kind or of a length, and no rule for
/// the dress of rows.
package struct TemplateID: Hashable, Sendable {
    package let digest: Digest
}

extension StyleSheet {
    /// Nil for a kind that the style does not have. `targets` are those of the style unless others are wanted.
    package func templateID(
        for kind: String, targets: [Target]? = nil, in environment: LayoutEnvironment
    ) -> TemplateID? {
        template(for: kind).map { TemplateID(digest: inputs(of: $0, targets ?? self.targets, environment).digest) }
    }

    /// The bytes whose hash is the id.
    package func inputs(
        of template: Template, _ targets: [Target], _ environment: LayoutEnvironment
    ) -> KeyBytes {
        var key = KeyBytes()
        key.digest(environment.digest)
        key.template(template, targets, of: self)
        return key
    }
}
