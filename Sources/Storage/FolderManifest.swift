import Glibc
import JSON

/// The facts of a whole data folder: `manifest.json`, written whole and renamed into place.
///
/// ```json
/// {"format": 2, "shards": 16, "era": "8c1f00a97be23d10", "term": 12}
/// ```
///
/// Format 2 says the same as format 1. It is that of folders which the first release must not have: that looks
/// into this file alone, and not into `formats.json`. Its coordinator ends with words then, its workers are turned
/// away, and its gateway says so in its log and answers nothing.
///
/// The *era* is a life of the journal in which it lost nothing. It is new when a journal is begun,
/// brought back from a backup, or may have lost entries with the power. Shards remember the era that they
/// were made in, and one of another era is begun anew: it may hold what this journal never accepted.
package struct FolderManifest: Equatable, Sendable {
    /// The number of shards, changed only by laying everything out again.
    package var shards: Int
    package var era: UInt64
    /// The term of the last coordinator. A journal with a lower one is an older copy.
    package var term: UInt64
    var format: Int64

    package static let name = "manifest.json"

    package init(
        shards: Int, era: UInt64 = .random(in: 1 ... .max), term: UInt64 = 0,
        format: Int64 = StoredFormat.manifest.newest
    ) {
        (self.shards, self.era, self.term, self.format) = (shards, era, term, format)
    }

    /// Nil where there is none yet.
    package static func read(in folder: DataFolder) throws(StorageError) -> FolderManifest? {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path) else { return nil }
        let format: Int64
        do throws(JSONError) {
            let fields = try JSONReader(JSONValue.parse(bytes)).object(knownKeys: ["format", "shards", "era", "term"])
            format = Int64(try fields.required("format").integer(in: 0 ... .max))
            if StoredFormat.manifest.reads ~= format { return try FolderManifest(fields, format) }
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
        throw .foreignFormat(path: path, found: format, expected: StoredFormat.manifest.newest)
    }

    private init(_ fields: JSONReader.Fields, _ format: Int64) throws(JSONError) {
        let era = try fields.required("era")
        guard let number = UInt64(try era.string(), radix: 16) else {
            throw era.mismatch(expected: "hexadecimal digits")
        }
        self.init(
            shards: try fields.required("shards").integer(in: 1...4096), era: number,
            term: UInt64(try fields.required("term").integer(in: 0 ... .max)), format: format)
    }

    package func write(in folder: DataFolder) throws(StorageError) {
        try FileFacts.replace(folder.file(Self.name), with: bytes)
        try FileFacts.sync(folder.path)
    }

    /// The manifest as it is stored.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.key("format")
            $0.integer(Int(format))
            $0.key("shards")
            $0.integer(shards)
            $0.key("era")
            $0.string(String(era, radix: 16))
            $0.key("term")
            $0.integer(term)
        }
        return json.bytes + [0x0A]
    }
}
