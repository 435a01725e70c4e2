package import MessageLayout
import Rows

/// A name for inputs that are rolled out together: a style, fonts, targets and rules.
///
/// Rows are stored under keys that know nothing of it, so rolling one out adopts every row whose key is the same as before,
/// and lays out the rest.
package struct Edition: Sendable {
    package let name: String
    package let style: StyleSheet
    package let targets: [Target]
    package let environment: LayoutEnvironment
    /// For each kind of message that the style has.
    package let templates: [String: TemplateID]
    let kinds: [String: Kind]

    /// What the key of a message needs to know of its kind.
    struct Kind {
        var template: TemplateID
        var geometry: FieldSpec
    }

    /// `targets` are those of the style unless others are wanted.
    package init(name: String, style: StyleSheet, targets: [Target]? = nil, environment: LayoutEnvironment) {
        (self.name, self.style, self.environment) = (name, style, environment)
        self.targets = targets ?? style.targets
        var kinds: [String: Kind] = [:]
        for (name, template) in style.templates {
            guard let id = style.templateID(for: name, targets: targets, in: environment) else { continue }
            kinds[name] = Kind(template: id, geometry: template.fields.geometry)
        }
        self.kinds = kinds
        templates = kinds.mapValues(\.template)
    }

    /// Of everything that layouts of any kind depend on, and what is stored beside them: which row a kind stands in.
    package var digest: Digest {
        var key = KeyBytes()
        key.list(templates.sorted { $0.key < $1.key }) { key, template in
            key.text(template.key)
            key.digest(template.value.digest)
            key.text(style.template(for: template.key)?.rowTemplate ?? "")
            key.flag(style.template(for: template.key)?.joinsSeries ?? true)
        }
        key.list(style.failedStatuses) { $0.text($1) }
        return key.digest
    }
}
