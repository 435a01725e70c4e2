import Console
import FormeLayout
import MessageLayout
import Typography
import Wire

/// The options for a style and for some of a message's layouts: `--style FILE --target 375@3 --variant own`.
struct LayoutOptions {
    static let names = [StyleOption.name, "target", "text-scale", "variant", "state"]
    static let usage = """
        \(StyleOption.usage)
          --target WIDTH@SCALE a row of so many points (default: all targets of the style)
          --text-scale FACTOR  the reader's text size, 0.25 to 4 (default: 1)
          --rtl                mirrored, for readers from right to left
          --variant NAME       one of the style's variants, such as own (default: its first)
          --state STATE        collapsed or expanded (default: collapsed)
        """
    let style: StyleSheet
    let targets: [Target]
    let isOneTarget: Bool
    let variant: Int
    let isExpanded: Bool

    init(_ arguments: Arguments) throws {
        style = try StyleOption.style(arguments)
        isOneTarget = arguments.text("target") != nil
        targets = try LayoutOptions.targets(arguments, of: style)
        variant = try arguments.choice("variant", of: style.variants)
        isExpanded = try arguments.choice("state", of: ["collapsed", "expanded"]) == 1
    }

    private static func targets(_ arguments: Arguments, of style: StyleSheet) throws -> [Target] {
        var targets = style.targets
        if let text = arguments.text("target") {
            guard let target = Target(text: text) else {
                let known = targets.map(\.text).joined(separator: ", ")
                throw arguments.refusal("--target takes WIDTH@SCALE, such as the style's \(known), not '\(text)'")
            }
            targets = [target]
        }
        let textScale = try arguments.textScale()
        for place in targets.indices {
            targets[place].textScale = textScale ?? targets[place].textScale
            targets[place].isMirrored = arguments.has("rtl")
        }
        return targets
    }
}

extension Arguments {
    func textScale() throws -> TextScale? {
        guard let text = text("text-scale") else { return nil }
        guard let factor = Double(text), 0.25...4 ~= factor else {
            throw refusal("--text-scale takes a factor from 0.25 to 4, such as 1.3, not '\(text)'")
        }
        return TextScale(percent: Int32((factor * 100).rounded()))
    }

    /// The place of a word among those that are known; the first one where nothing is said.
    func choice(_ name: String, of known: [String]) throws -> Int {
        guard let text = text(name) else { return 0 }
        guard let place = known.firstIndex(of: text) else {
            throw refusal("--\(name) is one of \(known.joined(separator: ", ")), not '\(text)'")
        }
        return place
    }
}
