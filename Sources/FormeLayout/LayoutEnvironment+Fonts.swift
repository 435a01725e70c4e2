package import MessageLayout
package import Shaping

extension LayoutEnvironment {
    /// For fonts that a `FontCatalog` opened, which reads what they are. Where their files lie and what they are called
    /// changes nothing.
    package init(fonts: FontList) { self.init(fonts: Array(fonts.families.map(\.measured).joined().utf8)) }
}

extension FontFamily {
    /// What of it changes measures: a line for the family and one for each face.
    fileprivate var measured: String {
        "family emoji \(isEmoji) monospaced \(isMonospaced)\n" + faces.map(\.measured).joined()
    }
}

extension FaceFile {
    fileprivate var measured: String {
        guard let identity else { preconditionFailure("\(path) was opened by no FontCatalog") }
        return "face \(identity) \(index) weight \(weight.map(String.init) ?? "any") italic \(isItalic)\n"
    }
}
