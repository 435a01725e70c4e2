import Foundation

/// The files of this package, as the tests of its shape read them.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct File {
        /// The path from the root on, such as `Sources/Wire/Frame.swift`.
        let path: String
        let text: String
        /// The folder below `Sources` or `Tests`.
        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }

    static func swiftFiles(in folder: String) throws -> [File] {
        let start = root.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: start.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
            File(path: "\(folder)/\($0)", text: try String(contentsOf: start.appending(path: $0), encoding: .utf8))
        }
    }
}
