import Foundation
import TestSupport
import Testing

@Test func `lays out a hundred messages for every target, though a worker is killed half-way`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "2"])
    let first = try run(["post", "--data", folder.path, "--sample", "50"])
    #expect(first.output == "posted 50 events; 0 were there before\n")
    try waitUntil { try fetched(folder, "280@2").count == 50 }
    // Stopped first, so that it certainly holds the lease it is handed when it dies.
    let victim = try #require(try children(of: service.process.processIdentifier).first { $0.command == "worker" })
    kill(victim.id, SIGSTOP)
    let second = try run(["post", "--data", folder.path, "--sample", "100"])
    #expect(second.output == "posted 50 events; 50 were there before\n")
    kill(victim.id, SIGKILL)
    for target in ["280@2", "280@3", "390@2", "390@3"] {
        try waitUntil { try fetched(folder, target).count == 100 }
        #expect(try fetched(folder, target) == (0..<100).map { "m\($0)" })
    }
    try waitUntil { try children(of: service.process.processIdentifier).count { $0.command == "worker" } == 2 }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test func `what was acknowledged is laid out after the coordinator was killed`() throws {
    let folder = try TemporaryFolder()
    let first = try Command(["coordinator", "--data", folder.path])
    #expect(try run(["post", "--data", folder.path, "--sample", "100"]).code == 0)
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()

    let second = try Command(["coordinator", "--data", folder.path])
    try second.waitForMessage("100 jobs to take up")
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    try waitUntil { try fetched(folder, "390@3").count == 100 }
    for daemon in [second, worker, gateway] {
        daemon.process.terminate()
        #expect(try daemon.finish().code == 0)
    }
    let third = try Command(["coordinator", "--data", folder.path])
    try third.waitForMessage("0 jobs to take up")
}

@Test func `workers find a coordinator that was started again`() throws {
    let folder = try TemporaryFolder()
    let worker = try Command(["worker", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    for count in [20, 40] {
        let coordinator = try Command(["coordinator", "--data", folder.path])
        #expect(try run(["post", "--data", folder.path, "--sample", "\(count)"]).code == 0)
        try waitUntil { try fetched(folder, "280@2").count == count }
        kill(coordinator.process.processIdentifier, SIGKILL)
        coordinator.process.waitUntilExit()
    }
    #expect(worker.process.isRunning && gateway.process.isRunning)
}

@Test func `children do not outlive a supervisor that was killed`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path])
    try waitUntil { try children(of: service.process.processIdentifier).count == 4 }
    let orphans = try children(of: service.process.processIdentifier)
    kill(service.process.processIdentifier, SIGKILL)
    try waitUntil { orphans.allSatisfy { kill($0.id, 0) != 0 || isZombie($0.id) } }
}

@Test func `events come as JSON and models go as JSON, newest revision last or not`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1", "--targets", "200@1.5"])
    let posted = try run(
        ["post", "--data", folder.path],
        input: [line("b", order: 2, "two", revision: 2), line("b", order: 2, "one"), line("a", order: 1, "a\\nb")]
            .joined())
    #expect(posted.output == "posted 3 events; 0 were there before\n" && posted.errors.isEmpty)
    try waitUntil { try fetched(folder, "200@1.5").count == 2 }
    let text = try run(["fetch", "--data", folder.path, "--target", "200@1.5", "--json"]).output
    let objects = try text.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["message"] as? String } == ["a", "b"])
    #expect(objects.map { $0["revision"] as? Int } == [1, 2])
    #expect(objects.map { ($0["lines"] as? [Any])?.count } == [2, 1])
    #expect(objects.allSatisfy { ($0["width"] as? Int ?? .max) <= 300 })
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test func `a line that is no event is named with its place, and a changed revision is refused`() throws {
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    let wrong = try run(["post", "--data", folder.path], input: line("a", order: 1, "x") + "{\"mesage\": 1}\n")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("line 2:1:2: mesage: unknown; known are conversation, message"))
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1, "x")).code == 0)
    let changed = try run(["post", "--data", folder.path], input: line("a", order: 1, "y"))
    #expect(changed.code == 1)
    #expect(changed.errors.contains("raise the revision of an edit"))
    #expect(coordinator.process.isRunning)
}

/// One event as a line of JSON.
private func line(_ message: String, order: Int, _ body: String, revision: Int = 1) -> String {
    """
    {"conversation": "demo", "message": "\(message)", "order": \(order), "sender": "ada", "time": 0, \
    "body": "\(body)", "revision": \(revision)}

    """
}

/// The messages that can be read at a target, in order; none while nobody answers.
private func fetched(_ folder: TemporaryFolder, _ target: String) throws -> [String] {
    let result = try run(["fetch", "--data", folder.path, "--target", target])
    return result.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) }
}
