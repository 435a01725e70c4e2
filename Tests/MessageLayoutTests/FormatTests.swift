import Foundation
import JSON
import TestSupport
import Testing

@testable import MessageLayout

/// An example of the page Formats, from a file that programs of three languages read.
private struct Example {
    var format: TextBinding.Format
    /// Nil where a field is missing.
    var value: JSONValue?
    var text: String

    static func all() throws -> [Example] {
        let bytes = [UInt8](try Data(contentsOf: Project.file("Tests/Formats/formats.json")))
        let list = try #require(JSONValue.parse(bytes).array)
        return try list.map(Example.init)
    }

    private init(_ value: JSONValue) throws {
        let fields = try #require(value.object)
        let name = try #require(fields["format"]?.string)
        format = try #require(TextBinding.Format(rawValue: name))
        self.value = fields["value"] == .null ? nil : fields["value"]
        text = try #require(fields["text"]?.string)
    }

    /// The example as a row of the page's table.
    var row: String {
        let number = value.map { $0.string.map { "`\($0)`" } ?? $0.number?.integer.map { "\($0)" } ?? "?" } ?? "missing"
        return
            "| \(number) | \(format == .plain ? "none" : "`\(format.rawValue)`") | \(text.isEmpty ? "nothing" : "`\(text)`") |"
    }
}

@Test func `numbers are written as the examples of all formats say`() throws {
    let examples = try Example.all()
    #expect(Set(examples.map(\.format)) == Set(TextBinding.Format.allCases))
    for example in examples { #expect(example.format.text(example.value) == example.text) }
}

@Test func `a program that was written from the page Formats writes numbers as the examples say`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B", Project.file("Tests/Formats/formats.py").path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
}

@Test func `the page Formats has every example, and no other`() throws {
    let page = try Project.lines(of: Project.file("Sources/Wire/Wire.docc/Formats.md"))
    let rows = page.reversed().prefix { $0.hasPrefix("| ") }.reversed().map(String.init)
    #expect(try rows == Example.all().map(\.row))
}
