import Console
import Flood
import Foundation
import MessageLayout

/// The options of `forme flood`.
struct FloodOptions {
    static let names = [
        "rate", "duration", "count", "warm-up", "arrivals", "conversations", "producers", "in-flight", "batch",
        "readers",
        "reads", "edits", "deletes", "statuses", "reactions", "moves", "duplicates", "kinds", "busy", "settle", "seed",
        "run", "target", "p99", "pids", "report", "i-own-this-host",
    ]

    let plan: FloodPlan
    let stretch: FloodStretch
    /// The bound of a search for capacity, in nanoseconds; nil where none is asked for.
    let searchBound: UInt64?
    let processes: ProcessTable?
    let isJSON: Bool
    let progress: FloodProgress
    let reportPath: String?

    init(_ arguments: Arguments) throws {
        let run = arguments.text("run") ?? "flood-" + String(Int(Date().timeIntervalSince1970), radix: 36)
        guard !run.isEmpty, run.utf8.count <= 64, run.utf8.allSatisfy(Self.isPlain) else {
            throw arguments.refusal("--run takes letters, digits and dashes, at most 64, not '\(run)'")
        }
        var plan = FloodPlan(run: run, target: try FetchTarget.target(arguments))
        plan.seed = UInt64(try arguments.integer("seed", in: 0 ... .max, default: 1))
        plan.conversations = try arguments.integer("conversations", in: 1...10_000_000, default: plan.conversations)
        plan.producers = try arguments.integer("producers", in: 1...64, default: plan.producers)
        plan.requestsInFlight = try arguments.integer("in-flight", in: 1...1024, default: plan.requestsInFlight)
        plan.batch = try arguments.integer("batch", in: 1...1024, default: plan.batch)
        plan.readers = try arguments.integer("readers", in: 0...64, default: plan.readers)
        plan.readRate = Double(try arguments.integer("reads", in: 0...1_000_000, default: Int(plan.readRate)))
        plan.settleTime = try .seconds(arguments.integer("settle", in: 0...3600, default: 30))
        plan.shape = try Self.named("arrivals", Arrivals.Shape.self, arguments) ?? plan.shape
        plan.busyRule = try Self.named("busy", FloodPlan.BusyRule.self, arguments) ?? plan.busyRule
        plan.shares = try Self.shares(arguments)
        if let kinds = arguments.text("kinds") {
            guard let mix = MessageMix.named[kinds] else {
                throw arguments.refusal("--kinds is default or texts, not '\(kinds)'")
            }
            plan.mix = mix
        }
        self.plan = plan
        searchBound =
            try arguments.has("find-capacity")
            ? UInt64(arguments.integer("p99", in: 1...60_000, default: 20)) * 1_000_000 : nil
        stretch = try Self.stretch(arguments)
        processes = try Self.processes(arguments)
        isJSON = arguments.has("json")
        progress = FloodProgress(bar: ProgressBar(arguments))
        reportPath = arguments.text("report")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        default: byte == UInt8(ascii: "-")
        }
    }

    private static func stretch(_ arguments: Arguments) throws -> FloodStretch {
        let rate = try arguments.integer("rate", in: 1...10_000_000, default: 1000)
        let warmUp = try arguments.integer("warm-up", in: 0...3600, default: arguments.has("find-capacity") ? 3 : 0)
        let count = try arguments.integer("count", in: 1...900_000_000, default: 0)
        guard count == 0 || arguments.text("duration") == nil else {
            throw arguments.refusal("--count and --duration both say when to end; give one")
        }
        let seconds = try arguments.integer("duration", in: 1...1_000_000, default: 10)
        return FloodStretch(
            rate: Double(rate), warmUp: .seconds(warmUp), end: count > 0 ? .events(count) : .after(.seconds(seconds)))
    }

    private static func shares(_ arguments: Arguments) throws -> Workload.Shares {
        func share(_ name: String, _ usual: Double) throws -> Double {
            guard let text = arguments.text(name) else { return usual }
            guard let share = Double(text), 0...100 ~= share else {
                throw arguments.refusal("--\(name) takes a share from 0 to 100, not '\(text)'")
            }
            return share
        }
        var shares = Workload.Shares()
        shares.edits = try share("edits", shares.edits)
        shares.deletes = try share("deletes", shares.deletes)
        shares.statuses = try share("statuses", shares.statuses)
        shares.reactions = try share("reactions", shares.reactions)
        shares.moves = try share("moves", shares.moves)
        shares.duplicates = try share("duplicates", shares.duplicates)
        guard shares.sum < 100 else { throw arguments.refusal("the shares leave nothing for new messages") }
        return shares
    }

    private static func named<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _: Value.Type, _ arguments: Arguments
    ) throws -> Value? {
        guard let text = arguments.text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.refusal("--\(name) is one of \(known), not '\(text)'")
        }
        return value
    }

    private static func processes(_ arguments: Arguments) throws -> ProcessTable? {
        guard let text = arguments.text("pids") else { return nil }
        let ids = text.split(separator: ",").map { Int32($0) }
        guard !ids.isEmpty, !ids.contains(nil) else {
            throw arguments.refusal("--pids takes numbers with commas between them, not '\(text)'")
        }
        return ProcessTable(ids: ids.compactMap { $0 })
    }
}
