package import Foundation

/// Files of the project, for tests that read them.
package enum Project {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package static func file(_ path: String) -> URL { root.appending(path: path) }

    /// The lines of a text file, without the empty ones.
    package static func lines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }
}
