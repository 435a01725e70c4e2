import Console
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Record
import Shaping
import Typography
import Wire

/// The size of records, section by section, and the time to decode a page of them.
struct RecordReport {
    /// Bytes of each record, in order of size.
    private(set) var sizes: [Int] = []
    /// The sections of all records together.
    private(set) var sections: [(name: String, bytes: Int)] = []
    /// Bytes of measured texts beyond two to a character, in order.
    private(set) var measuredExcess: [Int] = []
    private(set) var pageBytes: [Int] = []
    /// Microseconds to decode a page of 50 rows.
    private(set) var pageMicroseconds = 0.0

    private static let rowsPerPage = 50

    init(style: StyleSheet, fonts: FontList, texts: BenchTexts, rounds: Int) throws {
        var engine = try LayoutEngine(style: style, fonts: fonts)
        var shaper = try Shaper(fonts: fonts)
        var encoder = RecordEncoder()
        var cutter = RecordCutter()
        var pages: [[[UInt8]]] = [[]]
        let target = style.targets.firstIndex { $0.width == .points(375) } ?? 0
        for text in texts.all {
            var bytes: [UInt8] = []
            try encoder.encode(engine.layOut(JSONReader(JSONValue.parse(BenchTexts.message(text)))), into: &bytes)
            sizes.append(bytes.count)
            let own = try LayoutRecord.sections(of: bytes)
            if sections.isEmpty { sections = own.map { ($0.name, 0) } }
            for (place, section) in own.enumerated() { sections[place].bytes += section.bytes }
            measuredExcess.append(shaper.measure(text).encoded().count - 2 * text.count)
            var row: [UInt8] = []
            try cutter.cut(LayoutRecord(bytes), target: target, variant: 1, into: &row)
            pages[pages.count - 1].append(row)
            if pages[pages.count - 1].count == Self.rowsPerPage { pages.append([]) }
        }
        pages.removeLast()
        sizes.sort()
        measuredExcess.sort()
        pageBytes = pages.map { $0.map(\.count).reduce(0, +) }.sorted()
        pageMicroseconds = try Self.decodingTime(of: pages, rounds: rounds)
    }

    private static func decodingTime(of pages: [[[UInt8]]], rounds: Int) throws -> Double {
        guard !pages.isEmpty else { return 0 }
        var rows = LayoutRows()
        var times: [Double] = []
        for round in 0...max(20, rounds) {
            let start = ProcessorTime.now
            for page in pages {
                rows.removeAll()
                for row in page { try rows.append(row) }
            }
            // The memory grows in the first round.
            if round > 0 { times.append((ProcessorTime.now - start) * 1e6 / Double(pages.count)) }
        }
        return times.sorted()[times.count / 2]
    }

    private func percentile(_ values: [Int], _ percent: Int) -> Int {
        values.isEmpty ? 0 : values[min(values.count - 1, values.count * percent / 100)]
    }

    var table: String {
        let all = max(1, sizes.reduce(0, +))
        return Columns.aligned([
            ["bytes to a record of a plain text", "all", "median", "99th percentile", "largest"],
            [
                "layouts", "\(sizes.count)", "\(percentile(sizes, 50))", "\(percentile(sizes, 99))",
                "\(sizes.last ?? 0)",
            ],
            [
                "measured, beyond two to a character", "\(measuredExcess.count)", "\(percentile(measuredExcess, 50))",
                "\(percentile(measuredExcess, 99))", "\(measuredExcess.last ?? 0)",
            ],
        ]) + "\n\n"
            + Columns.aligned(
                [["section", "bytes to a record", "%"]]
                    + sections.map {
                        [
                            $0.name, String(format: "%.1f", Double($0.bytes) / Double(max(1, sizes.count))),
                            String(format: "%.1f", Double($0.bytes) / Double(all) * 100),
                        ]
                    }) + "\n\n"
            + Columns.aligned([
                ["a page of \(Self.rowsPerPage) rows, one target and variant", ""],
                ["bytes, median", "\(percentile(pageBytes, 50))"],
                ["µs to decode into frames", String(format: "%.1f", pageMicroseconds)],
            ])
    }

    var json: String {
        var json = JSONWriter()
        func member(_ name: String, _ value: Int) {
            json.key(name)
            json.integer(value)
        }
        json.object { json in
            for (name, value) in [
                ("records", sizes.count), ("record_bytes_median", percentile(sizes, 50)),
                ("record_bytes_p99", percentile(sizes, 99)),
                ("measured_bytes_beyond_two_a_character_median", percentile(measuredExcess, 50)),
                ("page_bytes_median", percentile(pageBytes, 50)),
            ] {
                json.key(name)
                json.integer(value)
            }
            json.key("page_decode_us")
            json.decimal(pageMicroseconds, places: 2)
            json.key("sections")
            json.object { json in
                for section in sections {
                    json.key(section.name)
                    json.decimal(Double(section.bytes) / Double(max(1, sizes.count)), places: 1)
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
