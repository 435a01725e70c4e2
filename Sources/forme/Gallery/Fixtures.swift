import Console
import Foundation
import JSON

/// Messages to look at, from files of JSON: an array, or one message a line.
struct Fixtures {
    private var documents: [JSONDocument] = []

    /// The folder in which they were looked for.
    let folder: String

    static let standardFolder = "Tests/MessageLayoutTests/Fixtures/kinds"

    /// - Parameter folder: nil for the project's fixtures, or for none where these are missing.
    init(folder: String?) throws {
        let path = folder ?? Fixtures.standardFolder
        self.folder = path
        let files = FileManager.default
        guard folder != nil || files.fileExists(atPath: path) else { return }
        let names = ((try? files.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.hasSuffix(".json") || $0.hasSuffix(".jsonl") }.sorted()
        guard !names.isEmpty else {
            throw Failure(.inputOutput, "\(path) has no *.json or *.jsonl; name a folder of messages with --fixtures")
        }
        for name in names {
            let file = "\(path)/\(name)"
            guard let bytes = files.contents(atPath: file) else {
                throw Failure(.inputOutput, "\(file) cannot be read; check its owner and mode")
            }
            let whole = JSONDocument(file, Array(bytes))
            documents += name.hasSuffix("l") ? Fixtures.lines(of: whole) : [whole]
        }
    }

    /// The lines as documents. Each stands behind as many empty lines as there are lines before it, so that errors
    /// name its own place.
    private static func lines(of whole: JSONDocument) -> [JSONDocument] {
        let newline = UInt8(ascii: "\n")
        let lines = whole.bytes.split(separator: newline, omittingEmptySubsequences: false)
        return lines.enumerated().filter { $0.element.contains { $0 > 0x20 } }.map { number, line in
            JSONDocument(whole.name, Array(repeating: newline, count: number) + line)
        }
    }

    /// - Parameter body: gets each message; its errors are told with the message's file, line and column.
    func forEach(_ body: (JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        for document in documents {
            try document.read { (root) throws(JSONError) in
                if root.value.array == nil { return try body(root) }
                for message in try root.elements() { try body(message) }
            }
        }
    }
}

extension JSONDocument {
    fileprivate init(_ name: String, _ bytes: [UInt8]) { self.init(name: name, bytes: bytes, dialect: .json) }
}
