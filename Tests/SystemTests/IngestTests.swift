import Foundation
import StandInService
import TestSupport
import Testing
import Wire

/// One event as a line of JSON.
private func line(_ number: Int, text: String = "Hi") -> String {
    #"{"conversation": "c", "message": "m\#(number)", "order": \#(number), "sender": "a", "time": 0, "#
        + #""text": "\#(text)"}"#
}

private func lines(_ numbers: ClosedRange<Int>) -> String { numbers.map { line($0) + "\n" }.joined() }

/// The first piece of code after a heading of the README.
private func printed(under heading: String, in language: String) throws -> String {
    let readme = try String(contentsOf: Project.file("README.md"), encoding: .utf8)
    let section = try #require(readme.range(of: "\n## \(heading)\n")).upperBound
    let start = try #require(readme.range(of: "```\(language)\n", range: section..<readme.endIndex)).upperBound
    let end = try #require(readme.range(of: "\n```\n", range: start..<readme.endIndex)).lowerBound
    return String(readme[start..<end])
}

/// Runs Debian's Python, which has Debian's pyzmq.
private func python(_ program: String, _ argument: String, input: String) throws -> (code: Int32, output: String) {
    let process = Process()
    let (given, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", program, argument]
    (process.standardInput, process.standardOutput) = (given, output)
    try process.run()
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
}

@Test func `the example of the README posts as it is printed there`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 2
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let program = try printed(under: "Posting from any language", in: "python")
    let input = lines(1...250) + #"{"conversation": "c", "message": "x", "colour": "red"}"# + "\n"
    let result = try python(program, Endpoints(folder: folder.path).events, input: input)
    #expect(result.code == 0)
    let said = Set(result.output.split(separator: "\n").map(String.init))
    #expect(said.count { $0.hasSuffix(" accepted ") } == 250)
    #expect(said.contains { $0.hasPrefix("x invalid ") && $0.count > 12 })
    #expect(service.rows(of: "c").count == 250)
}

@Test func `the example of the README reaches a coordinator, and what it posts is read`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    let program = try printed(under: "Posting from any language", in: "python")
    let result = try python(program, Endpoints(folder: folder.path).events, input: lines(1...120))
    #expect(result.code == 0 && result.output.split(separator: "\n").count { $0.hasSuffix(" accepted ") } == 120)
    try waitUntil {
        try run(["fetch", "--data", folder.path, "--conversation", "c"]).output.split(separator: "\n").count == 121
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test func `post lists what is not kept with its line, keeps the rest, and ends with 1`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let input = [line(1), #"{"mesage": 1}"#, line(2), line(1, text: "Ho"), line(2)].joined(separator: "\n")
    let result = try run(["post", "--data", folder.path], input: input)
    #expect(result.code == 1)
    #expect(result.output == "posted 2 events; 1 were there before\n")
    let said = result.errors.split(separator: "\n")
    #expect(said.contains { $0.hasPrefix("line 2:1:") && $0.contains("mesage: unknown") })
    #expect(said.contains { $0.hasPrefix("line 4: body: ") })
    #expect(said.last == "forme: 2 events were not kept; they are listed above")
}

@Test func `post tries again while the service is busy`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 2
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let result = try run(["post", "--data", folder.path, "--sample", "700"])
    #expect(result.code == 0 && result.output == "posted 700 events; 0 were there before\n")
}

@Test func `an import goes on after the lines that were answered, and lists those that were not kept`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let file = folder.file("history.jsonl")
    try (lines(1...400) + "{\n").write(toFile: file, atomically: true, encoding: .utf8)
    let first = try run(["import", "--data", folder.path, file])
    #expect(first.code == 1 && first.output == "imported 400 events; 0 were there before; 1 were not kept\n")
    #expect(first.errors.contains("\(file):401: "))
    #expect(Set(service.lanes) == [.backfill])

    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(lines(402...410).utf8))
    try handle.close()
    let second = try run(["import", "--data", folder.path, file])
    #expect(second.code == 0 && second.output == "imported 9 events; 0 were there before\n")
    let third = try run(["import", "--data", folder.path, file])
    #expect(third.code == 0 && third.output.contains("all 410 lines were imported before"))

    try lines(2...400).write(toFile: file, atomically: true, encoding: .utf8)
    let other = try run(["import", "--data", folder.path, file])
    #expect(other.code == 1 && other.errors.contains("give --restart to import it from its beginning"))
    let again = try run(["import", "--restart", "--data", folder.path, file])
    #expect(again.code == 0 && again.output == "imported 0 events; 399 were there before\n")
}

@Test func `a strict import ends at the first line that is not kept`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let file = folder.file("history.jsonl")
    try ("{\n" + lines(1...10)).write(toFile: file, atomically: true, encoding: .utf8)
    let result = try run(["import", "--strict", "--data", folder.path, file])
    #expect(result.code == 1 && result.errors.contains("line 1 was not kept"))
    #expect(service.rows(of: "c").isEmpty)
}

@Test(arguments: [[], ["--strict"]])
func `an import of no file, or of one that is not there, is told in one sentence`(words: [String]) throws {
    let result = try run(["import"] + words)
    #expect(result.code == 2 && result.errors == "forme: which file? Read: forme help import\n")
    let absent = try run(["import"] + words + ["/nowhere/x.jsonl"])
    #expect(absent.code == 74 && absent.errors.contains("/nowhere/x.jsonl cannot be read"))
}
