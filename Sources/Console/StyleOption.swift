import FormeLayout
package import MessageLayout

/// `--style FILE`: how messages look.
package enum StyleOption {
    package static let name = "style"
    package static let standard = "config/styles/bubble.json5"
    package static let usage = "  --style FILE         how messages look, and for which targets (default: \(standard))"

    package static func style(_ arguments: Arguments) throws -> StyleSheet {
        try StyleFiles.open(path(arguments))
    }

    package static func path(_ arguments: Arguments) -> String { SharedFile.path(arguments.text(name) ?? standard) }
}
