import Foundation
import TestSupport
import Testing

private func line(_ message: String, _ content: String, revision: Int = 1) -> String {
    """
    {"conversation": "demo", "message": "\(message)", "order": 1, "sender": "ada", "time": 0, \(content), \
    "revision": \(revision)}

    """
}

@Test(.waits) func `a message that was given up leaves the shelf when an edit mends it`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    // Producers are warned from the first edition on.
    try service.waitForMessage("a worker joined")
    func shelf() throws -> String { try run(["shelf", "list", "--data", folder.path]).output }
    let wrong = line("bad", #""body": {"kind": "text", "txt": "Hello"}"#)
    let posted = try run(["post", "--data", folder.path], input: wrong)
    #expect(posted.code == 0)
    #expect(posted.errors.withoutWaiting.hasPrefix("line 1: kept, with a warning: body.txt: unknown"))
    try waitUntil { try shelf().contains("bad") }
    func status() throws -> String { try run(["status", "--data", folder.path]).output }
    // A worker that had no processor for long counts as absent for a while, which is told first.
    try waitUntil { try status().hasPrefix("1 message was given up and is not shown; read: forme shelf list\n") }
    #expect(try run(["post", "--data", folder.path], input: line("bad", #""text": "Hi""#, revision: 2)).code == 0)
    try waitUntil { try run(["fetch", "demo", "--data", folder.path]).output.contains("bad ") }
    #expect(try !shelf().contains("bad"))
    try waitUntil { try status().hasPrefix("all is well\n") }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `names with control characters steer nobody's terminal, and a window goes to a full disk in words`()
    throws
{
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("a worker joined")
    let good = line(#"good\u001b[2J"#, #""text": "Hi""#)
    let events = good + line(#"bad\u001b[2J"#, #""body": {"kind": "text", "txt": "Hi"}"#)
    #expect(try run(["post", "--data", folder.path], input: events).code == 0)
    for (words, shown) in [(["shelf", "list"], "bad·[2J"), (["fetch", "demo"], "good·[2J")] {
        var said = ""
        try waitUntil {
            said = try run(words + ["--data", folder.path]).output
            return said.contains(shown.prefix(3))
        }
        #expect(said.contains(shown) && !said.contains("\u{1B}"), "\(said)")
    }
    let full = try Command(
        ["tail", "demo", "--data", folder.path], launcher: ["/bin/bash", "-c", #"exec "$0" "$@" >/dev/full"#]
    ).finish()
    #expect(full.code == 74 && full.errors.contains("standard output cannot be written"), "\(full)")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `limits and retention hold from the signal on, without a restart`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    func configure(_ text: String) throws {
        try "{ data: '\(folder.file("data"))', workers: 1, shards: 1, \(text) }".write(
            toFile: file, atomically: true, encoding: .utf8)
    }
    func fetched() throws -> Int {
        try run(["fetch", "demo", "--data", folder.file("data")]).output.split(separator: "\n").count - 1
    }
    try configure("")
    let service = try Command(["serve", "--config", file])
    func post(_ name: String) throws -> (code: Int32, output: String, errors: String) {
        let text = String(repeating: "x", count: 900)
        return try run(["post", "--config", file], input: line(name, #""text": "\#(text)""#))
    }
    #expect(try run(["post", "--config", file, "--sample", "30"]).code == 0)
    try waitUntil { try fetched() == 30 }
    try configure("limits: { textBytes: 500 }, retention: { layouts: { messages: 10 } }")
    kill(service.process.processIdentifier, SIGHUP)
    try waitUntil { try fetched() == 10 }
    var number = 0
    try waitUntil {
        number += 1
        return try post("long\(number)").errors.contains("expected texts of at most 500 bytes")
    }
    try configure("")
    kill(service.process.processIdentifier, SIGHUP)
    try service.waitForMessage("limits.textBytes: 500 → 16384")
    try waitUntil { try post("last").code == 0 }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `an order about nobody is told as what it is`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["coordinator", "--data", folder.path])
    try service.waitForMessage("message=listening")
    let dismissed = try run(["pool", "dismiss", "--process", "1", "--data", folder.path])
    #expect(dismissed.code == 1 && dismissed.output.isEmpty)
    #expect(dismissed.errors.withoutWaiting == "forme: no worker has the process 1; forme status lists them\n")
    let edition = String(repeating: "0", count: 31) + "1"
    let retired = try run(["pool", "retire", "--edition", edition, "--data", folder.path])
    #expect(retired.code == 1)
    #expect(retired.errors.withoutWaiting == "forme: no edition \(edition) is there; forme status lists them\n")
    let place = "\(edition)/0/1"
    for verb in ["replay", "drop"] {
        let order = try run(["shelf", verb, "--place", place, "--data", folder.path])
        #expect(order.code == 1 && order.output.isEmpty, "\(verb): \(order.output)")
        #expect(order.errors.withoutWaiting == "forme: no message was given up at \(place); see forme shelf list\n")
        let all = try run(["shelf", verb, "--data", folder.path] + (verb == "drop" ? ["--all"] : []))
        #expect(all.code == 0 && all.output == "nothing was given up\n")
    }
}

@Test(.waits) func `messages that come back from a replay are counted with the reason, and it ends with 1`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("a worker joined")
    let wrong = ["a", "b", "c"].map { line($0, #""body": {"kind": "text", "txt": "Hello"}"#) }.joined()
    #expect(try run(["post", "--data", folder.path], input: wrong).code == 0)
    func shelf() throws -> [Substring] {
        try run(["shelf", "list", "--data", folder.path]).output.split(separator: "\n").dropFirst().map { $0 }
    }
    try waitUntil { try shelf().count == 3 }
    let all = try run(["shelf", "replay", "--data", folder.path])
    #expect(all.code == 1 && all.output.isEmpty, "\(all)")
    #expect(all.errors.contains("forme: 3 of 3 came back: ") && all.errors.contains("txt"), "\(all.errors)")
    let place = try #require(shelf().first?.split(separator: " ").first)
    let one = try run(["shelf", "replay", "--place", String(place), "--data", folder.path])
    #expect(one.code == 1 && one.errors.contains("forme: 1 of 1 came back: "), "\(one)")
    #expect(try shelf().count == 3)
    #expect(try run(["shelf", "drop", "--all", "--data", folder.path]).output == "done: 3\n")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a roll that nobody lays out is told as that, by the command and by the status`() throws {
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    try coordinator.waitForMessage("message=listening")
    let worker = try Command(["worker", "--data", folder.path])
    func status() throws -> String { try run(["status", "--data", folder.path]).output }
    try waitUntil { try status().hasPrefix("all is well\n") }
    let rolled = try run(["pool", "roll", "config/styles/flat.json5", "--data", folder.path])
    #expect(rolled.code == 0 && rolled.output == "done\n", "\(rolled)")
    #expect(rolled.errors.contains("no worker lays out the edition "), "\(rolled.errors)")
    let command = try #require(rolled.errors.firstRange(of: "forme worker --edition ")).upperBound
    let edition = String(rolled.errors[command...].prefix { $0 != "\n" })
    try waitUntil { try status().hasPrefix("no worker lays out the next edition flat ") }
    let next = try Command(["worker", "--edition", edition, "--data", folder.path])
    try waitUntil { try status().hasPrefix("all is well\n") }
    for one in [worker, next, coordinator] {
        one.process.terminate()
        #expect(try one.finish().code == 0)
    }
}
