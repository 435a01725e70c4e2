import Console
import Foundation
import JSON
import Storage

/// The journal and the shards beside the floor: the speed of a program that only writes the rows on this machine.
struct StorageReport {
    struct Line {
        let conversations: Int
        let durability: JournalSettings.Durability
        let floor: Pair
        let forme: Pair
    }

    struct Pair {
        var journal: StorageRun.Speed
        var shards: StorageRun.Speed
    }

    let lines: [Line]
    let messages: Int

    init(messages: Int, rounds: Int) throws {
        var lines: [Line] = []
        for durability in JournalSettings.Durability.allCases {
            for conversations in [10, 1_000, 100_000] {
                let pairs = try (0..<rounds).map { _ in
                    (
                        try Self.floor(messages, conversations, durability),
                        try Self.forme(messages, conversations, durability)
                    )
                }
                lines.append(
                    Line(
                        conversations: conversations, durability: durability, floor: Pair(median: pairs.map(\.0)),
                        forme: Pair(median: pairs.map(\.1))))
            }
        }
        (self.lines, self.messages) = (lines, messages)
    }

    /// A folder on the disk of the sources: a folder in memory would tell nothing.
    private static func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path =
            FileManager.default.currentDirectoryPath + "/.build/bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    private static func floor(
        _ messages: Int, _ conversations: Int, _ durability: JournalSettings.Durability
    ) throws -> Pair {
        try inFolder { folder in
            let words = [
                "rows", folder, "\(messages)", "\(conversations)", durability == .full ? "FULL" : "NORMAL",
                "\(StorageRun.event)", "\(StorageRun.layout)", "\(StorageRun.measured)",
            ]
            let output = try BuiltProgram.run(BuiltProgram.folder + "/forme-baseline-floor", words).output
            let document = JSONDocument(name: "floor", bytes: Array(output), dialect: .json)
            return try document.read { (root) throws(JSONError) in
                let fields = try root.object()
                func number(_ key: String) throws(JSONError) -> Double { try fields.required(key).number().double ?? 0 }
                let count = try number("messages")
                return Pair(
                    journal: StorageRun.Speed(
                        rate: try number("journal"), cost: try number("journal_processor") * 1e6 / count),
                    shards: StorageRun.Speed(
                        rate: try number("results"), cost: try number("results_processor") * 1e6 / count))
            }
        }
    }

    /// Runs both halves at once, each in a process of its own, as the floor does it.
    private static func forme(
        _ messages: Int, _ conversations: Int, _ durability: JournalSettings.Durability
    ) throws -> Pair {
        try inFolder { folder in
            let words = [
                "--messages", "\(messages)", "--conversations", "\(conversations)", "--durability", durability.rawValue,
                "--data", folder,
            ]
            let shards = try StoragePart("shards", words)
            let journal = try StoragePart("journal", words)
            return Pair(journal: try journal.speed(), shards: try shards.speed())
        }
    }
}

/// One half of a run, in a process of its own: `forme-bench storage --part journal`.
private struct StoragePart {
    private let process = Process()
    private let output = Pipe()

    init(_ name: String, _ words: [String]) throws {
        process.executableURL = URL(filePath: BuiltProgram.own)
        process.arguments = ["storage", "--part", name] + words
        process.standardOutput = output
        try process.run()
    }

    func speed() throws -> StorageRun.Speed {
        let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else {
            throw Failure(.failed, "a part of the benchmark ended with \(process.terminationStatus)")
        }
        return StorageRun.Speed(rate: numbers[0], cost: numbers[1])
    }
}

extension StorageReport.Pair {
    init(median pairs: [StorageReport.Pair]) {
        func median(_ speed: (StorageReport.Pair) -> StorageRun.Speed) -> StorageRun.Speed {
            StorageRun.Speed(
                rate: pairs.map { speed($0).rate }.sorted()[pairs.count / 2],
                cost: pairs.map { speed($0).cost }.sorted()[pairs.count / 2])
        }
        self.init(journal: median(\.journal), shards: median(\.shards))
    }
}

extension StorageReport {
    var table: String {
        let heading = [
            "conversations", "durability", "", "floor/s", "forme/s", "ratio", "floor µs", "forme µs", "ratio",
        ]
        let rows = lines.flatMap { line in
            [("journal", \Pair.journal), ("shards", \Pair.shards)].map { name, part in
                let (floor, forme) = (line.floor[keyPath: part], line.forme[keyPath: part])
                return [
                    "\(line.conversations)", line.durability.rawValue, name, whole(floor.rate), whole(forme.rate),
                    fraction(forme.rate / floor.rate), fraction(floor.cost), fraction(forme.cost),
                    fraction(floor.cost / forme.cost),
                ]
            }
        }
        return """
            \(messages) messages; by the clock on the wall, and by processor time to a message

            \(Columns.aligned([heading] + rows, left: [1, 2]))
            """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("messages")
            json.integer(messages)
            json.key("runs")
            json.array { json in
                for line in lines {
                    json.object { json in
                        json.key("conversations")
                        json.integer(line.conversations)
                        json.key("durability")
                        json.string(line.durability.rawValue)
                        for (name, pair) in [("floor", line.floor), ("forme", line.forme)] {
                            for (part, speed) in [("journal", pair.journal), ("shards", pair.shards)] {
                                json.key("\(name)_\(part)_per_second")
                                json.integer(Int(speed.rate))
                                json.key("\(name)_\(part)_nanoseconds")
                                json.integer(Int(speed.cost * 1000))
                            }
                        }
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func whole(_ number: Double) -> String { "\(Int(number))" }
    private func fraction(_ number: Double) -> String { String(format: "%.2f", number) }
}
