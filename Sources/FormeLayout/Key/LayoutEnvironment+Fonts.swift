package import Shaping
import Typography

extension LayoutEnvironment {
    /// The environment of fonts that a `FontCatalog` opened, which finds their identities. The paths of their files
    /// and their names change nothing.
    package init(fonts: FontList) { self.init(families: fonts.families) }

    /// The same, for families whose files all have an identity; none of them is open.
    package init(families: [FontFamily]) {
        self.init(fonts: Array(families.map(\.measured).joined().utf8), rules: EngineRules.current)
    }
}

extension FontFamily {
    /// The properties that change measures: a line for the family and one for each face.
    fileprivate var measured: String {
        "family emoji \(isEmoji) monospaced \(isMonospaced)\n" + regional + faces.map(\.measured).joined()
    }

    private var regional: String {
        instead.map { "instead \($0) \(languages.map(\.description).joined(separator: " "))\n" } ?? ""
    }
}

extension FaceFile {
    fileprivate var measured: String {
        guard let identity else { preconditionFailure("\(path) was opened by no FontCatalog") }
        return "face \(identity) \(index) weight \(weight.map(String.init) ?? "any") italic \(isItalic)\n"
    }
}
