import Foundation
package import JSON
import MessageLayout
package import Shaping
import Typography

/// The font list of a configuration file: an array of families, each with its faces.
///
///     [{ name: "NotoSans", licence: "/usr/share/doc/fonts-noto-core/copyright",
///        faces: [{ weight: 400, path: "/usr/share/fonts/…/NotoSans-Regular.ttf", index: 0 }] },
///      { name: "NotoSansCJKjp", languages: ["ja"], instead: "NotoSansCJKsc", faces: [{ … }] }]
package enum FontConfiguration {
    package static func families(_ bytes: [UInt8], from name: String) throws(JSONError) -> [FontFamily] {
        try JSONDocument(name: name, bytes: bytes, dialect: .json5).read { (root) throws(JSONError) in
            var families: [FontFamily] = []
            for element in try root.elements() { families.append(try family(element)) }
            return families
        }
    }

    private static func family(_ reader: JSONReader) throws(JSONError) -> FontFamily {
        let fields = try reader.object(knownKeys: [
            "name", "emoji", "monospaced", "languages", "instead", "faces", "licence",
        ])
        var faces: [FaceFile] = []
        for element in try fields.required("faces").elements() { faces.append(try face(element)) }
        var languages: [Language] = []
        for element in try fields.optional("languages")?.elements() ?? [] { languages.append(try Language(element)) }
        let instead = languages.isEmpty ? fields.optional("instead") : try fields.required("instead")
        if let instead, languages.isEmpty { throw instead.mismatch(expected: "languages beside it") }
        return FontFamily(
            name: try fields.required("name").string(), isEmoji: try fields.optional("emoji")?.bool() ?? false,
            isMonospaced: try fields.optional("monospaced")?.bool() ?? false, languages: languages,
            instead: try instead?.string(), faces: faces, licence: try fields.optional("licence")?.string())
    }

    private static func face(_ reader: JSONReader) throws(JSONError) -> FaceFile {
        // `local` is how a browser finds a face inside a collection; it means nothing here.
        let fields = try reader.object(knownKeys: ["weight", "italic", "path", "index", "local"])
        return FaceFile(
            weight: try weight(fields.required("weight")), isItalic: try fields.optional("italic")?.bool() ?? false,
            path: try fields.required("path").string(),
            index: try fields.optional("index")?.integer(in: 0...255) ?? 0)
    }

    private static func weight(_ reader: JSONReader) throws(JSONError) -> Int16? {
        if reader.value.string == "any" { return nil }
        guard let weight = reader.value.number?.integer, 1...1000 ~= weight else {
            throw reader.mismatch(expected: "1...1000 or \"any\"")
        }
        return Int16(weight)
    }
}
