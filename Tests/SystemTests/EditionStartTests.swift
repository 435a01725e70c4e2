import Foundation
import TestSupport
import Testing

@Test(.waits) func `an edition that a worker brings before its coordinator is there stays in the folder`() throws {
    let folder = try TemporaryFolder()
    let place = ["--data", folder.file("data")]
    let worker = try Command(["worker"] + place)
    let editions = folder.file("data/editions")
    func kept() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: editions).filter { $0.hasSuffix("/edition.json") }
    }
    try waitUntil { try FileManager.default.fileExists(atPath: editions) && !kept().isEmpty }
    let edition = try kept()
    let coordinator = try Command(["coordinator"] + place)
    try coordinator.waitForMessage("a worker joined")
    #expect(try kept() == edition)
    #expect(worker.process.isRunning)
}
