import Foundation
import StandInService
import TestSupport
import Testing
import Transport
import Wire

/// One event as a line of JSON.
private func line(_ number: Int, text: String = "Hi") -> String {
    #"{"conversation": "c", "message": "m\#(number)", "order": \#(number), "sender": "a", "time": 0, "#
        + #""text": "\#(text)"}"#
}

private func lines(_ numbers: ClosedRange<Int>) -> String { numbers.map { line($0) + "\n" }.joined() }

/// The first piece of code of a page.
private func printed(on page: String, in language: String) throws -> String {
    let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/\(page).md"), encoding: .utf8)
    let start = try #require(page.range(of: "```\(language)\n")).upperBound
    let end = try #require(page.range(of: "\n```\n", range: start..<page.endIndex)).lowerBound
    return String(page[start..<end])
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

@Test(
    .waits,
    arguments: [RequestLimits(), RequestLimits(events: 10, bytes: 1 << 20), RequestLimits(events: 256, bytes: 900)])
func `the example of the page posts as it is printed there, whatever the service takes at once`(
    limits: RequestLimits
) throws {
    var habits = StandIn.Habits()
    (habits.busyEvery, habits.limits) = (2, limits)
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let program = try printed(on: "Posting", in: "python")
    let wrong = #"{"conversation": "c", "message": "x", "colour": "red"}"#
    let input = lines(1...125) + "\n\n" + lines(126...250) + "\(wrong)\n  \n"
    let result = try python(program, Endpoints(folder: folder.path).events, input: input)
    #expect(result.code == 0)
    let said = Set(result.output.split(separator: "\n").map(String.init))
    #expect(said.count { $0.hasSuffix(" accepted") } == 250)
    #expect(said.contains { $0.hasPrefix("x invalid colour unknown; known are ") })
    #expect(service.messages(of: "c").count == 250)
}

@Test(.waits) func `the example of the page reaches a coordinator, and what it posts is read`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    let program = try printed(on: "Posting", in: "python")
    let result = try python(program, Endpoints(folder: folder.path).events, input: lines(1...120))
    #expect(result.code == 0 && result.output.split(separator: "\n").count { $0.hasSuffix(" accepted") } == 120)
    try waitUntil {
        try run(["fetch", "c", "--data", folder.path, "--count", "120"]).output.split(separator: "\n").count == 121
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `post lists what is not kept with its line, keeps the rest, and ends with 1`() throws {
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

@Test(.waits) func `post keeps no event in other words than were written: what is no UTF-8 is refused with its line`()
    throws
{
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    // The second line is Latin-1; the last one ends without a newline.
    let events = [line(1), line(2, text: #"caf\xe9"#), line(3)].joined(separator: #"\n"#)
    let posting = try Command(
        ["post", "--data", folder.path], launcher: ["/bin/bash", "-c", "printf '\(events)' | \"$0\" \"$@\""])
    let end = try posting.finish()
    #expect(end.code == 1 && end.output == "posted 2 events; 0 were there before\n")
    #expect(end.errors.hasPrefix("line 2:1:") && end.errors.contains("not UTF-8"), "\(end.errors)")
    #expect(service.messages(of: "c").count == 2)
}

@Test(.waits) func `post tries again while the service is busy`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 2
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let result = try run(["post", "--data", folder.path, "--sample", "700"])
    #expect(result.code == 0 && result.output == "posted 700 events; 0 were there before\n")
}

@Test(.waits) func `requests beyond what a service takes are split, answered or logged, and nothing is lost`() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.file("forme.json5")
    try "{ limits: { eventsPerRequest: 100 } }".write(toFile: configuration, atomically: true, encoding: .utf8)
    let service = try Command(
        ["serve", "--config", configuration, "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("listening")
    // 15 KB each, so that a hundred are more than a megabyte.
    let word = String(repeating: "long ", count: 3000)
    let input = (1...100).map { line($0, text: word) + "\n" }.joined()
    let posted = try run(["post", "--data", folder.path], input: input)
    #expect(posted.code == 0 && posted.output == "posted 100 events; 0 were there before\n")

    let file = folder.file("history.jsonl")
    try (lines(101...400) + input).write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try run(["import", "--data", folder.path, file])
    #expect(imported.code == 0 && imported.output == "imported 300 events; 100 were there before\n")

    let context = try Context()
    let endpoint = Endpoints(folder: folder.path).events
    let socket = try Socket(.dealer, in: context, frameLimit: 1 << 20)
    try socket.connect(endpoint)
    func answer(to request: String) throws -> String {
        #expect(try socket.waitUntilWritable(atMost: .seconds(20)))
        #expect(try socket.send(Array(request.utf8)) == .done)
        _ = try wait(for: [socket.source], atMost: .seconds(20))
        return String(decoding: try socket.receive()?.first ?? [], as: UTF8.self)
    }
    let limits = #""limits":{"events":100,"bytes":1048576}}"#
    #expect(try answer(to: #"{"events": []}"#) == #"{"answers":[],"# + limits)
    for request in ["null", "[]", "1", "{"] {
        let said = try answer(to: request)
        #expect(said.hasPrefix(#"{"error":"# + "\"") && said.hasSuffix("," + limits), "\(request): \(said)")
    }
    let long = #"{"events": ["# + String(repeating: " ", count: 3 << 20) + "]}"
    #expect(
        try answer(to: long).hasPrefix(#"{"error":"expected at most 1048576 bytes in one request, found 3145742; "#))

    #expect(try socket.waitUntilWritable(atMost: .seconds(20)))
    _ = try socket.send([UInt8](repeating: 32, count: 5 << 20))
    try service.waitForMessage("ended a connection that sent a frame longer than one may be")
    try service.waitForMessage("limit=4194304")
    #expect(service.said.contains("peer=\"process \(ProcessInfo.processInfo.processIdentifier) of user"))
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits)
func `every kind stands in its page with an example that is drawn, and what is not drawn is kept with a warning`()
    throws
{
    let page = try String(contentsOf: Project.file("Sources/Wire/Wire.docc/Kinds.md"), encoding: .utf8)
    let folder = Project.file("config/styles/kinds")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        #expect(page.contains("\n## \(file.split(separator: ".")[0])\n"), "\(file)")
    }
    let examples = page.components(separatedBy: "```json\n").dropFirst().map {
        $0.components(separatedBy: "\n```")[0].replacing("\n", with: " ")
    }
    let place = try TemporaryFolder()
    let service = try Command(["serve", "--data", place.path, "--workers", "1"])
    try service.waitForMessage("a worker joined")
    let lines = examples.enumerated().map { number, body in
        #"{"conversation": "k", "message": "k\#(number)", "order": \#(number), "sender": "a", "time": 0, "body": \#(body)}"#
    }
    let posted = try run(["post", "--data", place.path], input: lines.joined(separator: "\n"))
    #expect(posted.code == 0 && posted.errors.withoutWaiting.isEmpty, "\(posted.errors)")
    try waitUntil {
        try run(["fetch", "k", "--data", place.path, "--count", "256"]).output.split(separator: "\n").count
            == examples.count + 1
    }

    let odd = [
        #"{"conversation": "c", "message": "a", "order": 1, "sender": "a", "time": 0, "body": {"kind": "phot"}}"#,
        #"{"conversation": "c", "message": "a", "revision": 2, "status": "nonsense"}"#,
        #"{"conversation": "c", "message": "a", "revision": 3, "reactions": ["👍"]}"#,
        #"{"conversation": "c", "message": "b", "sender": "a", "time": 0, "text": "Where?"}"#, line(9),
    ].joined(separator: "\n")
    let warned = try run(["post", "--data", place.path], input: odd)
    #expect(warned.code == 0 && warned.output == "posted 5 events; 0 were there before\n")
    let said = warned.errors.withoutWaiting.split(separator: "\n")
    let expected = [
        "body.kind: no style draws 'phot'", "status: \"nonsense\" is unknown", "reactions: expected",
        "order: is missing",
    ]
    #expect(said.count == 4)
    for (number, words) in expected.enumerated() where number < said.count {
        #expect(said[number].hasPrefix("line \(number + 1): kept, with a warning: \(words)"))
    }
    try waitUntil { try run(["status", "--data", place.path]).output.contains("warned 4") }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `post says why it waits`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("listening")
    #expect(try run(["pool", "drain", "--data", folder.path]).code == 0)
    let post = try Command(["post", "--data", folder.path], input: line(1))
    try post.waitForMessage("waiting: the service takes nothing while it is drained")
    #expect(try run(["pool", "accept", "--data", folder.path]).code == 0)
    let result = try post.finish()
    #expect(result.code == 0 && result.output == "posted 1 events; 0 were there before\n")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `an import goes on after the lines that were answered, and lists those that were not kept`() throws {
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
    #expect(second.output == "imported 9 events; 0 were there before\n")
    #expect(second.code == 1 && second.errors.contains("forme: 1 lines were not kept, 1 of them by imports before;"))
    let third = try run(["import", "--data", folder.path, file])
    #expect(third.code == 1 && third.output.contains("all 410 lines were imported before"))
    #expect(third.output.contains("; 1 of 410 lines were not kept;"))

    try lines(2...400).write(toFile: file, atomically: true, encoding: .utf8)
    let other = try run(["import", "--data", folder.path, file])
    #expect(other.code == 1 && other.errors.contains("give --restart to import it from its beginning"))
    let again = try run(["import", "--restart", "--data", folder.path, file])
    #expect(again.code == 0 && again.output == "imported 0 events; 399 were there before\n")
}

@Test(.waits)
func `an import into another service begins anew, and so does one into a folder with another journal`() throws {
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let services = try [one, other].map { try StandIn(in: $0.path) }
    defer { for service in services { service.stop() } }
    let file = one.file("history.jsonl")
    try (lines(1...20) + "{\n").write(toFile: file, atomically: true, encoding: .utf8)
    func imported(into folder: TemporaryFolder) throws -> String {
        try run(["import", "--data", folder.path, file]).output
    }
    #expect(try imported(into: one) == "imported 20 events; 0 were there before; 1 were not kept\n")
    #expect(try imported(into: other) == "imported 20 events; 0 were there before; 1 were not kept\n")
    #expect(services[1].messages(of: "c").count == 20)
    #expect(try imported(into: other).contains("all 21 lines were imported before"))

    for era in ["a1", "b2"] {
        try #"{"format": 1, "shards": 1, "era": "\#(era)", "term": 1}"#
            .write(toFile: other.file("manifest.json"), atomically: true, encoding: .utf8)
        let result = try run(["import", "--data", other.path, file])
        #expect(result.output == "imported 0 events; 20 were there before; 1 were not kept\n")
        #expect(result.errors.contains("begins with the first line, as an import before went to another service"))
        #expect(try imported(into: other).contains("all 21 lines were imported before"))
    }
}

@Test(.waits) func `what an earlier release remembers of an import is taken for this service`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let file = folder.file("history.jsonl")
    try lines(1...5).write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try run(["import", "--data", folder.path, file]).code == 0)
    let progress = try String(contentsOfFile: file + ".forme-progress", encoding: .utf8)
    let earlier = progress.replacing(/,"refused":.*/, with: "}")
    #expect(earlier != progress)
    try earlier.write(toFile: file + ".forme-progress", atomically: true, encoding: .utf8)
    let again = try run(["import", "--data", folder.path, file])
    #expect(again.code == 0 && again.output.contains("all 5 lines were imported before; --restart"))
}

@Test(.waits) func `empty lines and a mark before the first are passed over by post and import alike`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let text = "\u{FEFF}" + lines(1...2) + "\n  \r\n" + line(3) + "\r\n\n"
    let posted = try run(["post", "--data", folder.path], input: text)
    #expect(posted.code == 0 && posted.output == "posted 3 events; 0 were there before\n", "\(posted.errors)")
    let file = folder.file("history.jsonl")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try run(["import", "--data", folder.path, file])
    #expect(imported.code == 0 && imported.output == "imported 0 events; 3 were there before\n", "\(imported.errors)")
}

@Test(.waits) func `a folder that is named instead of a file is told as one`() throws {
    let folder = try TemporaryFolder()
    let imported = try run(["import", "--data", folder.path, folder.path])
    #expect(imported.code == 74 && imported.errors.hasPrefix("forme: \(folder.path) is a folder;"))
    for command in ["list", "tail"] {
        let words = command == "tail" ? ["tail", "c"] : ["list"]
        let result = try run(words + ["--http", "http://127.0.0.1:9", "--token", folder.path])
        #expect(result.code == 74 && result.errors.contains("the token file \(folder.path) cannot be read"))
    }
}

@Test(.waits) func `an import takes several files, and standard input, of which it remembers nothing`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let (one, other) = (folder.file("one.jsonl"), folder.file("other.jsonl"))
    try lines(1...20).write(toFile: one, atomically: true, encoding: .utf8)
    try (lines(11...30) + "{\n").write(toFile: other, atomically: true, encoding: .utf8)
    let both = try run(["import", one, other, "--data", folder.path])
    #expect(both.code == 1 && both.errors.contains("forme: 1 lines were not kept; they are listed above"))
    #expect(
        both.output == """
            \(one): imported 20 events; 0 were there before
            \(other): imported 10 events; 10 were there before; 1 were not kept

            """)

    let piped = try run(["import", "-", "--data", folder.path], input: lines(25...40))
    #expect(piped.code == 0 && piped.output == "imported 10 events; 6 were there before\n")
    #expect(!FileManager.default.fileExists(atPath: "-.forme-progress"))

    let missing = try run(["import", one, folder.file("none"), "--restart", "--data", folder.path])
    #expect(missing.code == 74 && missing.output.isEmpty)
}

