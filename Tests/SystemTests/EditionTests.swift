import Foundation
import TestSupport
import Testing

private func line(_ message: String) -> String {
    """
    {"conversation": "demo", "message": "\(message)", "order": 1, "sender": "ada", "time": 0, "text": "Hello", "revision": 1}

    """
}

/// The status that a running service tells. One that starts, or is on a busy machine, may not answer the first time.
private func status(_ folder: TemporaryFolder) throws -> [String: Any] {
    var found: [String: Any]?
    try waitUntil {
        let said = try run(["status", "--json", "--data", folder.path])
        guard said.code == 0 else { return false }
        let answer = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any]
        found = answer?["status"] as? [String: Any]
        return found != nil
    }
    return found ?? [:]
}

private struct EditionLine: Equatable {
    var id: String
    var name: String
    var state: String
}

private func editions(_ folder: TemporaryFolder) throws -> [EditionLine] {
    (try status(folder)["editions"] as? [[String: Any]] ?? []).map { edition in
        EditionLine(
            id: edition["edition"] as? String ?? "", name: edition["name"] as? String ?? "",
            state: edition["state"] as? String ?? "")
    }
}

private func workers(of service: Command) throws -> [pid_t] {
    try children(of: service.process.processIdentifier).filter { $0.command == "worker" }.map(\.id)
}

private func end(_ service: Command) throws {
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a worker with another style is turned away in words, and changes nothing`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try waitUntil { try editions(folder).map(\.state) == ["served"] && status(folder)["served_workers"] as? Int == 1 }
    let served = try editions(folder)
    let stray = try run(["worker", "--data", folder.path, "--style", "config/styles/flat.json5"])
    #expect(stray.code == 2 && stray.errors.contains("forme pool roll config/styles/flat.json5"))
    #expect(try editions(folder) == served)
    // A worker that had no processor for long counts as absent for a while.
    try waitUntil { try status(folder)["verdict"] as? String == "all is well" }
    try waitUntil { try run(["status", "--data", folder.path]).output.hasPrefix("all is well\n") }
    try end(service)
}

@Test(.waits)
func `a style that is wanted at once is served with all that there is, and one worker stays until it is whole`() throws
{
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path, "--sample", "20"]).code == 0)
    func rows() throws -> Int {
        try run(["fetch", "demo", "--data", folder.path]).output.split(separator: "\n").count - 1
    }
    try waitUntil { try rows() == 20 }
    let rolled = try run(["pool", "roll", "config/styles/flat.json5", "--now", "--data", folder.path])
    #expect(rolled.code == 0 && rolled.output == "done\n")
    try service.waitForMessage("laying out a new edition")
    try service.waitForMessage("serving another edition")
    #expect(try editions(folder).first { $0.state == "served" }?.name == "flat")
    #expect(try rows() == 20)
    try waitUntil { try workers(of: service).count == 1 }
    try waitUntil { try status(folder)["verdict"] as? String == "all is well" }
    let wrong = try run(["pool", "pause", "--lane", "live", "--now", "--data", folder.path])
    #expect(wrong.code == 2 && wrong.errors.contains("--now is of roll"))
    try end(service)
}

@Test(.waits) func `a style is rolled out by command, and workers take it from the folder`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path, "--sample", "20"]).code == 0)
    try waitUntil { try editions(folder).map(\.state) == ["served"] }
    let old = try editions(folder)[0]
    #expect(old.name == "bubble")
    let rolled = try run(["pool", "roll", "config/styles/flat.json5", "--data", folder.path])
    #expect(rolled.code == 0 && rolled.output == "done\n")
    // A worker that is started now finds that it is wanted.
    let served = try String(contentsOfFile: folder.file("served.json"), encoding: .utf8)
    #expect(served.contains("next") || !served.contains(old.id))
    try service.waitForMessage("laying out a new edition")
    try service.waitForMessage("serving another edition")
    let new = try #require(try editions(folder).first { $0.state == "served" })
    #expect(new.name == "flat" && new.id != old.id)
    // The workers of the old edition end when nobody is shown it any more.
    try service.waitForMessage("a process has ended, as others took its place")
    try waitUntil { try workers(of: service).count == 1 }
    #expect(try run(["pool", "retire", "--edition", old.id, "--data", folder.path]).output == "done\n")
    try waitUntil { !FileManager.default.fileExists(atPath: folder.file("editions/\(old.id)")) }
    #expect(FileManager.default.fileExists(atPath: folder.file("editions/\(new.id)/edition.json")))
    #expect(try run(["post", "--data", folder.path], input: line("x")).code == 0)
    try waitUntil { try run(["fetch", "demo", "--data", folder.path]).output.contains("x ") }
    // A coordinator that starts again goes on with that edition, and knows its name before any worker has come.
    let coordinator = try #require(
        try children(of: service.process.processIdentifier).first { $0.command == "coordinator" })
    kill(coordinator.id, SIGKILL)
    try waitUntil { try editions(folder).contains(EditionLine(id: new.id, name: "flat", state: "served")) }
    #expect(try !editions(folder).contains { $0.state == "next" })
    try end(service)
}

@Test(.waits)
func `the last start of a service says which style is served, and its workers stay until all is laid out`() throws {
    let folder = try TemporaryFolder()
    var service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path, "--sample", "20"]).code == 0)
    try waitUntil { try editions(folder).map(\.name) == ["bubble"] }
    try end(service)
    service = try Command(["serve", "--data", folder.path, "--workers", "1", "--style", "config/styles/flat.json5"])
    try service.waitForMessage("laying out a new edition")
    try service.waitForMessage("serving another edition")
    try end(service)
    // Back to the first style: the rows that are kept of it are as good as before.
    service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("serving another edition")
    #expect(try editions(folder).first { $0.state == "served" }?.name == "bubble")
    try end(service)
}

@Test(.waits) func `a folder that keeps no edition is taken along`() throws {
    let folder = try TemporaryFolder()
    var service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path, "--sample", "20"]).code == 0)
    try waitUntil { try editions(folder).map(\.state) == ["served"] }
    let served = try editions(folder)
    try end(service)
    try FileManager.default.removeItem(atPath: folder.file("editions"))
    service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try waitUntil { try status(folder)["served_workers"] as? Int == 1 }
    #expect(try editions(folder) == served)
    #expect(FileManager.default.fileExists(atPath: folder.file("editions/\(served[0].id)/edition.json")))
    try end(service)
    // With another style, nobody can lay out the served edition, until the next one takes its place.
    try FileManager.default.removeItem(atPath: folder.file("editions"))
    service = try Command(["serve", "--data", folder.path, "--workers", "1", "--style", "config/styles/flat.json5"])
    try service.waitForMessage("the served edition cannot be laid out here")
    try service.waitForMessage("serving another edition")
    #expect(try run(["post", "--data", folder.path], input: line("x")).code == 0)
    try waitUntil { try run(["fetch", "demo", "--data", folder.path]).output.contains("x ") }
    try end(service)
}
