import Shaping

/// `--fonts FILE`: the list of fonts that texts are measured with.
enum FontOption {
    static let name = "fonts"
    static let usage = "  --fonts FILE         the list of fonts (default: config/fonts.json5)"

    static func loader(_ arguments: Arguments) -> @Sendable () throws -> FontList {
        { FontList() }
    }
}
