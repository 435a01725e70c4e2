import Foundation

/// The tables of a report, for the terminal and for the page. Each begins with its heading.
extension FloodReport {
    package var latencyRows: [[String]] {
        let heading = ["", "p50", "p90", "p99", "p99.9", "p99.99", "max", "count"]
        let names = ["ack": "event to answer", "ready": "event to readable layout", "fetch": "page of 50"]
        return [heading]
            + latencies.map { name, histogram in
                [names[name]!] + Self.percentiles.map { Self.milliseconds(histogram.percentile($0)) }
                    + ["\(histogram.count)"]
            }
    }

    package var answerRows: [[String]] {
        [["answer", "events"]] + counts.named.map { [$0.name, "\($0.count)"] }
            + [
                ["sent again after 5 s", "\(measures.repeatedRequests) requests"],
                ["never sent", "\(measures.unsent)"],
            ]
    }

    package var processRows: [[String]] {
        [["process", "pid", "processors", "µs an accepted event", "memory MB"]]
            + processes.map { share in
                [
                    share.process.role, "\(share.process.id)", String(format: "%.2f", share.processors),
                    Self.number(microseconds(share)),
                    String(format: "%.1f", Double(share.memory) / 1e6),
                ]
            }
    }

    /// The use of processor time: microseconds to an event that was answered, or to a message that was done.
    package var stageRows: [[String]] {
        guard !times.processes.isEmpty else { return [] }
        return [["stage", "process", "µs each", "of"]]
            + times.processes.flatMap { process in
                process.stages.map { stage in
                    let each = Double(stage.microseconds) / Double(max(1, process.events))
                    return [stage.name, process.name, Self.number(each), "\(process.events)"]
                }
            }
    }

    package var ledgerRows: [[String]] {
        let columns = [verdict] + (stored.map { [$0] } ?? [])
        func row(_ name: String, _ value: (Audit.Verdict) -> Int) -> [String] {
            [name] + columns.map { "\(value($0))" }
        }
        let faults = Audit.Fault.allCases.map { fault in row(fault.rawValue) { $0.faults[fault] ?? 0 } }
            .filter { $0.dropFirst().contains { $0 != "0" } }
        return [
            ["ledger", "windows", "files"].dropLast(2 - columns.count), row("conversations read") { $0.conversations },
        ]
            + [row("rows as they must be") { $0.rows }] + (faults.isEmpty ? [row("faults") { _ in 0 }] : faults)
    }

    /// The method behind the figures, for readers who ask what they are worth.
    package var method: [String] {
        [
            "Events are due by a schedule that does not wait for the service. Every latency is counted from the time at "
                + "which an event was due, so that an event that waited for its turn counts with its whole wait.",
            "A layout counts as readable when the coordinator's hint says so. Where no hint came within a second, the row is "
                + "read until it is there: \(measures.readByProbe) of \(measures.readyByHint) were found so, and their "
                + "latencies are too long rather than too short. Edits that were overtaken by a later one count when that "
                + "one is readable.",
            "Afterwards every conversation was read through windows at one target"
                + (stored == nil ? "" : ", and from the files of the cache, without the gateway")
                + ", and compared row by row with what was accepted: order, revision, deletes, and nothing else.",
            "Events were sent as they became due, at most \(plan.batch) to a request; the loop wakes at most once a "
                + "millisecond. The flood itself is in the list of processes.",
        ]
    }

    package static func milliseconds(_ nanoseconds: UInt64) -> String {
        let value = Double(nanoseconds) / 1e6
        return String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }

    static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
