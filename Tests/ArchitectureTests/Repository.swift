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

    static func swiftFiles(in folder: String) throws -> [File] { try files(in: folder, withEndings: ["swift"]) }

    /// The files of a folder, and of those in it, whose names end with a point and one of these; with an empty one those
    /// without a point.
    static func files(in folder: String, withEndings endings: [String]) throws -> [File] {
        let start = root.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: start.path).filter { path in
            let name = path.split(separator: "/").last ?? ""
            return endings.contains { ending in
                ending.isEmpty ? !name.contains(".") && isFile(start, path) : name.hasSuffix(".\(ending)")
            }
        }
        return try paths.sorted().map {
            File(path: "\(folder)/\($0)", text: try String(contentsOf: start.appending(path: $0), encoding: .utf8))
        }
    }

    private static func isFile(_ folder: URL, _ path: String) -> Bool {
        let file = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
        return file?[.type] as? FileAttributeType == .typeRegular
    }
}
