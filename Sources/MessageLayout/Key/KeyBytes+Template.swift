/// The inputs that a template's layouts depend on, and those of the template for a text of a few emoji.
extension KeyBytes {
    package mutating func template(_ template: Template, _ targets: [Target], of sheet: StyleSheet) {
        number(sheet.variants.count)
        parts(template.parts, targets, of: sheet)
        if let jumbo = template.jumbo, let other = sheet.template(for: jumbo.kind) {
            text(jumbo.field)
            number(jumbo.most)
            flag(other.isFallback)
            parts(other.parts, targets, of: sheet)
        } else {
            missing()
        }
    }

    private mutating func parts(_ parts: [Part], _ targets: [Target], of sheet: StyleSheet) {
        self.parts(parts, of: sheet)
        list(targets) { $0.target($1, parts, of: sheet) }
    }
}
