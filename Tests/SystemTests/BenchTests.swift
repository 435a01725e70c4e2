import Foundation
import TestSupport
import Testing

private struct Timed: Decodable {
    var messages: [String: [String: Double]]
}

@Test(.waits) func `what a worker does for a message is told by step, and the steps are the whole`() throws {
    let words = [
        "layout", "--kind", "album", "--messages", "10", "--rounds", "1", "--json", "--fonts",
        Project.file("config/fonts.json5").path,
    ]
    let result = try run(words, of: "forme-bench")
    #expect(result.code == 0, "\(result.errors)")
    let lines = try JSONDecoder().decode(Timed.self, from: Data(result.output.utf8)).messages
    let album = try #require(lines["album"])
    let steps = ["parse", "plan", "measure", "solve", "key", "encode", "texts"].map { album["\($0)_us"] ?? .nan }
    let whole = try #require(album["us"])
    #expect(lines.count == 1 && steps.allSatisfy { $0 > 0 } && abs(steps.reduce(0, +) - whole) < 0.1)
    #expect(album["record_bytes"] ?? 0 > 500)
}

@Test(.waits) func `a kind that nobody posts is not measured`() throws {
    let result = try run(["layout", "--kind", "novel"], of: "forme-bench")
    #expect(result.code == 2 && result.errors.contains("--kind is none of plain, text, photo"))
}

@Test(.waits) func `a plain text on the thirteen screens that goals are about is measured by itself`() throws {
    let words = [
        "layout", "--kind", "plain", "--messages", "10", "--rounds", "1", "--json", "--fonts",
        Project.file("config/fonts.json5").path,
    ]
    func line(_ more: [String] = []) throws -> [String: Double] {
        let result = try run(words + more, of: "forme-bench")
        #expect(result.code == 0, "\(result.errors)")
        let lines = try JSONDecoder().decode(Timed.self, from: Data(result.output.utf8)).messages
        return try #require(lines.count == 1 ? lines["plain text"] : nil)
    }
    let (few, own) = try (line(["--targets", "13"]), line())
    #expect(few["us"] ?? 0 > 0 && few["record_bytes"] != own["record_bytes"])
    let wrong = try run(words + ["--targets", "14"], of: "forme-bench")
    #expect(wrong.code == 2 && wrong.errors.contains("--targets takes 13, not '14'"))
}

@Test(.waits, arguments: [["bench", "text"], ["bench"], ["help", "bench"], ["bench", "--help"]])
func `who asks the service for its benchmarks is told which program has them`(words: [String]) throws {
    let result = try run(words)
    #expect(result.code == 2 && result.output.isEmpty)
    #expect(
        result.errors
            == "forme: benchmarks are a program of their own, forme-bench, which is built beside this one. Read: forme-bench --help\n"
    )
}

@Test(.waits) func `the laboratory tells its benchmarks, and the options of each, as the service tells its commands`()
    throws
{
    let overview = try run(["--help"], of: "forme-bench")
    #expect(
        overview.code == 0 && overview.output.hasPrefix("forme-bench: ")
            && overview.output.contains("exit codes: 0 done"))
    #expect(try run(["help"], of: "forme-bench").output == overview.output)
    let names = [
        "text", "layout", "record", "client", "storage", "conversation", "pages", "widths", "streams", "fairness",
    ]
    for name in names {
        #expect(overview.output.contains("\n  \(name) "))
        let help = try run([name, "--help"], of: "forme-bench")
        #expect(
            help.code == 0 && help.output.contains("usage: forme-bench \(name) [OPTIONS]\n\n  --json  "),
            "\(help.output)")
    }
    #expect(try run(["--version"], of: "forme-bench").output.hasPrefix("forme-bench "))
}

@Test(
    .waits,
    arguments: [
        ([], "which command? Read: forme-bench --help"),
        (["novel"], "no command is called 'novel'. Read: forme-bench --help"),
        (["text", "--seconds", "4"], "unknown option --seconds. Read: forme-bench help text"),
        (
            ["streams", "--streams", "0"],
            "--streams takes a number from 1 to 50000, not '0'. Read: forme-bench help streams"
        ),
    ])
func `a benchmark that is asked for in another way names the mistake`(words: [String], sentence: String) throws {
    let result = try run(words, of: "forme-bench")
    #expect(result.code == 2 && result.errors == "forme-bench: \(sentence)\n")
}
