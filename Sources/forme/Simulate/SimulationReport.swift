import Console
import JSON
import Simulation

/// The results of some seeds: counts, and each seed that failed with the command that replays it.
struct SimulationReport {
    let plan: SimulationPlan
    let runs: [SimulatedRun]
    let time: Duration

    private var failed: [SimulatedRun] { runs.filter { !$0.findings.isEmpty } }
    /// Whether no seed failed or, where a bug is planted, a seed found it.
    var isGood: Bool { failed.isEmpty == (plan.bug == nil) }

    var sentence: String {
        plan.bug.map { "\($0) was not found in \(runs.count) seeds" }
            ?? "\(failed.count) of \(runs.count) seeds failed"
    }

    private static let findingsShown = 5

    var text: String {
        var lines = failed.prefix(20).flatMap { run in
            ["seed \(run.seed):"] + run.findings.prefix(Self.findingsShown).map { "  \($0)" }
                + (run.findings.count > Self.findingsShown
                    ? ["  and \(run.findings.count - Self.findingsShown) more"] : [])
                + ["  replay: \(plan.replay(run.seed))"]
        }
        if runs.count == 1 {
            lines.append("kinds of fault: " + runs[0].faults.sorted().joined(separator: ", "))
        }
        lines.append(Columns.aligned([["", "least", "all"]] + counts.map { [$0.name, "\($0.least)", "\($0.sum)"] }))
        lines.append("digest \(digest), the same for builds that do the same")
        let found = plan.bug.flatMap { bug in failed.first.map { "\(bug) was found at seed \($0.seed)" } }
        lines.append(found ?? "\(runs.count) seeds in \(seconds) s, \(failed.count) failed")
        return lines.joined(separator: "\n")
    }

    var json: String {
        var json = JSONWriter()
        json.object {
            $0.key("seeds")
            $0.integer(runs.count)
            $0.key("seconds")
            $0.decimal(time / .seconds(1), places: 3)
            $0.key("digest")
            $0.string(digest)
            $0.key("counts")
            $0.object { counts in
                for count in self.counts {
                    counts.key(count.name)
                    counts.object {
                        $0.key("least")
                        $0.integer(count.least)
                        $0.key("all")
                        $0.integer(count.sum)
                    }
                }
            }
            $0.key("failed")
            $0.array { list in for run in failed { write(run, to: &list) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(_ run: SimulatedRun, to json: inout JSONWriter) {
        json.object {
            $0.key("seed")
            $0.integer(run.seed)
            $0.key("findings")
            $0.array { list in for finding in run.findings { list.string(finding) } }
            $0.key("replay")
            $0.string(plan.replay(run.seed))
        }
    }

    /// A digest of everything that coordinators did under these seeds.
    private var digest: String {
        var digest = RunDigest()
        for run in runs { digest.add(run.digest) }
        return String(digest.number, radix: 16)
    }

    private var seconds: String { "\(Double(Int(time / .milliseconds(100))) / 10)" }

    /// Each count with the lowest value of a seed, and the sum.
    private var counts: [(name: String, least: Int, sum: Int)] {
        runs[0].counts.indices.map { place in
            let values = runs.map { $0.counts[place].value }
            return (runs[0].counts[place].name, values.min() ?? 0, values.reduce(0, +))
        }
    }
}
