import JSON
import Testing

@testable import Console

private func status(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

/// The status of a busy service: more of everything than a screen holds.
private let busy = """
    {"verdict": "x", "troubles": [\((0..<9).map { "\"trouble \($0)\"" }.joined(separator: ","))],
     "workers": [\((0..<64).map { #"{"process": \#(1000 + $0), "machine": "host/1", "edition": "0123456789abcdef", "engine": "abc", "shards": 1, "lent_jobs": 2, "credits": 3, "silent_ms": 4, "leaving": false, "elsewhere": {"rows_asked": 5, "rows_checked": 1}}"# }.joined(separator: ","))],
     "turned_away": [\((0..<8).map { #"{"process": \#($0), "machine": "host/1", "reason": "another build"}"# }.joined(separator: ","))],
     "lanes": [{"lane": "live", "open": 1, "waiting": 2, "oldest_ms": 3, "paused": true}, {"lane": "backfill", "open": 0, "waiting": 0, "oldest_ms": null, "paused": false}, {"lane": "relayout", "open": 0, "waiting": 0, "oldest_ms": null, "paused": false}],
     "editions": [\((0..<5).map { #"{"edition": "e\#($0)", "name": "bubble", "state": "\#($0 == 0 ? "served" : "old")", "undone": 1, "shards_to_walk": 0, "shards": [{"shard": 0, "waiting": 7, "holder": null, "through": 9, "blocked": true}]}"# }.joined(separator: ","))],
     "content": {"forgotten": 10, "most_in_one_file": 5, "unavailable": 2},
     "targets": {"prepared": ["390@3", "320@2"], "added": [{"target": "397@3", "asked": 20, "by_hand": true}], "asked_for": [{"target": "333@1", "asked": 2}]},
     "since_start": {"accepted": 1500, "stored": 1400},
     "figures": {"processes": [{"kind": "coordinator", "process": 1, "memory_bytes": 52428800}], "disk_left_bytes": 107374182400}}
    """

@Suite struct StatusPageTests {
    @Test func `whatever there is to say fits the smallest screen, and what was left out is counted`() throws {
        let page = StatusPage(try status(busy))
        for (rows, columns) in [(24, nil), (24, 80), (24, 132), (50, 100)] as [(Int, Int?)] {
            let lines = page.lines(rows: rows, columns: columns, .none)
            #expect(lines.count <= rows, "\(lines.joined(separator: "\n"))")
            #expect(lines[0] == "trouble 0")
            #expect(lines.contains { $0.hasPrefix("and ") && $0.hasSuffix("more: forme status --all") })
            #expect(lines.contains { $0.hasPrefix("live (paused)") } && lines.contains { $0.hasPrefix("relayout") })
            let words = lines.joined(separator: " ").replacing("  ", with: " ")
            #expect(words.contains("8 messages are kept as layouts alone"))
            #expect(words.contains("laid out for 2 screens · added 397@3 · asked for 333@1"))
            #expect(words.contains("files 1 · with workers 0 · waiting 7"))
            #expect(words.contains("memory coordinator 50 MB · disk 100 GB left"))
            guard let columns else { continue }
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.max { $0.count < $1.count } ?? "")")
        }
    }

    @Test func `all of it has every worker and every file`() throws {
        let lines = StatusPage(try status(busy)).lines(rows: nil, columns: nil, .none)
        #expect((1000..<1064).allSatisfy { id in lines.contains { $0.hasPrefix("\(id) ") } })
        #expect(lines.contains { $0.hasPrefix("0 (blocked)") })
        #expect(lines.contains("laid out for 390@3 320@2"))
        #expect(!lines.contains { $0.contains("--all") })
    }

    @Test func `a service that does well says so first, in green where there are colours`() throws {
        let page = StatusPage(try status(#"{"verdict": "all is well", "troubles": [], "since_start": {}}"#))
        #expect(page.lines(rows: 24, columns: nil, .none)[0] == "all is well")
        #expect(page.lines(rows: 24, columns: 80, Ink(isColoured: true))[0] == "\u{1B}[32mall is well\u{1B}[0m")
    }

    @Test func `the name that a worker gives its host steers no terminal`() throws {
        let page = StatusPage(
            try status(
                #"{"workers": [{"process": 1, "machine": "a\u001b[2J/1", "elsewhere": {}}], "#
                    + #""turned_away": [{"process": 2, "machine": "b\u001b[2J/1", "reason": "c\u001b[2J"}], "#
                    + #""editions": [{"edition": "e", "name": "d\u001b[2J", "state": "served"}]}"#))
        let said = page.lines(rows: nil, columns: nil, .none).joined(separator: "\n")
        #expect(["a", "b", "c", "d"].allSatisfy { said.contains($0 + "·[2J") } && !said.contains("\u{1B}"), "\(said)")
    }

    @Test func `while it is watched, counts have rates, and times are those of the last moment`() throws {
        func measured(_ accepted: Int, _ place: Int, _ more: Int) throws -> JSONValue {
            var counters = Array(repeating: 0, count: 74)
            counters[0] = 1000
            counters[place] += more
            counters.removeLast(max(0, counters.count - 74))
            return try status(
                #"{"since_start": {"accepted": \#(accepted)}, "figures": {"ready": {"counters": \#(counters), "sum_us": 1}}}"#
            )
        }
        let page = StatusPage(try measured(700, 20, 5), before: (try measured(100, 20, 0), 2))
        let lines = page.lines(rows: 24, columns: nil, .none)
        #expect(lines.contains("accepted 700 (300/s)"))
        #expect(lines.contains { $0.hasPrefix("events readable in ") && !$0.contains("0.3 ms") }, "\(lines)")
        let first = StatusPage(try measured(700, 20, 5)).lines(rows: 24, columns: nil, .none)
        #expect(first.contains { $0.hasPrefix("events readable in 0.3 ms") }, "\(first)")
    }

    @Test(arguments: [
        (#""done": 0.6249, "left_s": 178"#, "62 % · 3 min left"), (#""done": 0, "left_s": null"#, "0 %"),
        (#""done": 0.9999, "left_s": 89"#, "99 % · 89 s left"), (#""done": 0.5, "left_s": 90000"#, "50 % · 25 h left"),
        (#""done": 0.01, "left_s": 999999"#, "1 % · 12 days left"), (#""done": 1.0000, "left_s": null"#, "100 %"),
    ])
    func `long work says how far it is, and how long it takes, where that is known`(work: String, words: String) throws
    {
        let page = StatusPage(
            try status(
                #"{"editions": [{"edition": "0123456789abcdef", "name": "bubble", "state": "next", \#(work), "undone": 123, "#
                    + #""shards_to_walk": 16}, {"edition": "e", "name": "flat", "state": "served", "undone": 0}], "#
                    + #""targets": {"prepared": ["390@3"], "added": [{"target": "397@3"}], "extension": {\#(work)}}}"#
            ))
        let lines = page.lines(rows: 24, columns: 80, .none)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
        let edition = try #require(lines.first { $0.hasPrefix("bubble") })
        #expect(edition.contains("  \(words)  ") && edition.hasSuffix("  16"), "\(edition)")
        #expect(lines.contains("laid out for 1 screens · added 397@3, \(words)"), "\(lines)")
        // A coordinator of an earlier release says nothing of it.
        #expect(lines.contains { $0.hasPrefix("flat e") && !$0.contains("%") })
    }

    @Test func `what is watched stands in its place: nothing is cleared but once`() {
        var screen = InPlace()
        let first = screen.showing(["one", "two"])
        #expect(first == "\u{1B}[2J\u{1B}[Hone\u{1B}[K\ntwo\u{1B}[K\n\u{1B}[J")
        #expect(screen.showing(["three"]) == "\u{1B}[Hthree\u{1B}[K\n\u{1B}[J")
    }
}
