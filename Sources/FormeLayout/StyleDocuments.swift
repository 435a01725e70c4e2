import Foundation
package import JSON
package import MessageLayout
import Rows

/// The texts of a style as they stand in its files: the style's own, and one for each kind. Read again they make the
/// same style, even if the files have changed or are gone.
///
/// A style may be another one in other words:
/// `{ base: "bubble.json5", name: "bubble-24h", strings: { stamp: "00:00" } }`.
package struct StyleDocuments: Equatable, Sendable {
    package var style: Document
    /// The style that has all but the words, if `style` has only these.
    package var base: Document?
    package var kinds: [Document]

    package struct Document: Equatable, Sendable {
        /// The path that it was read from, for errors.
        package var name: String
        package var text: String

        package init(name: String, text: String) { (self.name, self.text) = (name, text) }
    }

    package init(style: Document, base: Document? = nil, kinds: [Document]) {
        (self.style, self.base, self.kinds) = (style, base, kinds)
    }

    package init(reading path: String) throws {
        style = try Document(reading: path)
        func named(_ key: String, in document: Document) throws -> String? {
            try document.json.read { (root) throws(JSONError) in try root.object().optional(key)?.string() }
        }
        func place(_ name: String, beside file: String) -> String {
            URL(filePath: file).deletingLastPathComponent().appending(path: name).path
        }
        base = try named("base", in: style).map { try Document(reading: place($0, beside: path)) }
        let all = base ?? style
        let place = place(try named("kinds", in: all) ?? "kinds", beside: all.name)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
            .filter { $0.hasSuffix(".json5") }.sorted()
        guard !names.isEmpty else { throw StyleFiles.Problem.noKinds(path: place) }
        kinds = try names.map { try Document(reading: "\(place)/\($0)") }
    }

    /// All documents, the style first.
    package var all: [Document] { [style] + (base.map { [$0] } ?? []) + kinds }

    package func sheet() throws(JSONError) -> StyleSheet {
        let wording = try wording()
        var sheet = try (base ?? style).json.read { (root) throws(JSONError) in
            let sheet = try StyleSheet(root, in: wording)
            // The decoration is used elsewhere, but a mistake in it is reported here.
            _ = try sheet.decoration()
            return sheet
        }
        for kind in kinds { try kind.json.read { (root) throws(JSONError) in try sheet.addKind(root) } }
        return sheet
    }

    /// The words of a style that is like its base in all else.
    private func wording() throws(JSONError) -> StyleWording? {
        guard let base else { return nil }
        let known = try base.json.read { (root) throws(JSONError) in
            try root.object().optional("strings")?.object().all.map(\.0) ?? []
        }
        return try style.json.read { (root) throws(JSONError) in try StyleWording(root, instead: known) }
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
