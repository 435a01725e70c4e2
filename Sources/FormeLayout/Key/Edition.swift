package import MessageLayout
import Rows

/// A name for inputs that are rolled out together: a style, fonts, targets and rules.
///
/// Rows are stored under keys that know nothing of it, so rolling one out adopts every row whose key is the same as
/// before, and lays out the rest.
package struct Edition: Sendable {
    package let name: String
    package let style: StyleSheet
    package let targets: [Target]
    package let environment: LayoutEnvironment
    /// The template ids of all kinds of message that the style has.
    package let templates: [String: TemplateID]
    let kinds: [String: Kind]

    /// The facts about a kind that the key of a message is made of.
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

    /// The digest of everything that layouts of any kind depend on, and of the data stored beside them: the row of a
    /// kind.
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
