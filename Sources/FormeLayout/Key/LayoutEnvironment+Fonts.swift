package import Shaping
import Typography

extension LayoutEnvironment {
    /// For fonts that a `FontCatalog` opened, which reads what they are. Where their files lie and what they are called
    /// changes nothing.
    package init(fonts: FontList) { self.init(families: fonts.families) }

    /// The same, for families of which each file is known, and none is open.
    package init(families: [FontFamily]) {
        self.init(fonts: Array(families.map(\.measured).joined().utf8), rules: EngineRules.current)
    }
}

extension FontFamily {
    /// What of it changes measures: a line for the family and one for each face.
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
