import Foundation

/// Files that come with Forme, such as `config/styles/bubble.json5`: found from any folder.
package enum SharedFile {
    /// The path of a file or folder that is named as in the project: under the folder at hand, beside the program, or
    /// where a package puts it for a program in `bin`. The name itself where it is nowhere, so that an error can name
    /// it.
    package static func path(_ name: String) -> String {
        guard !name.hasPrefix("/"), !exists(name) else { return name }
        return folders.map { "\($0)/\(name)" }.first(where: exists) ?? name
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private static let folders: [String] = {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return [program, program.deletingLastPathComponent().appending(path: "share/forme")].map(\.path)
    }()
}
