import Foundation
import JSON
package import MessageLayout

/// A style from its files: the style's own, and one for each kind in the folder that it names.
package enum StyleFiles {
    /// What the path of a style cannot be used for, and why.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String)
        case noKinds(path: String)

        package var description: String {
            switch self {
            case .unreadable(let path): "\(path) cannot be read; name a style such as config/styles/bubble.json5"
            case .noKinds(let path): "\(path) has no *.json5; a style needs at least one kind of message"
            }
        }
    }

    package static func open(_ path: String) throws -> StyleSheet {
        let document = try document(path)
        var kinds = "kinds"
        var sheet = try document.read { (root) throws(JSONError) in
            if let folder = try root.object().optional("kinds") { kinds = try folder.string() }
            return try StyleSheet(root)
        }
        let folder = URL(filePath: path).deletingLastPathComponent().appending(path: kinds).path
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(".json5") }.sorted()
        guard !names.isEmpty else { throw Problem.noKinds(path: folder) }
        for name in names {
            try self.document("\(folder)/\(name)").read { (root) throws(JSONError) in try sheet.addKind(root) }
        }
        return sheet
    }

    private static func document(_ path: String) throws -> JSONDocument {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Problem.unreadable(path: path) }
        return JSONDocument(name: path, bytes: Array(bytes), dialect: .json5)
    }
}
