import Foundation
import Testing

/// A row of the README's six figures, and the name of its figure in `Tests/Benchmarks/figures.json`.
private let rows = [
    ("opening_ms", "a conversation of 1,000,000 messages is opened in"),
    ("window_us", "a window of 50 rows, asked for over a socket, is there in"),
    ("router_percent", "throughput of a gateway, relative to a bare ZeroMQ router that answers as many bytes"),
    ("plain_texts_per_s", "a worker lays out plain texts, for sixteen screens and three variants each"),
    ("accepted_per_s", "events of all kinds are accepted and laid out"),
    ("readable_ms", "a message is readable after it was sent, at 4,000 a second (median · 99th percentile)"),
]

/// Figures of the README that no file has yet, and the reason. `deploy/bench --record` writes them; a figure that is
/// recorded has to leave this list.
private let unrecorded = Dictionary(
    uniqueKeysWithValues: rows.map { ($0.0, "it was measured before there was deploy/bench --record") })

private struct Recorded: Decodable {
    struct Figure: Decodable {
        var values: [Double]
        var command, machine, date, commit: String
        var rounds: Int
    }
    var figures: [String: Figure]
}

/// Numbers as a person reads them, each with half of its last digit that is not a zero: `9,700` is 9,650 to 9,750.
private func numbers(in text: String) -> [ClosedRange<Double>] {
    text.matches(of: /\d[\d,]*(\.\d+)?/).compactMap { match in
        let digits = match.output.0.filter { $0 != "," }
        guard let value = Double(digits) else { return nil }
        let decimals = match.output.1.map { $0.count - 1 } ?? 0
        let zeros = decimals == 0 && value > 0 ? digits.reversed().prefix { $0 == "0" }.count : 0
        let half = pow(10, Double(zeros - decimals)) / 2
        return value - half...value + half
    }
}

@Test(arguments: [
    ("33 ms", [33.4], true), ("33 ms", [33.6], false), ("49,000 a second", [48_600], true),
    ("49,000 a second", [48_400], false), ("9,700 to 14,200 a second", [9_712, 14_180], true),
    ("9,700 to 14,200 a second", [9_712], false), ("0.4 · 17 ms", [0.44, 16.9], true), ("0.4 ms", [0.46], false),
])
private func `a figure is that of a file when it is it as printed`(text: String, values: [Double], isSo: Bool) {
    #expect(isPrinted(values, in: text) == isSo)
}

private func isPrinted(_ values: [Double], in text: String) -> Bool {
    let ranges = numbers(in: text)
    return ranges.count == values.count && zip(ranges, values).allSatisfy { $0.contains($1) }
}

@Test func `the figures of the README are those that were recorded`() throws {
    let bytes = try Data(contentsOf: Repository.root.appending(path: "Tests/Benchmarks/figures.json"))
    let recorded = try JSONDecoder().decode(Recorded.self, from: bytes).figures
    let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    let behind = try #require(readme.components(separatedBy: "\n## Six figures\n").last)
    let section = try #require(behind.components(separatedBy: "\n## ").first)
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| on ") }
    #expect(lines.count == rows.count && Set(recorded.keys).isSubset(of: rows.map(\.0)))
    for (name, words) in rows {
        let cells = lines.first { $0.hasPrefix("| \(words) |") }?.split(separator: "|")
        let cell = String(try #require(cells, "the README has no row \"\(words)\"")[1])
        guard let figure = recorded[name] else {
            #expect(unrecorded[name] != nil, "\(name) is in no file: deploy/bench --record")
            continue
        }
        #expect(unrecorded[name] == nil, "\(name) is recorded, and still in the list of those that are not")
        #expect(isPrinted(figure.values, in: cell), "the README says \(cell), and \(figure.values) was recorded")
        let facts = [figure.command, figure.machine, figure.date, figure.commit]
        #expect(figure.rounds > 0 && facts.allSatisfy { !$0.isEmpty }, "\(name)")
        #expect(!figure.commit.hasSuffix("-dirty"), "\(name) is of no commit")
    }
}
