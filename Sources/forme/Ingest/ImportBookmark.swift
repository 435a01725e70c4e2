import Console
import FormeClientZMQ
import Foundation
import JSON
import Secrets

/// The progress of an import of a file into a service, in a file beside it. It knows the imported file again by the
/// bytes before that place.
struct ImportBookmark {
    static let suffix = ".forme-progress"
    private let file: String
    private let path: String

    /// The number of bytes before the place that must still be the same.
    private static let checkedBytes: UInt64 = 4096

    /// Whether something is remembered.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    init(of file: String) { (self.file, path) = (file, file + Self.suffix) }

    /// The state of an import, as it is remembered.
    struct Memory: Equatable {
        var place = ImportLedger.Place()
        /// Lines before that place that were not kept.
        var refused = 0
        /// The service that has all lines before that place; nil in a file of an earlier release, which did not
        /// record it.
        var service: String?
        /// A hash of the bytes before that place.
        fileprivate var check = ""
    }

    /// The remembered state; nil where there is none.
    private func memory() throws -> Memory? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        let document = JSONDocument(name: path, bytes: Array(bytes), dialect: .json)
        return try document.read { (root) throws(JSONError) in
            let fields = try root.object(knownKeys: ["offset", "lines", "check", "refused", "service"])
            let place = ImportLedger.Place(
                offset: UInt64(try fields.required("offset").integer(in: 0 ... .max)),
                lines: try fields.required("lines").integer(in: 0 ... .max))
            return Memory(
                place: place, refused: try fields.optional("refused")?.integer(in: 0 ... .max) ?? 0,
                service: try fields.optional("service")?.string(), check: try fields.required("check").string())
        }
    }

    /// The remembered state for this file and this service; nil where there is none, or it is about another service.
    func memory(of service: String, in handle: FileHandle) throws -> Memory? {
        guard let memory = try memory(), memory.service ?? service == service else { return nil }
        guard try Self.check(before: memory.place, in: handle) == memory.check else {
            throw Failure(
                .failed, "\(file) is another one than \(path) remembers; give --restart to import it from its beginning"
            )
        }
        return memory
    }

    func save(_ memory: Memory, in handle: FileHandle) throws {
        var json = JSONWriter()
        let check = try Self.check(before: memory.place, in: handle)
        json.object {
            $0.key("offset")
            $0.integer(memory.place.offset)
            $0.key("lines")
            $0.integer(memory.place.lines)
            $0.key("check")
            $0.string(check)
            $0.key("refused")
            $0.integer(memory.refused)
            guard let service = memory.service else { return }
            $0.key("service")
            $0.string(service)
        }
        try OutputFile.write(String(decoding: json.bytes, as: UTF8.self), to: path)
    }

    /// A hash of the bytes before the place; the handle is left where it was.
    private static func check(before place: ImportLedger.Place, in handle: FileHandle) throws -> String {
        let position = try handle.offset()
        defer { try? handle.seek(toOffset: position) }
        let start = place.offset - min(place.offset, checkedBytes)
        try handle.seek(toOffset: start)
        let bytes = try handle.read(upToCount: Int(place.offset - start)) ?? Data()
        return Fingerprint.of(Array(bytes)).prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
