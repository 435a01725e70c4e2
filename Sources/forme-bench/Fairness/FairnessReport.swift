import Bytes
import Console
import Flood
import Foundation
import JSON
import MessageLayout
import Names
import Storage
import Typography
import Wire

/// The share of fifty readers and fifty producers with small demands, beside one greedy reader and one greedy
/// producer that ask for three times the machine's capacity: `forme-bench fairness`.
struct FairnessReport {
    struct Plan {
        var conversations = 20
        var rows = 300
        var seconds = 10
        var readers = 50
        var windowsPerSecond = 10.0
        var producers = 50
        var eventsPerSecond = 5.0
        /// The greedy demand, as a multiple of the answers to one reader, and to one producer, alone.
        var overload = 3.0
        /// Options of `forme serve`.
        var looks: [String] = []
    }

    struct Line {
        var name = ""
        var windows = FairnessRun.Told()
        var accepted = FairnessRun.Told()
        var ready = Histogram()
        var greedyWindows = 0.0
        var greedyEvents = 0.0
    }

    private let plan: Plan
    /// Windows and events a second, as answered to one reader, and to one producer, alone.
    private(set) var capacity = (windows: 0.0, events: 0.0)
    private(set) var calm = Line(name: "calm")
    private(set) var crowded = Line(name: "beside one of each who offer three times as much")

    init(_ plan: Plan) throws {
        self.plan = plan
        let service = try BenchService { _ in plan.looks }
        let conversations = try (0..<plan.conversations).map { number throws(ByteError) in
            try ConversationID("fair-\(number)")
        }
        try service.fill(conversations, rows: plan.rows)
        let target = Target(width: .points(390), scale: Scale(thousandths: 3000))
        func stage(_ name: String) throws -> FairnessRun {
            try FairnessRun(name, service.endpoints, conversations, rows: plan.rows, on: target)
        }
        let alone = try stage("alone-reading")
        try alone.addReaders(1, at: service.endpoints.fetch, perSecond: 100_000, isGreedy: true)
        try alone.run(warmUp: 0, seconds: 3)
        let alone2 = try stage("alone-posting")
        try alone2.addProducers(1, at: service.endpoints.events, perSecond: 1000, isGreedy: true)
        try alone2.run(warmUp: 0, seconds: 3)
        capacity = (Double(alone.greedyWindows) / 3, Double(alone2.greedyEvents) / 3)
        try service.settle()
        calm = try line(service, stage("calm"), "calm", isCrowded: false)
        try service.settle()
        crowded = try line(service, stage("crowded"), crowded.name, isCrowded: true)
    }

    private func line(
        _ service: BenchService, _ run: FairnessRun, _ name: String, isCrowded: Bool
    ) throws -> Line {
        try run.addReaders(plan.readers, at: service.endpoints.fetch, perSecond: plan.windowsPerSecond)
        try run.addProducers(plan.producers, at: service.endpoints.events, perSecond: plan.eventsPerSecond)
        if isCrowded {
            let (windows, events) = (plan.overload * capacity.windows, plan.overload * capacity.events / 64)
            try run.addReaders(1, at: service.endpoints.fetch, perSecond: max(1, windows), isGreedy: true)
            try run.addProducers(1, at: service.endpoints.events, perSecond: max(1, events), isGreedy: true)
        }
        try run.run(seconds: plan.seconds)
        return Line(
            name: name, windows: run.windows, accepted: run.accepted, ready: run.ready,
            greedyWindows: Double(run.greedyWindows) / Double(plan.seconds),
            greedyEvents: Double(run.greedyEvents) / Double(plan.seconds))
    }
}

extension FairnessReport {
    var table: String {
        """
        \(Columns.aligned([
            ["", "windows p50 ms", "p99", "least answered %", "accepted p50 ms", "p99", "least accepted %", "ready p50 ms",
                "p99", "the one: windows/s", "events/s"],
            row(calm), row(crowded),
        ]))

        one alone: \(Int(capacity.windows)) windows/s, \(Int(capacity.events)) events/s; \(plan.readers) readers ask for \
        \(Int(plan.windowsPerSecond)) windows a second each, \(plan.producers) producers post \(Int(plan.eventsPerSecond))
        """
    }

    private func row(_ line: Line) -> [String] {
        func times(_ times: Histogram) -> [String] {
            [50, 99].map { String(format: "%.1f", Double(times.percentile($0)) / 1e6) }
        }
        return [line.name] + times(line.windows.latencies) + [String(format: "%.1f", line.windows.least)]
            + times(line.accepted.latencies) + [String(format: "%.1f", line.accepted.least)] + times(line.ready)
            + ["\(Int(line.greedyWindows))", "\(Int(line.greedyEvents))"]
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("alone_windows_per_second")
            json.integer(Int(capacity.windows))
            json.key("alone_events_per_second")
            json.integer(Int(capacity.events))
            for (name, line) in [("calm", calm), ("crowded", crowded)] {
                json.key(name)
                json.object { json in
                    for (key, value) in [
                        ("windows_p50_us", Int(line.windows.latencies.percentile(50) / 1000)),
                        ("windows_p99_us", Int(line.windows.latencies.percentile(99) / 1000)),
                        ("windows_least_answered_permille", Int(line.windows.least * 10)),
                        ("accepted_p50_us", Int(line.accepted.latencies.percentile(50) / 1000)),
                        ("accepted_p99_us", Int(line.accepted.latencies.percentile(99) / 1000)),
                        ("accepted_least_permille", Int(line.accepted.least * 10)),
                        ("ready_p50_us", Int(line.ready.percentile(50) / 1000)),
                        ("ready_p99_us", Int(line.ready.percentile(99) / 1000)),
                        ("greedy_windows_per_second", Int(line.greedyWindows)),
                        ("greedy_events_per_second", Int(line.greedyEvents)),
                    ] {
                        json.key(key)
                        json.integer(value)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