@Test(.waits) func `a strict import ends at the first line that is not kept`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let file = folder.file("history.jsonl")
    try ("{\n" + lines(1...10)).write(toFile: file, atomically: true, encoding: .utf8)
    let result = try run(["import", "--strict", "--data", folder.path, file])
    #expect(result.code == 1 && result.errors.contains("line 1 was not kept"))
    #expect(service.messages(of: "c").isEmpty)
}

@Test(.waits) func `a strict import that ends says that lines behind the refused one may be kept`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let file = folder.file("history.jsonl")
    let events = line(1) + "\n" + line(1, text: "Ho") + "\n" + lines(2...10)
    try events.write(toFile: file, atomically: true, encoding: .utf8)
    let result = try run(["import", "--strict", "--data", folder.path, file])
    #expect(service.messages(of: "c").count == 10)
    #expect(result.code == 1 && result.errors.contains("line 2 was not kept, and the import ends; some lines around"))
}

@Test(.waits, arguments: [[], ["--strict"]])
func `an import of no file, or of one that is not there, is told in one sentence`(words: [String]) throws {
    let result = try run(["import"] + words)
    #expect(result.code == 2 && result.errors.hasPrefix("forme: import takes a FILE, or - for standard input."))
    let absent = try run(["import"] + words + ["/nowhere/x.jsonl"])
    #expect(absent.code == 74 && absent.errors.contains("/nowhere/x.jsonl cannot be read"))
}
