import Foundation
package import JSON
package import MessageLayout

/// The texts of a style as they stand in its files: the style's own, and one for each kind. Read again they make the same style,
/// whatever became of the files.
package struct StyleDocuments: Equatable, Sendable {
    package var style: Document
    package var kinds: [Document]

    package struct Document: Equatable, Sendable {
        /// Where it was read, for those who read of a mistake in it.
        package var name: String
        package var text: String

        package init(name: String, text: String) { (self.name, self.text) = (name, text) }
    }

    package init(style: Document, kinds: [Document]) { (self.style, self.kinds) = (style, kinds) }

    package init(reading path: String) throws {
        style = try Document(reading: path)
        let folder = try style.json.read { (root) throws(JSONError) in
            try root.object().optional("kinds")?.string() ?? "kinds"
        }
        let place = URL(filePath: path).deletingLastPathComponent().appending(path: folder).path
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
            .filter { $0.hasSuffix(".json5") }.sorted()
        guard !names.isEmpty else { throw StyleFiles.Problem.noKinds(path: place) }
        kinds = try names.map { try Document(reading: "\(place)/\($0)") }
    }

    package func sheet() throws(JSONError) -> StyleSheet {
        var sheet = try style.json.read { (root) throws(JSONError) in try StyleSheet(root) }
        for kind in kinds { try kind.json.read { (root) throws(JSONError) in try sheet.addKind(root) } }
        return sheet
    }
}

extension StyleDocuments.Document {
    fileprivate init(reading path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw StyleFiles.Problem.unreadable(path: path) }
        self.init(name: path, text: text)
    }

    fileprivate var json: JSONDocument { JSONDocument(name: name, bytes: Array(text.utf8), dialect: .json5) }
}
