/// All that layouts of one kind of message depend on but what the messages say: its template with the lengths, texts and
/// words that it uses, fonts and rules, variants and targets. Equal ids, equal layouts of equal messages.
///
/// It names nothing that can change without changing a layout: neither the kind, nor the lengths, nor how rows are dressed.
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

    func inputs(of template: Template, _ targets: [Target], _ environment: LayoutEnvironment) -> KeyBytes {
        var key = KeyBytes()
        key.digest(environment.digest)
        key.number(variants.count)
        template.write(to: &key, targets, of: self)
        // A text of a few emoji is laid out as another kind.
        if let jumbo = template.jumbo, let other = self.template(for: jumbo.kind) {
            key.text(jumbo.field)
            key.number(jumbo.most)
            key.flag(other.isFallback)
            other.write(to: &key, targets, of: self)
        } else {
            key.missing()
        }
        return key
    }
}

extension Template {
    fileprivate func write(to key: inout KeyBytes, _ targets: [Target], of sheet: StyleSheet) {
        key.parts(parts, of: sheet)
        key.list(targets) { $0.target($1, parts, of: sheet) }
    }
}
