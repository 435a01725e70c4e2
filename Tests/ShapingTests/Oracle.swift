import Foundation
import JSON
import TestSupport
import Typography

@testable import forme

/// Recorded answers of a browser: all of them where they are, else the copy of every fifth that the project keeps.
struct Oracle {
    let cases: [Case]

    struct Case {
        var id: String
        var tag: String
        var text: String
        var style: TextStyle
        var size: Fixed
        var width: Fixed
        var scale: Scale
        var answer: [RecordedLine]

        var breaker: LineBreaker { LineBreaker(width: width, size: size, scale: scale) }

        fileprivate init(_ one: LineCase, tag: String, answer: [RecordedLine]) {
            id = one.id
            self.tag = tag
            text = one.text
            style = TextStyle(weight: one.weight)
            size = one.size
            width = one.width
            scale = one.scale
            self.answer = answer
        }
    }

    struct RecordedLine {
        var start: Int32
        var end: Int32
        /// CSS pixels.
        var width: Double
    }

    static func publicCases() throws -> Oracle { try Oracle("public-", copy: "") }
    static func edgeCases() throws -> Oracle { try Oracle("edge-", copy: "edge-") }

    private init(_ original: String, copy: String) throws {
        var prefix = Project.root.deletingLastPathComponent().path + "/shared/oracle/" + original
        if !FileManager.default.fileExists(atPath: prefix + "cases.jsonl") {
            prefix = Project.file("Tests/Oracle").path + "/" + copy
        }
        var answers: [String: [RecordedLine]] = [:]
        for value in try Oracle.values(prefix + "expected.jsonl", { $0.value }) {
            guard let id = value["id"]?.string else { continue }
            answers[id] = value["lines"]?.array?.compactMap(Oracle.line)
        }
        cases = try Oracle.values(prefix + "cases.jsonl") { (reader) throws(JSONError) in
            let one = try LineCase(reader)
            return Case(one, tag: reader.value["tag"]?.string ?? "", answer: answers[one.id] ?? [])
        }
    }

    private static func values<T>(
        _ path: String, _ read: (JSONReader) throws(JSONError) -> T
    ) throws -> [T] {
        try Project.lines(of: URL(filePath: path)).map { line in
            try JSONDocument(name: path, bytes: Array(line.utf8), dialect: .json).read(read)
        }
    }

    private static func line(_ value: JSONValue) -> RecordedLine? {
        guard let start = value["start"]?.number?.integer, let end = value["end"]?.number?.integer,
            let width = value["width"]?.number?.double
        else { return nil }
        return RecordedLine(start: Int32(start), end: Int32(end), width: width)
    }
}
