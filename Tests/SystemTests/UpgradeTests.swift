import Foundation
import TestSupport
import Testing

private func line(_ message: String, _ content: String, revision: Int = 1) -> String {
    """
    {"conversation": "demo", "message": "\(message)", "order": 9000, "sender": "ada", "time": 0, \(content), \
    "revision": \(revision)}

    """
}

@Test(.waits) func `after an upgrade what is new is shown at once, from the edition that is laid out next`() throws {
    let folder = try TemporaryFolder()
    func tell(_ words: String...) throws { #expect(try run(words + ["--data", folder.path]).code == 0) }
    func post(_ line: String) throws { #expect(try run(["post", "--data", folder.path], input: line).code == 0) }
    func shown() throws -> String { try run(["fetch", "demo", "--data", folder.path, "--target", "375@3"]).output }
    func states() throws -> [String] {
        let said = try run(["status", "--json", "--data", folder.path])
        guard said.code == 0 else { return [] }
        let answer = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any]
        let status = answer?["status"] as? [String: Any]
        return (status?["editions"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
    }
    func end(_ service: Command) throws {
        service.process.terminate()
        #expect(try service.finish().code == 0)
    }

    var service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try waitUntil { try run(["post", "--data", folder.path, "--sample", "500"]).code == 0 }
    for message in ["kept", "edited", "deleted"] { try post(line(message, #""text": "Hello""#)) }
    try waitUntil { try shown().contains("deleted ") }
    try end(service)

    service = try Command(
        ["serve", "--data", folder.path, "--workers", "1"], environment: ["FORME_TEST_RULES": "1"])
    try service.waitForMessage("the served edition cannot be laid out here")
    // The rows from before are held up, so that there is time to look.
    try waitUntil { try run(["pool", "pause", "--lane", "relayout", "--data", folder.path]).code == 0 }
    try service.waitForMessage("message=ready")
    let start = ContinuousClock.now
    try post(line("new", #""text": "Hello""#))
    try waitUntil { try shown().contains("new ") }
    #expect(.now - start < .seconds(5))
    try post(line("edited", #""text": "Hello, hello""#, revision: 2))
    try post(#"{"conversation": "demo", "message": "deleted", "deleted": true, "revision": 2}"# + "\n")
    try waitUntil {
        let shown = try shown()
        return shown.contains("edited ") && shown.contains("kept ") && !shown.contains("deleted ")
    }
    try waitUntil { try states() == ["served", "next"] }
    try tell("pool", "resume", "--lane", "relayout")
    try service.waitForMessage("serving another edition")
    try waitUntil {
        let shown = try shown()
        return ["kept ", "edited ", "new "].allSatisfy(shown.contains) && !shown.contains("deleted ")
    }
    try end(service)
}
