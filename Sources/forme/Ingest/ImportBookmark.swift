import Console
import FormeClientZMQ
import Foundation
import JSON
import Secrets

/// How far an import of a file got, in a file beside it. It knows the file again by what stands before that place.
struct ImportBookmark {
    static let suffix = ".forme-progress"
    private let file: String
    private let path: String

    /// As much before the place must still be the same.
    private static let checkedBytes: UInt64 = 4096

    init(of file: String) { (self.file, path) = (file, file + Self.suffix) }

    /// The beginning where nothing is remembered.
    func place(in handle: FileHandle) throws -> ImportLedger.Place {
        guard let bytes = FileManager.default.contents(atPath: path) else { return ImportLedger.Place() }
        let document = JSONDocument(name: path, bytes: Array(bytes), dialect: .json)
        let (place, check) = try document.read { (root) throws(JSONError) in
            let fields = try root.object(knownKeys: ["offset", "lines", "check"])
            let place = ImportLedger.Place(
                offset: UInt64(try fields.required("offset").integer(in: 0 ... .max)),
                lines: try fields.required("lines").integer(in: 0 ... .max))
            return (place, try fields.required("check").string())
        }
        guard try Self.check(before: place, in: handle) == check else {
            throw Failure(
                .failed, "\(file) is another one than \(path) remembers; give --restart to import it from its beginning"
            )
        }
        return place
    }

    func save(_ place: ImportLedger.Place, in handle: FileHandle) throws {
        var json = JSONWriter()
        let check = try Self.check(before: place, in: handle)
        json.object {
            $0.key("offset")
            $0.integer(place.offset)
            $0.key("lines")
            $0.integer(place.lines)
            $0.key("check")
            $0.string(check)
        }
        try OutputFile.write(String(decoding: json.bytes, as: UTF8.self), to: path)
    }

    /// A hash of what stands before the place; the handle is left where it was.
    private static func check(before place: ImportLedger.Place, in handle: FileHandle) throws -> String {
        let position = try handle.offset()
        defer { try? handle.seek(toOffset: position) }
        let start = place.offset - min(place.offset, checkedBytes)
        try handle.seek(toOffset: start)
        let bytes = try handle.read(upToCount: Int(place.offset - start)) ?? Data()
        return Fingerprint.of(Array(bytes)).prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
