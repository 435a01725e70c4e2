import Console
import Foundation
import JSON
import MessageLayout
import Record
import Shaping
import Typography
import Wire

/// The report that `forme-bench conversation` prints.
struct ConversationReport {
    private(set) var rows = 0
    private(set) var milliseconds: [Double] = []
    private(set) var operations: [(name: String, median: Double, most: Double)] = []
    private(set) var parts: [(name: String, bytes: Double)] = []
    private(set) var bytesPerRow = 0.0
    private(set) var randomIDs = 0.0
    private(set) var sealing = 0.0

    init(style: StyleSheet, fonts: FontList, texts: BenchTexts, rows: Int, rounds: Int) throws {
        self.rows = rows
        let bench = try ConversationBench(style: style, fonts: fonts, texts: texts, rows: rows) { "m\(1_000_000 + $0)" }
        let column = style.targets.firstIndex { $0.width == .points(375) } ?? 0
        for _ in 0..<rounds {
            let start = ProcessorTime.now
            let tree = try bench.open(column: column)
            milliseconds.append((ProcessorTime.now - start) * 1e3)
            operations = try bench.operations(tree)
        }
        bytesPerRow = bench.bytesPerRow
        sealing = bench.sealingSeconds * 1e9 / Double(rows)
        for block in bench.blocks {
            let sizes = block.partSizes
            if parts.isEmpty { parts = sizes.map { ($0.key, 0) } }
            for (i, size) in sizes.enumerated() { parts[i].bytes += Double(size.value) / Double(rows) }
        }
        let named = try ConversationBench(style: style, fonts: fonts, texts: texts, rows: 2_560) { _ in
            UUID().uuidString.lowercased()
        }
        randomIDs = Double(named.blocks.reduce(0) { $0 + $1.bytes.count }) / 2_560
    }

    private var blockBytes: Double { parts.reduce(0) { $0 + $1.bytes } }
    private var openingMedian: Double { milliseconds.sorted()[milliseconds.count / 2] }

    var table: String {
        Columns.aligned([
            ["\(rows) rows", ""],
            ["ms to open from sealed blocks", String(format: "%.1f", openingMedian)],
            ["ns to seal a row", String(format: "%.0f", sealing)],
            ["bytes of a row in the cache", String(format: "%.0f", bytesPerRow)],
            ["bytes of a row in a block", String(format: "%.2f", blockBytes)],
            ["  of what is written, %", String(format: "%.2f", blockBytes / (bytesPerRow + blockBytes) * 100)],
            ["bytes of a row in a block, ids random", String(format: "%.2f", randomIDs)],
        ]) + "\n\n"
            + Columns.aligned(
                [["part of a block", "bytes to a row"]]
                    + parts.map { [$0.name, String(format: "%.2f", $0.bytes)] }) + "\n\n"
            + Columns.aligned(
                [["µs", "median", "99th percentile"]]
                    + operations.map {
                        [$0.name, String(format: "%.1f", $0.median), String(format: "%.1f", $0.most)]
                    })
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            for (key, value) in [
                ("open_ms", openingMedian), ("row_bytes", bytesPerRow), ("block_bytes", blockBytes),
                ("block_bytes_random_ids", randomIDs),
            ] {
                json.key(key)
                json.decimal(value, places: 2)
            }
            json.key("operations_us")
            json.object { json in
                for operation in operations {
                    json.key(operation.name)
                    json.array {
                        $0.decimal(operation.median, places: 1)
                        $0.decimal(operation.most, places: 1)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
