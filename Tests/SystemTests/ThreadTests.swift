import Foundation
import Names
import StandInService
import TestSupport
import Testing
import Wire

/// The targets of the standard style.
private let targets =
    [320, 375, 414].map { "\($0)@2" } + ["393@2.75", "412@2.625"]
    + [360, 375, 390, 393, 402, 414, 430, 440].map { "\($0)@3" } + ["820@2", "1024@2", "640@1"]

@Test(.waits) func `lays out a hundred messages for every target, though a worker is killed half-way`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "2"])
    let first = try run(["post", "--data", folder.path, "--sample", "50"])
    #expect(first.output == "posted 50 events; 0 were there before\n")
    try waitUntil { try fetched(folder, "390@3").count == 50 }
    // Stopped first, so that it certainly holds the lease it is handed when it dies.
    let victim = try #require(try children(of: service.process.processIdentifier).first { $0.command == "worker" })
    kill(victim.id, SIGSTOP)
    let second = try run(["post", "--data", folder.path, "--sample", "100"])
    #expect(second.output == "posted 50 events; 50 were there before\n")
    kill(victim.id, SIGKILL)
    for target in targets {
        try waitUntil { try fetched(folder, target).count == 100 }
        #expect(try fetched(folder, target) == (0..<100).map { "m\($0)" })
    }
    try waitUntil { try children(of: service.process.processIdentifier).count { $0.command == "worker" } == 2 }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `what was acknowledged is laid out after the coordinator was killed`() throws {
    let folder = try TemporaryFolder()
    let first = try Command(["coordinator", "--data", folder.path])
    #expect(try run(["post", "--data", folder.path, "--sample", "100"]).code == 0)
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()

    let second = try Command(["coordinator", "--data", folder.path])
    try second.waitForMessage("unfinished=100")
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    try waitUntil { try fetched(folder, "390@3").count == 100 }
    for daemon in [second, worker, gateway] {
        daemon.process.terminate()
        #expect(try daemon.finish().code == 0)
    }
    let third = try Command(["coordinator", "--data", folder.path])
    try third.waitForMessage("unfinished=0")
}

@Test(.waits) func `workers find a coordinator that was started again`() throws {
    let folder = try TemporaryFolder()
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    for count in [20, 40] {
        let coordinator = try Command(["coordinator", "--data", folder.path])
        #expect(try run(["post", "--data", folder.path, "--sample", "\(count)"]).code == 0)
        try waitUntil { try fetched(folder, "390@3").count == count }
        kill(coordinator.process.processIdentifier, SIGKILL)
        coordinator.process.waitUntilExit()
    }
    #expect(worker.process.isRunning && gateway.process.isRunning)
}

@Test(.waits) func `what was once ready is started again, however often it is killed`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("component=serve message=ready")
    var killed: Set<pid_t> = []
    while killed.count < 4 {
        var found: pid_t?
        try waitUntil {
            found = try children(of: service.process.processIdentifier)
                .first { $0.command == "coordinator" && !killed.contains($0.id) }?.id
            return found != nil
        }
        let victim = try #require(found)
        killed.insert(victim)
        kill(victim, SIGKILL)
        try service.waitForMessage("a process ended; starting it again")
    }
    try waitUntil { try run(["post", "--data", folder.path, "--sample", "3"]).code == 0 }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `children do not outlive a supervisor that was killed`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path])
    try waitUntil { try children(of: service.process.processIdentifier).count == 4 }
    let orphans = try children(of: service.process.processIdentifier)
    kill(service.process.processIdentifier, SIGKILL)
    try waitUntil { orphans.allSatisfy { kill($0.id, 0) != 0 || isZombie($0.id) } }
}

