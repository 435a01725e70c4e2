package import JSON
package import MessageLayout
package import Shaping
import Typography
package import Wire

/// Everything that a worker needs to lay out an edition, apart from the font files: the texts of its style, the
/// identity of each font file, and the rules of the engine. A worker with the same rules and all fonts makes the same
/// rows of it, byte for byte.
///
/// ```json
/// {"format": 1, "edition": "1f0e…", "name": "bubble", "rules": 1, "targets": ["375@3", …],
///  "style": {"name": "config/styles/bubble.json5", "text": "…"}, "kinds": [{"name": "…", "text": "…"}, …],
///  "fonts": [{"name": "NotoSans", "emoji": false, "monospaced": false,
///             "faces": [{"path": "/usr/…/NotoSans-Regular.ttf", "hash": "9f…", "index": 0, "weight": 400,
///                        "italic": false}]}],
///  "decoration": {…}}
/// ```
package struct CompiledEdition: Equatable, Sendable {
    package let id: EditionID
    package let name: String
    package let rules: Int
    package let documents: StyleDocuments
    /// Each face with its identity. A path is a hint: the file may lie elsewhere by now.
    package let fonts: [FontFamily]

    /// A new edition. A style that asks for a face which no font has is refused, and one whose content may be too wide
    /// for its rows; a stored edition is read without these checks.
    /// - Parameter fonts: families with the identities that `FontCatalog.identified` finds.
    package init(_ documents: StyleDocuments, fonts: [FontFamily]) throws {
        let sheet = try documents.sheet()
        try StyleFiles.checkRoom(of: sheet, in: (documents.base ?? documents.style).name)
        try StyleFiles.check(sheet, of: documents.style.name, with: fonts)
        (self.documents, self.fonts, name, rules) = (documents, fonts, sheet.name, EngineRules.current)
        id = try Edition(sheet, fonts).id
    }

    private init(id: EditionID, name: String, rules: Int, documents: StyleDocuments, fonts: [FontFamily]) {
        (self.id, self.name, self.rules, self.documents, self.fonts) = (id, name, rules, documents, fonts)
    }

    /// Opens the style and the fonts that it is laid out with on this machine.
    /// - Parameter configured: fonts that are searched, too, for a file that is no longer in its place.
    package func openHere(
        _ catalog: FontCatalog = FontCatalog(), besides configured: [FontFamily] = []
    ) throws -> (style: StyleSheet, fonts: [FontFamily]) {
        guard rules == EngineRules.current else {
            throw StyleFiles.Problem.otherRules(edition: id.text, stored: rules, here: EngineRules.current)
        }
        let sheet = try documents.sheet()
        let found = try located(catalog, besides: configured)
        let here = try Edition(sheet, found).id
        guard here == id else { throw StyleFiles.Problem.otherEdition(stored: id.text, here: here.text) }
        return (sheet, found)
    }

    /// Opens the style with fonts whose hashes were checked already.
    /// - Parameter path: returns the path of a font's file.
    package func open(
        _ path: (FontIdentity) -> String?
    ) throws -> (style: StyleSheet, fonts: [FontFamily]) {
        guard rules == EngineRules.current else {
            throw StyleFiles.Problem.otherRules(edition: id.text, stored: rules, here: EngineRules.current)
        }
        let sheet = try documents.sheet()
        let families = try fonts(at: path)
        let here = try Edition(sheet, families).id
        guard here == id else { throw StyleFiles.Problem.otherEdition(stored: id.text, here: here.text) }
        return (sheet, families)
    }

    /// The fonts of the edition, each with the path of a file that has its hash.
    private func located(_ catalog: FontCatalog, besides configured: [FontFamily]) throws -> [FontFamily] {
        let hints = fonts.flatMap { $0.faces.map(\.path) } + configured.flatMap { $0.faces.map(\.path) }
        let known = catalog.identities(of: hints)
        var places: [FontIdentity: String] = [:]
        for path in hints.reversed() { if let identity = known[path] { places[identity] = path } }
        return try fonts(at: { places[$0] })
    }

    /// The fonts of the edition, each with the path that a file with its hash has.
    private func fonts(at path: (FontIdentity) -> String?) throws -> [FontFamily] {
        var families = fonts
        for family in families.indices {
            for face in families[family].faces.indices {
                let wanted = families[family].faces[face]
                guard let identity = wanted.identity, let path = path(identity) else {
                    throw StyleFiles.Problem.lacksFont(
                        edition: id.text, path: wanted.path, hash: wanted.identity?.description ?? "")
                }
                families[family].faces[face].path = path
            }
        }
        return families
    }
}

