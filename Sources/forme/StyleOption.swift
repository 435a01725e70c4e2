import FormeLayout
import MessageLayout

/// `--style FILE`: how messages look.
enum StyleOption {
    static let name = "style"
    static let standard = "config/styles/bubble.json5"
    static let usage = "  --style FILE         how messages look, and for which targets (default: \(standard))"

    static func style(_ arguments: Arguments) throws -> StyleSheet {
        try StyleFiles.open(path(arguments))
    }

    static func path(_ arguments: Arguments) -> String { arguments.text(name) ?? standard }
}