@Test(.waits) func `events come as JSON and models go as JSON, newest revision last or not`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    // Before that, a post may say that it waits.
    try service.waitForMessage("component=serve message=ready")
    let picture = #"{"picture": {"width": 4, "height": 3}}"#
    let album = #"{"kind": "album", "photos": [\#(picture), \#(picture)]}"#
    let lines = [
        line("b", order: 2, #""text": "two""#, revision: 2), line("b", order: 2, #""text": "one""#),
        line("a", order: 1, #""text": "a\nb""#), line("c", order: 3, "\"body\": \(album)"),
    ]
    let posted = try run(["post", "--data", folder.path], input: lines.joined())
    #expect(posted.output == "posted 3 events; 0 were there before; 1 were older than what is there\n")
    #expect(posted.code == 0 && posted.errors.withoutWaiting.isEmpty, "\(posted.errors)")
    try waitUntil { try fetched(folder, "320@2").count == 3 }
    let rows = try rows(folder, ["--target", "320@2"])
    #expect(rows.map(\.message) == ["a", "b", "c"])
    #expect(rows.map { $0.said["revision"] as? Int } == [1, 2, 1])
    #expect(rows.map { ($0.layout["size"] as? [Int])?.first ?? .max }.allSatisfy { $0 <= 640 })
    let nodes = rows.map { $0.layout["nodes"] as? [[String: Any]] ?? [] }
    let texts = nodes.map { $0.first { $0["part"] as? String == "text" }?["text"] as? [String: Any] }
    #expect(texts.map { ($0?["lines"] as? [Any])?.count } == [2, 1, nil])
    #expect(nodes[2].count { $0["role"] as? String == "media" } == 2)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `each reader gets the variant that is theirs, on screens that nobody prepared as well`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    let body = #""body": {"kind": "text", "name": "Ben", "text": "Hello"}"#
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1, body)).code == 0)
    for target in ["390@3", "391@3"] {
        try waitUntil { try fetched(folder, target) == ["a"] }
        func size(of reader: [String]) throws -> [Int] {
            try #require(rows(folder, ["--target", target] + reader).first?.layout["size"] as? [Int])
        }
        // The name of the sender stands over what others write.
        #expect(try size(of: [])[1] > size(of: ["--as", "ada"])[1])
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a message that the style refuses is named with the reason, and laid out when an edit mends it`()
    throws
{
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    let wrong = #""body": {"kind": "text", "txt": "Hello"}"#
    let first = try run(
        ["post", "--data", folder.path], input: line("a", order: 1, wrong) + line("b", order: 2, #""text": "Hello""#))
    #expect(first.code == 0)
    try coordinator.waitForMessage("reason=\"txt: unknown; known are")
    try waitUntil { try fetched(folder, "390@3") == ["b"] }
    #expect(worker.process.isRunning)
    let edit = line("a", order: 1, #""text": "Hello""#, revision: 2)
    #expect(try run(["post", "--data", folder.path], input: edit).code == 0)
    try waitUntil { try fetched(folder, "390@3") == ["a", "b"] }
    coordinator.process.terminate()
    coordinator.process.waitUntilExit()
    try Command(["coordinator", "--data", folder.path]).waitForMessage("unfinished=0")
    #expect(gateway.process.isRunning)
}

@Test(
    .waits,
    arguments: [
        (#""mesage": 1"#, "mesage: unknown; known are conversation, message"),
        (#""body": "Hello""#, "body: expected an object, found 'Hello'"),
        (#""body": {"text": "Hello"}"#, "body: 'kind' is missing"),
        (#""text": 4"#, "text: expected a string, found 4"),
        (#""text": "a", "body": {"kind": "text"}"#, "text: expected 'body' or 'text', not both, found 'a'"),
        (#""revision": 3"#, "sender: expected no 'sender' without a body"),
    ])
func `a line that is no event is named with its place, and others are kept`(fields: String, sentence: String) throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let event = #"{"conversation": "demo", "message": "b", "order": 1, "sender": "ada", "time": 0"#
    let wrong = try run(
        ["post", "--data", folder.path], input: line("a", order: 1, #""text": "x""#) + "\(event), \(fields)}\n")
    #expect(wrong.code == 1 && wrong.errors.hasPrefix("line 2:1:") && wrong.errors.contains(sentence))
    #expect(service.messages(of: "demo") == ["a"])
}

@Test(.waits) func `a revision that comes again with other content is refused`() throws {
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1, #""text": "x""#)).code == 0)
    let changed = try run(["post", "--data", folder.path], input: line("a", order: 1, #""text": "y""#))
    #expect(changed.code == 1)
    #expect(changed.errors.withoutWaiting.hasPrefix("line 1: body: revision 1 is known with another value; raise it"))
    #expect(coordinator.process.isRunning)
}

/// One event as a line of JSON.
private func line(_ message: String, order: Int, _ content: String, revision: Int = 1) -> String {
    """
    {"conversation": "demo", "message": "\(message)", "order": \(order), "sender": "ada", "time": 0, \
    \(content), "revision": \(revision)}

    """
}

/// The layouts of the rows that `forme fetch --json` prints, and each row's message with its own words.
private func rows(
    _ folder: TemporaryFolder, _ words: [String]
) throws -> [(message: String, said: [String: Any], layout: [String: Any])] {
    let said = try run(["fetch", "demo", "--data", folder.path, "--json", "--with", "body"] + words)
    let answer = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: [String: Any]]
    return try #require(answer?["window"]?["rows"] as? [[String: Any]]).map { row in
        let said = row["said"] as? [String: Any] ?? [:]
        return (row["message"] as? String ?? "", said, row["layout"] as? [String: Any] ?? [:])
    }
}

/// The messages that can be read at a target, in order; none while nobody answers.
private func fetched(_ folder: TemporaryFolder, _ target: String) throws -> [String] {
    let result = try run(["fetch", "demo", "--data", folder.path, "--target", target, "--count", "256"])
    return result.output.split(separator: "\n").dropFirst().map { String($0.split(separator: " ")[2]) }
}
