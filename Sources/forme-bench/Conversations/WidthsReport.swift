import Console
import Foundation
import JSON
import MessageLayout
import Shaping

/// The report that `forme-bench widths` prints: the time to show a conversation at a width that nobody foresaw.
struct WidthsReport {
    private let rows: Int
    private var figures: [(name: String, milliseconds: Double)] = []
    private var kinds: [(name: String, microseconds: Double)] = []

    init(
        style: StyleSheet, fonts: FontList, texts: BenchTexts, kinds: [(name: String, message: [UInt8])], rows: Int,
        rounds: Int
    ) throws {
        self.rows = rows
        let messages = texts.measured.prefix(rows).map(BenchTexts.message)
        var bench = try WidthsBench(style: style, fonts: fonts, messages: messages, rows: rows)
        var runs: [[Double]] = []
        for _ in 0..<rounds {
            runs.append([try bench.fromFile(), try bench.reading(), try bench.inMemory(), try bench.held()])
        }
        for (i, name) in ["from the file", "  of that, reading", "of what is stored, in memory", "of what is held"]
            .enumerated()
        {
            figures.append((name, runs.map { $0[i] }.sorted()[rounds / 2] * 1e3))
        }
        let extending = try (0..<rounds).map { _ in try bench.extending() }
        figures.append(("to lay out and store them for one more", extending.sorted()[rounds / 2] * 1e3))
        for kind in kinds {
            var bench = try WidthsBench(style: style, fonts: fonts, messages: [kind.message], rows: 600)
            var runs: [Double] = []
            for _ in 0..<rounds { runs.append(try bench.inMemory()) }
            self.kinds.append((kind.name, runs.sorted()[rounds / 2] * 1e6 / 600))
        }
    }

    var table: String {
        Columns.aligned(
            [["\(rows) messages at a width never seen, all heights", "ms"]]
                + figures.map { [$0.name, String(format: "%.2f", $0.milliseconds)] }) + "\n\n"
            + Columns.aligned(
                [["kind", "µs a message, in memory"]]
                    + kinds.map { [$0.name, String(format: "%.2f", $0.microseconds)] })
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("rows")
            json.integer(rows)
            for (name, key) in zip(figures, ["file_ms", "reading_ms", "memory_ms", "held_ms", "extending_ms"]) {
                json.key(key)
                json.decimal(name.milliseconds, places: 2)
            }
            json.key("kinds_us")
            json.object { json in
                for kind in kinds {
                    json.key(kind.name)
                    json.decimal(kind.microseconds, places: 2)
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The first fixture of every kind.
    static func kinds(in folder: String) throws -> [(name: String, message: [UInt8])] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .sorted()
        return try files.map { file in
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            return (String(file.dropLast(6)), Array(bytes.prefix { $0 != 0x0a }))
        }
    }
}
