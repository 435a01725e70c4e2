import Bytes
import Console
import FormeClientZMQ
import Foundation
import JSON
import MessageLayout
import Names
import Storage
import Wire

/// Windows somewhere in conversations of which a gateway has nothing in memory: `forme-bench pages --cold N`.
///
/// Each round has a gateway of its own, which is asked for one window in the middle of each conversation. Rows are
/// sealed, and the pages of their files are in the memory of the system. A first conversation, which is not counted,
/// brings what all need, such as the style.
struct ColdPagesReport {
    struct Plan {
        var conversations = 200
        /// Of each conversation; blocks have 256.
        var rows = 1024
        var rounds = 5
        /// Options of `forme serve` and `forme gateway`.
        var looks: [String] = []
    }

    private let plan: Plan
    /// Microseconds until a window is there: medians of the rounds.
    private let p50: Double
    private let p99: Double
    private let bytes: Int

    init(_ plan: Plan, style: StyleSheet) throws {
        self.plan = plan
        let service = try BenchService { _ in plan.looks }
        let conversations = try (0...plan.conversations).map { number throws(ByteError) in
            try ConversationID("cold-\(number)")
        }
        try service.fill(conversations, rows: plan.rows)
        try Self.waitForBlocks(service)
        let questions = PageQuestions(
            conversations: conversations, rows: plan.rows, targets: Array(style.targets.prefix(1)))
        let rounds = try (0..<plan.rounds).map { _ in
            try Self.ask(questions, FreshGateway(over: service.folder, plan.looks))
        }
        p50 = Self.middle(rounds.map { Self.middle($0.map(\.microseconds)) })
        p99 = Self.middle(
            rounds.map { times in times.map(\.microseconds).sorted()[(times.count * 99 - 1) / 100] })
        let sizes = rounds.flatMap { $0.map(\.bytes) }
        bytes = sizes.reduce(0, +) / max(1, sizes.count)
    }

    private typealias Window = (microseconds: Double, bytes: Int)

    /// Asks for one window of each conversation, and waits for each.
    private static func ask(_ questions: PageQuestions, _ gateway: FreshGateway) throws -> [Window] {
        var link = try WindowLink(gateway.endpoint)
        let openings = try questions.middles
        var windows: [Window] = []
        let deadline = ContinuousClock.now + .seconds(20)
        for (number, opening) in openings.enumerated() {
            var start = ContinuousClock.now
            var answer = try link.ask(.open(opening), within: .seconds(10))
            // A gateway that started a moment ago tells its clients to ask again.
            while number == 0, case .refused(_, .busy) = answer, .now < deadline {
                _ = try link.next(within: .milliseconds(50))
                start = .now
                answer = try link.ask(.open(opening), within: .seconds(10))
            }
            let time = start.duration(to: .now)
            guard case .window = answer else { throw Failure(.failed, "a window could not be opened: \(answer)") }
            guard number > 0 else { continue }
            windows.append((time / .microseconds(1), Framed(answer).encoded().count))
        }
        return windows
    }

    /// Waits until workers have sealed what they can: nothing was written into the files of rows for three seconds.
    private static func waitForBlocks(_ service: BenchService) throws {
        let folder = URL(filePath: service.folder.path + "/shards")
        let deadline = ContinuousClock.now + .seconds(300)
        while .now < deadline {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            let changes = (files?.allObjects as? [URL] ?? []).map { file in
                // A file that is removed meanwhile counts as one that is written.
                (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date ?? .now
            }
            if let last = changes.max(), -last.timeIntervalSinceNow > 3 { return }
            try service.rest(.milliseconds(200))
        }
        throw Failure(.failed, "rows were not sealed within five minutes; the messages of the service are above")
    }

    private static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension ColdPagesReport {
    var table: String {
        """
        one window of \(PageQuestions.rowsPerPage) rows in each of \(plan.conversations) conversations of \(plan.rows) sealed rows, of which nothing is in the
        memory of a gateway; medians of \(plan.rounds) rounds, each with a gateway of its own

        \(Columns.aligned([["p50 µs", "p99 µs", "bytes"], ["\(Int(p50))", "\(Int(p99))", "\(bytes)"]]))
        """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            for (key, value) in [
                ("conversations", plan.conversations), ("rows", plan.rows), ("p50_us", Int(p50)), ("p99_us", Int(p99)),
                ("bytes", bytes),
            ] {
                json.key(key)
                json.integer(value)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
