import Foundation
import TestSupport
import Testing

private struct Timed: Decodable {
    var messages: [String: [String: Double]]
}

@Test(.waits) func `what a worker does for a message is told by step, and the steps are the whole`() throws {
    let words = [
        "bench", "layout", "--kind", "album", "--messages", "10", "--rounds", "1", "--json", "--fonts",
        Project.file("config/fonts.json5").path,
    ]
    let result = try run(words)
    #expect(result.code == 0, "\(result.errors)")
    let lines = try JSONDecoder().decode(Timed.self, from: Data(result.output.utf8)).messages
    let album = try #require(lines["album"])
    let steps = ["parse", "plan", "measure", "solve", "key", "encode", "texts"].map { album["\($0)_us"] ?? .nan }
    let whole = try #require(album["us"])
    #expect(lines.count == 1 && steps.allSatisfy { $0 > 0 } && abs(steps.reduce(0, +) - whole) < 0.1)
    #expect(album["record_bytes"] ?? 0 > 500)
}

@Test(.waits) func `a kind that nobody posts is not measured`() throws {
    let result = try run(["bench", "layout", "--kind", "novel"])
    #expect(result.code == 2 && result.errors.contains("--kind is none of text, photo"))
}
