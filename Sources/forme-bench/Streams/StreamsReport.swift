import Bytes
import Console
import Flood
import Foundation
import JSON
import MessageLayout
import Names
import Storage
import Wire

/// The delays with which many listeners over HTTP hear of new messages: `forme-bench streams`.
struct StreamsReport {
    struct Plan {
        var conversations = 500
        var streams = 5_000
        var seconds = 10
        var target = "390@3"
        /// Options of `forme serve`.
        var looks: [String] = []

        /// Each conversation has a message in a second.
        var rate: Int { conversations }
        /// The listeners that all follow one conversation, with so many messages a second.
        var crowd: Int { max(1, streams * 2 / 5) }
        static let crowdRate = 10
        /// The listeners that read nothing for a while, beside others that read: messages then come so fast that the
        /// slow ones are dropped.
        static let slow = 20
        static let besideSlow = 50
        static let slowRate = 300
        static let rows = 60
    }

    struct Run {
        var streams = 0
        var posted = 0
        /// Messages that the service had no room for.
        var refused = 0
        var deliveries = 0
        var expected = 0
        var latencies = Histogram()
        /// Latencies of the answers that the disk of the service has a message; they are part of the other latencies,
        /// too.
        var acknowledged = Histogram()
        /// The load of the gateway, in processors.
        var processors = 0.0
    }

    private let plan: Plan
    private(set) var many = Run()
    private(set) var crowded = Run()
    private(set) var beside = Run()
    /// Seconds to open all streams of the first run, one batch after the other.
    private(set) var openingSeconds = 0.0
    /// Resident memory of the gateway for each of these streams.
    private(set) var bytesPerStream = 0
    private(set) var dropped = 0
    /// Slow listeners that have everything afterwards.
    private(set) var complete = 0

    init(_ plan: Plan) throws {
        self.plan = plan
        let port = try FreePort.find()
        let service = try BenchService { folder in
            // All of the crowd comes from one address.
            let config = folder.path + "/config.json5"
            try "{ http: { listen: \"127.0.0.1:\(port)\", connectionsPerAddress: 10000 } }"
                .write(toFile: config, atomically: false, encoding: .utf8)
            return ["--config", config] + plan.looks
        }
        let conversations = try (0..<plan.conversations + 2).map { number throws(ByteError) in
            try ConversationID("streams-\(number)")
        }
        try service.fill(conversations, rows: Plan.rows)
        let start = ContinuousClock.now
        let stage = Stage(service: service, port: UInt16(port), start: start) { number in
            "/v1/conversations/streams-\(number)/changes?target=\(plan.target)"
        }
        var run = try StreamsRun(service.endpoints.events, conversations, rows: Plan.rows, since: start)
        try follow(stage, &run)
        try follow(one: plan.conversations, stage, &run)
        try beSlow(plan.conversations + 1, stage, &run)
    }

    private struct Stage {
        let service: BenchService
        let port: UInt16
        let start: ContinuousClock.Instant
        let path: (Int) -> String

        func crowd() -> StreamCrowd { StreamCrowd(at: port, since: start, path: path) }
    }

    private mutating func follow(_ stage: Stage, _ run: inout StreamsRun) throws {
        var table = ProcessTable(folder: stage.service.folder.path)
        var crowd = stage.crowd()
        // One stream to each conversation first, so that conversations are in memory before the size of a stream is
        // measured.
        try open(Array(0..<plan.conversations), in: &crowd)
        let before = Self.gateway(&table).memory
        let begin = ContinuousClock.now
        let rest = (plan.conversations..<max(plan.conversations + 1, plan.streams)).map { $0 % plan.conversations }
        try open(rest, in: &crowd)
        openingSeconds = (ContinuousClock.now - begin) / .seconds(1)
        bytesPerStream = Int(Self.gateway(&table).memory - min(before, Self.gateway(&table).memory)) / rest.count
        many = try measure(0..<plan.conversations, rate: plan.rate, &crowd, &run, &table)
    }

    private mutating func follow(one number: Int, _ stage: Stage, _ run: inout StreamsRun) throws {
        var table = ProcessTable(folder: stage.service.folder.path)
        var crowd = stage.crowd()
        try open(Array(repeating: number, count: plan.crowd), in: &crowd)
        crowded = try measure(number..<number + 1, rate: Plan.crowdRate, &crowd, &run, &table)
    }

