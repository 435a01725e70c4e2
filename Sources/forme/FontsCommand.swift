import Console
import Foundation
import JSON
import Shaping

struct FontsCommand: Command {
    let name = "fonts"
    let summary = "lists the fonts that texts are measured with, and what each file is"
    let usage = """
        usage: forme fonts [--fonts FILE] [--json]

          --json               one JSON object a line, with whole hashes
        \(FontOption.usage)

        A hash is the BLAKE2b of the whole file. It is remembered in $XDG_CACHE_HOME/forme or ~/.cache/forme by path, device,
        inode, size and time of change.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(words, of: "fonts", options: [FontOption.name], switches: ["json"])
        let list = try FontOption.loader(arguments)()
        let files = list.families.flatMap { family in family.faces.map { (family, $0) } }
        let rows = zip(files, list.faces).map { FontRow(family: $0.0, file: $0.1, face: $1) }
        if arguments.has("json") {
            for row in rows { print(row.json) }
        } else {
            print(FontRow.table(rows))
        }
    }
}

/// One face of the list, as it is printed.
private struct FontRow {
    let family: FontFamily
    let file: FaceFile
    let face: FontFace

    static func table(_ rows: [FontRow]) -> String {
        let heading = ["family", "face", "weight", "hash", "bytes", "units", "colour", "index", "file"]
        return Columns.aligned([heading] + rows.map(\.cells), left: [0, 1, 3, 6, 8])
    }

    private var cells: [String] {
        [
            family.name, face.styleName, weight, identity.prefix(12).description, "\(face.mappedBytes)",
            "\(face.unitsPerEm)", face.hasColourBitmaps ? "bitmaps" : "", "\(face.index)", face.path,
        ]
    }

    private var weight: String { file.weight.map { "\($0)" } ?? "any" }

    private var identity: String { face.identity.map { "\($0)" } ?? "" }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("family")
            json.string(family.name)
            json.key("face")
            json.string(face.styleName)
            json.key("weight")
            if let weight = file.weight { json.integer(weight) } else { json.string("any") }
            json.key("path")
            json.string(face.path)
            json.key("index")
            json.integer(face.index)
            json.key("hash")
            json.string(identity)
            json.key("bytes")
            json.integer(face.mappedBytes)
            json.key("units_per_em")
            json.integer(face.unitsPerEm)
            json.key("colour_bitmaps")
            json.bool(face.hasColourBitmaps)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
