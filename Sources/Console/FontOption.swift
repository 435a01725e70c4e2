import FormeLayout
import Foundation
package import Shaping

/// `--fonts FILE`: the list of fonts that texts are measured with.
package enum FontOption {
    package static let name = "fonts"
    package static let usage = "  --fonts FILE         the list of fonts (default: config/fonts.json5)"

    /// A closure that opens the fonts, for the thread that will use them; each font knows its identity
    /// (`FontCatalog`).
    package static func loader(_ arguments: Arguments) -> @Sendable () throws -> FontList {
        loader(arguments.text(name) ?? "config/fonts.json5")
    }

    package static func loader(_ path: String) -> @Sendable () throws -> FontList {
        return { try FontCatalog().open(families(path)) }
    }

    /// The families of the list, before any of its files is looked at.
    package static func families(_ path: String) throws -> [FontFamily] {
        let path = SharedFile.path(path)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(.inputOutput, "\(path) cannot be read; name the list of fonts with --\(name)")
        }
        return try FontConfiguration.families(Array(bytes), from: path)
    }
}
