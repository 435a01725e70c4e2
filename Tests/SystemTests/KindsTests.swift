import Foundation
import JSON
import TestSupport
import Testing

private let styles = ["config/styles/bubble.json5", "config/styles/flat.json5"]

@Test(.waits, arguments: styles) func `every kind is listed with its fields, and its example is laid out`(style: String)
    throws
{
    let said = try run(["kinds", "--style", Project.file(style).path, "--json"])
    let kinds = try said.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.file("config/styles/kinds").path)
    let names = kinds.compactMap { $0["kind"]?.string }
    #expect(Set(files.map { $0.replacing(".json5", with: "") }).isSubset(of: names), "\(names)")
    for kind in kinds {
        let (name, example) = (kind["kind"]?.string ?? "", kind["example"]?.string ?? "")
        let fields = kind["fields"]?.array ?? []
        let body = try JSONValue.parse(Array(example.utf8))
        // Every field that is required in itself is in the example, and every field of the example is listed.
        for field in fields where field["required"]?.bool == true {
            guard let path = field["field"]?.string, !path.contains(".") else { continue }
            #expect(body[path] != nil, "\(name): \(path)")
        }
        let known = Set(fields.compactMap { $0["field"]?.string })
        for member in body.object?.members ?? [] where member.key != "kind" {
            #expect(known.contains(member.key), "\(name): \(member.key)")
        }
    }
    for name in ["poll", "text", "album"] where names.contains(name) {
        let example = try run(["kinds", name, "--style", Project.file(style).path, "--example"]).output
        let laidOut = try run(["layout", "--style", Project.file(style).path, "--target", "375@3"], input: example)
        #expect(laidOut.code == 0 && laidOut.output.contains("\"375@3\""), "\(laidOut.errors)")
    }
}

@Test(.waits) func `a kind is told with types, what is required, and what every kind may say`() throws {
    let poll = try run(["kinds", "poll"]).output.split(separator: "\n").map {
        $0.split(separator: " ").joined(separator: " ")
    }
    #expect(poll.contains("options list of 12 objects at most required"))
    #expect(poll.contains("options[].text text required"))
    #expect(poll.contains("options[].chosen true or false changes looks alone"))
    #expect(poll.contains("options[].id text not drawn"))
    let shared = try #require(poll.firstIndex(of: "as every kind of this style:"))
    #expect(poll[shared...].contains { $0.hasPrefix("reactions[].emoji text") })
    #expect(!poll[..<shared].contains { $0.hasPrefix("reactions") })
    let list = try run(["kinds"]).output.split(separator: "\n")
    #expect(list.contains { $0.hasPrefix("poll ") && $0.contains("question, options") })
}

@Test(.waits) func `pictures of the page Kinds are what its examples look like now`() throws {
    let drawing = Process()
    let errors = Pipe()
    drawing.executableURL = Project.file("deploy/kinds")
    drawing.arguments = ["--check"]
    drawing.environment = ProcessInfo.processInfo.environment.merging(["FORME": Command.binary.path]) { $1 }
    drawing.standardError = errors
    try drawing.run()
    let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    drawing.waitUntilExit()
    #expect(drawing.terminationStatus == 0, "\(said)")
    let page = try String(contentsOf: Project.file("Sources/Wire/Wire.docc/Kinds.md"), encoding: .utf8)
    let folder = Project.file("Sources/Wire/Wire.docc/Resources")
    let pictures = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    #expect(pictures.count > 20)
    for picture in pictures { #expect(page.contains("](\(picture.deletingPathExtension().lastPathComponent))")) }
    let bytes = try pictures.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    #expect(bytes < 600_000)
}

@Test(.waits) func `a kind that is misspelt is asked back`() throws {
    let slip = try run(["kinds", "polls"])
    #expect(slip.code == 2 && slip.errors.contains("did you mean poll?"), "\(slip.errors)")
    let other = try run(["kinds", "zeppelin"])
    #expect(other.code == 2 && other.errors.contains("album, audio"), "\(other.errors)")
    #expect(try run(["kinds", "--example"]).code == 2)
}
