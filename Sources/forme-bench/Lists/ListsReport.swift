import Console
import Foundation
import JSON

/// Lists of very many conversations: the time until they are in memory, and the time of a page, wherever in the list
/// it is.
struct ListsReport {
    struct Line {
        let reader: ListsRun.Reader
        let median: Double
        let late: Double
        let longest: Double
    }

    let conversations: Int
    let pages: Int
    let loading: Double
    let slowestSlice: Double
    let lines: [Line]

    init(conversations: Int, pages: Int) throws {
        let path =
            FileManager.default.currentDirectoryPath + "/.build/bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var run = try ListsRun(in: path, conversations: conversations)
        try run.load()
        var lines: [Line] = []
        for reader in ListsRun.Reader.allCases {
            let times = try run.pages(pages, for: reader).sorted()
            lines.append(
                Line(
                    reader: reader, median: times[times.count / 2], late: times[times.count * 99 / 100],
                    longest: times[times.count - 1]))
        }
        (self.conversations, self.pages, self.lines) = (conversations, pages, lines)
        (loading, slowestSlice) = (run.loading, run.slowestSlice)
    }

    var table: String {
        let rows = lines.map { line in
            [line.reader.rawValue] + [line.median, line.late, line.longest].map { String(format: "%.2f", $0) }
        }
        return """
            \(conversations) conversations, in memory after \(String(format: "%.2f", loading)) s (slowest slice \
            \(String(format: "%.1f", slowestSlice * 1000)) ms); \(pages) pages of 50 each, down the list, in milliseconds

            \(Columns.aligned([["token covers", "median", "p99", "longest"]] + rows, left: [0]))
            """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("conversations")
            json.integer(conversations)
            json.key("loading_microseconds")
            json.integer(Int(loading * 1e6))
            json.key("slowest_slice_microseconds")
            json.integer(Int(slowestSlice * 1e6))
            for line in lines {
                for (name, time) in [("median", line.median), ("p99", line.late), ("longest", line.longest)] {
                    json.key("\(line.reader.rawValue)_\(name)_microseconds")
                    json.integer(Int(time * 1000))
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