extension Edition {
    fileprivate init(_ sheet: StyleSheet, _ fonts: [FontFamily]) {
        self.init(name: sheet.name, style: sheet, environment: LayoutEnvironment(families: fonts))
    }
}

extension CompiledEdition {
    package static let format = 1
    /// The limits of a whole file.
    private static let limits = JSONLimits(bytes: 16 << 20)

    package init(json: [UInt8]) throws(JSONError) {
        let root = JSONReader(try JSONValue.parse(json, limits: Self.limits))
        let fields = try root.object()
        let format = try fields.required("format")
        guard try format.integer(in: 0 ... .max) == Self.format else {
            throw format.mismatch(expected: "format \(Self.format), of which this release knows")
        }
        let id = try fields.required("edition")
        guard let edition = try? EditionID(id.string()) else { throw id.mismatch(expected: "hexadecimal digits") }
        var kinds: [StyleDocuments.Document] = []
        for kind in try fields.required("kinds").elements() { kinds.append(try StyleDocuments.Document(kind)) }
        var fonts: [FontFamily] = []
        for family in try fields.required("fonts").elements() { fonts.append(try FontFamily(stored: family)) }
        self.init(
            id: edition, name: try fields.required("name").string(),
            rules: try fields.required("rules").integer(in: 0 ... .max),
            documents: StyleDocuments(
                style: try StyleDocuments.Document(fields.required("style")),
                base: try fields.optional("base").map { (base) throws(JSONError) in try StyleDocuments.Document(base) },
                kinds: kinds),
            fonts: fonts)
    }

    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { members in
            members.key("format")
            members.integer(Self.format)
            members.key("edition")
            members.string(id.text)
            members.key("name")
            members.string(name)
            members.key("rules")
            members.integer(rules)
            let sheet = try? documents.sheet()
            members.key("targets")
            members.array { for target in sheet?.targets ?? [] { $0.string(target.text) } }
            members.key("style")
            documents.style.write(to: &members)
            if let base = documents.base {
                members.key("base")
                base.write(to: &members)
            }
            members.key("kinds")
            members.array { for kind in documents.kinds { kind.write(to: &$0) } }
            members.key("fonts")
            members.array { for family in fonts { family.write(to: &$0) } }
            if let decoration = sheet?.decorationText {
                members.key("decoration")
                members.raw(decoration)
            }
        }
        return json.bytes
    }
}

extension StyleDocuments.Document {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        self.init(name: try fields.required("name").string(), text: try fields.required("text").string())
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("name")
            $0.string(name)
            $0.key("text")
            $0.string(text)
        }
    }
}

extension FontFamily {
    fileprivate init(stored reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        var faces: [FaceFile] = []
        for face in try fields.required("faces").elements() { faces.append(try FaceFile(stored: face)) }
        var languages: [Language] = []
        for element in try fields.optional("languages")?.elements() ?? [] { languages.append(try Language(element)) }
        self.init(
            name: try fields.required("name").string(), isEmoji: try fields.required("emoji").bool(),
            isMonospaced: try fields.required("monospaced").bool(), languages: languages,
            instead: try fields.optional("instead")?.string(), faces: faces,
            licence: try fields.optional("licence")?.string())
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { members in
            members.key("name")
            members.string(name)
            members.key("emoji")
            members.bool(isEmoji)
            members.key("monospaced")
            members.bool(isMonospaced)
            if let instead {
                members.key("languages")
                members.array { for language in languages { $0.string(language.description) } }
                members.key("instead")
                members.string(instead)
            }
            if let licence {
                members.key("licence")
                members.string(licence)
            }
            members.key("faces")
            members.array { for face in faces { face.write(to: &$0) } }
        }
    }
}

extension FaceFile {
    fileprivate init(stored reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        let hash = try fields.required("hash")
        guard let identity = FontIdentity(hexadecimal: try hash.string()) else {
            throw hash.mismatch(expected: "hexadecimal digits")
        }
        self.init(
            weight: try fields.optional("weight").map { (weight) throws(JSONError) in
                Int16(try weight.integer(in: 1...1000))
            },
            isItalic: try fields.required("italic").bool(), path: try fields.required("path").string(),
            index: try fields.required("index").integer(in: 0...255), identity: identity)
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("path")
            $0.string(path)
            $0.key("hash")
            $0.string(identity?.description ?? "")
            $0.key("index")
            $0.integer(index)
            if let weight {
                $0.key("weight")
                $0.integer(weight)
            }
            $0.key("italic")
            $0.bool(isItalic)
        }
    }
}
