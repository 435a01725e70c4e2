import Foundation
import TestSupport
import Testing

@Test(.waits, arguments: GoldenFolder.all)
func `a folder of an older build is served, row for row`(golden: GoldenFolder) throws {
    let folder = try golden.unpack()
    let contents = try golden.contents
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    func rows(_ conversation: String) throws -> [String] {
        let said = try run(["fetch", conversation, "--data", folder.path, "--count", "100"])
        return said.output.split(separator: "\n").dropFirst().map { line in
            String(line.split(separator: " ", omittingEmptySubsequences: true)[2])
        }
    }
    for (conversation, messages) in contents.rows {
        try waitUntil { try rows(conversation) == messages }
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
    let check = try run(["check", folder.path])
    #expect(check.code == 0, "\(check.output) \(check.errors)")
}