    private mutating func beSlow(_ number: Int, _ stage: Stage, _ run: inout StreamsRun) throws {
        var table = ProcessTable(folder: stage.service.folder.path)
        var crowd = stage.crowd()
        var slow = stage.crowd()
        try open(Array(repeating: number, count: Plan.besideSlow), in: &crowd)
        try open(Array(repeating: number, count: Plan.slow), in: &slow, room: 4096)
        beside = try measure(number..<number + 1, rate: Plan.slowRate, &crowd, &run, &table)
        // The slow ones wake up, read the rest and then the end of their streams, and go on from there.
        Self.listen(&slow) { $0.overCount == $0.count }
        dropped = slow.overCount
        guard slow.resume() else { throw Failure(.failed, "a stream that broke off could not be taken up again") }
        let last = run.lastDue[number]
        Self.listen(&slow) { $0.countWhoHeard(of: last) == $0.count }
        complete = slow.countWhoHeard(of: last)
    }

    private func open(_ conversations: [Int], in crowd: inout StreamCrowd, room: Int32 = 0) throws {
        guard crowd.open(conversations, room: room, within: .seconds(60)) else {
            throw Failure(.failed, "a stream could not be opened; the messages of the service are above")
        }
    }

    private func measure(
        _ range: Range<Int>, rate: Int, _ crowd: inout StreamCrowd, _ run: inout StreamsRun, _ table: inout ProcessTable
    ) throws -> Run {
        let before = crowd.heard
        crowd.forgetLatencies()
        run.acknowledged = Histogram()
        let begin = ContinuousClock.now
        _ = Self.gateway(&table)
        var result = Run(streams: crowd.count)
        (result.posted, result.refused) = try run.post(
            to: range, perSecond: rate, for: .seconds(plan.seconds), &crowd)
        result.processors = Self.gateway(&table, after: .now - begin).processors
        result.acknowledged = run.acknowledged
        result.expected = result.posted * crowd.count / range.count
        Self.listen(&crowd) { $0.heard - before >= result.expected }
        (result.deliveries, result.latencies) = (crowd.heard - before, crowd.latencies)
        return result
    }

    /// Listens until a condition holds, or for ten seconds.
    private static func listen(_ crowd: inout StreamCrowd, until isSo: (borrowing StreamCrowd) -> Bool) {
        let deadline = ContinuousClock.now + .seconds(10)
        while .now < deadline, !isSo(crowd) { crowd.listen(atMost: .milliseconds(10)) }
    }

    private static func gateway(
        _ table: inout ProcessTable, after time: Duration = .zero
    ) -> (processors: Double, memory: UInt64) {
        let usage = table.sample(at: RunTime(seconds: time / .seconds(1))).usages.first { $0.process.role == "gateway" }
        return (usage?.processors ?? 0, usage?.memory ?? 0)
    }
}

extension StreamsReport {
    var table: String {
        """
        \(Columns.aligned([
            ["", "streams", "messages", "refused", "deliveries", "missed", "p50 ms", "p99 ms", "most ms", "on disk p99",
                "gateway, processors"],
            line("\(plan.conversations) conversations", many), line("one conversation", crowded),
            line("one, beside slow readers", beside),
        ]))

        \(String(format: "%.1f", openingSeconds)) s to open \(many.streams) streams, \(bytesPerStream) bytes of the gateway's \
        memory for each
        \(dropped) of \(Plan.slow) readers who took nothing were dropped; \(complete) of them have everything afterwards
        """
    }

    private func line(_ name: String, _ run: Run) -> [String] {
        [
            name, "\(run.streams)", "\(run.posted)", "\(run.refused)", "\(run.deliveries)",
            "\(run.expected - run.deliveries)",
        ] + [50, 99, 100].map { String(format: "%.1f", Double(run.latencies.percentile($0)) / 1e6) }
            + [
                String(format: "%.1f", Double(run.acknowledged.percentile(99)) / 1e6),
                String(format: "%.2f", run.processors),
            ]
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            for (name, run) in [("many", many), ("one", crowded), ("beside_slow", beside)] {
                json.key(name)
                json.object { json in
                    for (key, value) in [
                        ("streams", run.streams), ("posted", run.posted), ("refused", run.refused),
                        ("deliveries", run.deliveries),
                        ("missed", run.expected - run.deliveries),
                        ("p50_us", Int(run.latencies.percentile(50) / 1000)),
                        ("p99_us", Int(run.latencies.percentile(99) / 1000)),
                        ("most_us", Int(run.latencies.greatest / 1000)),
                        ("acknowledged_p99_us", Int(run.acknowledged.percentile(99) / 1000)),
                        ("gateway_processor_percent", Int(run.processors * 100)),
                    ] {
                        json.key(key)
                        json.integer(value)
                    }
                }
            }
            for (key, value) in [
                ("opening_ms", Int(openingSeconds * 1000)), ("bytes_per_stream", bytesPerStream), ("slow", Plan.slow),
                ("dropped", dropped), ("complete", complete),
            ] {
                json.key(key)
                json.integer(value)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
