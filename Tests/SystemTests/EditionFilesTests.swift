import Foundation
import TestSupport
import Testing

/// Files with rows of each edition, by its folder.
private func files(_ folder: TemporaryFolder) throws -> [String: Int] {
    let root = folder.file("shards")
    let editions = try FileManager.default.contentsOfDirectory(atPath: root)
    return Dictionary(
        uniqueKeysWithValues: try editions.map { edition in
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(edition)")
            return (edition, names.count { $0.hasSuffix(".db") })
        })
}

private func configuration(_ folder: TemporaryFolder, _ more: String) throws -> String {
    let path = folder.file("forme.json5")
    try "{ data: '\(folder.file("data"))', workers: 1, shards: 8, \(more) }".write(
        toFile: path, atomically: true, encoding: .utf8)
    return path
}

@Test(.waits) func `a folder of eight shards has two files from a roll on, and all of its rows`() throws {
    let folder = try TemporaryFolder()
    let data = folder.file("data")
    /// Rows of a conversation: lines of the table below its head.
    func fetched(_ conversation: String) throws -> Int {
        try run(["fetch", conversation, "--data", data]).output.split(separator: "\n").dropFirst().count
    }
    let rooms = (0..<24).map { "room-\($0)" }
    let lines = rooms.map {
        #"{"conversation": "\#($0)", "message": "a", "order": 1, "sender": "ada", "time": 0, "text": "Hello", "revision": 1}"#
    }
    var service = try Command(["serve", "--config", configuration(folder, "")])
    #expect(try run(["post", "--data", data], input: lines.joined(separator: "\n") + "\n").code == 0)
    try waitUntil { try rooms.allSatisfy { try fetched($0) == 1 } }
    service.process.terminate()
    #expect(try service.finish().code == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: "\(data)/shards")
    service = try Command([
        "serve", "--config", configuration(folder, "files: 2"), "--style", "config/styles/flat.json5",
    ])
    try service.waitForMessage("serving another edition")
    let served = try #require(
        FileManager.default.contentsOfDirectory(atPath: "\(data)/shards").first { !before.contains($0) })
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: "\(data)/shards/\(served)").count { $0.hasSuffix(".db") }
            == 2)
    try waitUntil { try rooms.allSatisfy { try fetched($0) == 1 } }
    #expect(try run(["check", data]).code == 0)
    // One of them is lost, and comes back with all that it had.
    for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: "\(data)/shards/\(served)/01.db\(suffix)")
    }
    #expect(
        try run(
            ["post", "--data", data], input: lines.joined(separator: "\n").replacing("\"a\"", with: "\"b\"") + "\n"
        ).code == 0)
    try waitUntil { try rooms.allSatisfy { try fetched($0) == 2 } }
    #expect(try run(["check", data]).code == 0)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
