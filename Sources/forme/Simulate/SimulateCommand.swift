import Console
import Foundation
import JSON
import Simulation

struct SimulateCommand: Command {
    let name = "simulate"
    let summary = "runs the pool in virtual time while everything goes wrong, and checks what comes of it"
    let usage = """
        usage: forme simulate --seed N [OPTIONS]

          --seed N             the world: the same number is the same world, with the same faults (default: 0)
          --seeds COUNT        so many worlds, from that seed on, on all cores (default: 1)
          --events M           how many events producers send (default: \(Run.events), to a cluster \(ClusterRun.events))
          --cluster            three hosts and two partitions over a simulated engine, instead of one host's pool
          --one-journal        of a cluster: a host has one journal for one to three partitions, not one for each of two
          --faults LIST        the kinds that may happen, of
                               \(Fault.list);
                               of a cluster
                               \(ClusterFault.list)
                               (default: all; each seed leaves some out)
          --planted BUG        plants a known bug, which must be found, of
                               \(PlantedBug.list);
                               of a cluster
                               \(PlantedClusterBug.list)
          --json               one JSON object, instead of text
        \(QuietOption.usage)

        Coordinator, workers, producers, readers and their disks are crashed, stopped, cut off and filled up; then
        all heals, and must come to rest with every accepted event laid out once. Ends with 0 when everything held (or
        the planted bug was found), and with 1 otherwise. A seed that fails is printed with the command that replays it.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "simulate", options: ["seed", "seeds", "events", "faults", "planted"],
            switches: ["json", "cluster", "one-journal", QuietOption.name])
        let first = try arguments.integer("seed", in: 0 ... .max - 1_000_000, default: 0)
        let count = try arguments.integer("seeds", in: 1...1_000_000, default: 1)
        guard arguments.has("cluster") || !arguments.has("one-journal") else {
            throw arguments.refusal("--one-journal is of a cluster: say --cluster, too")
        }
        let plan = try arguments.has("cluster") ? arguments.clusterPlan() : arguments.plan()
        let start = ContinuousClock.now
        let runs = RunCrowd(
            plan, seeds: UInt64(first)..<UInt64(first) + UInt64(count), tells: arguments.showsProgress
        ).run()
        let report = SimulationReport(plan: plan, runs: runs, time: start.duration(to: .now))
        print(arguments.has("json") ? report.json : report.text)
        guard report.isGood else { throw Failure(.failed, report.sentence) }
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// All names, as the option takes them.
    fileprivate static var list: String { allCases.map(\.rawValue).joined(separator: ",") }
}

extension Arguments {
    fileprivate func plan() throws -> SimulationPlan {
        let events = try events(default: Run.events)
        let (faults, bug) = (try faults(Fault.self), try planted(PlantedBug.self))
        return SimulationPlan(words: try replayed(events, Run.events), bug: bug?.rawValue) { seed in
            SimulatedRun(Run(seed: seed, events: events, faults: faults, planted: bug))
        }
    }

    fileprivate func clusterPlan() throws -> SimulationPlan {
        let events = try events(default: ClusterRun.events)
        let (faults, bug) = (try faults(ClusterFault.self), try planted(PlantedClusterBug.self))
        let hasOneJournal = has("one-journal")
        let words = ["--cluster"] + (hasOneJournal ? ["--one-journal"] : []) + (try replayed(events, ClusterRun.events))
        return SimulationPlan(words: words, bug: bug?.rawValue) { seed in
            SimulatedRun(
                ClusterRun(seed: seed, events: events, faults: faults, planted: bug, hasOneJournal: hasOneJournal))
        }
    }

    private func events(default events: Int) throws -> Int {
        try integer("events", in: 10...1_000_000, default: events)
    }

    /// The options that must be repeated so that a seed makes the same world.
    private func replayed(_ events: Int, _ usual: Int) throws -> [String] {
        (events == usual ? [] : ["--events \(events)"])
            + ["faults", "planted"].compactMap { name in
                text(name).map { "--\(name) \($0)" }
            }
    }

    private func faults<Kind: CaseIterable & Hashable & RawRepresentable<String>>(_: Kind.Type) throws -> Set<Kind> {
        guard let text = text("faults") else { return Set(Kind.allCases) }
        return Set(
            try text.split(separator: ",").map { name in
                guard let fault = Kind(rawValue: String(name)) else {
                    throw refusal("--faults takes a list of \(Kind.list), not '\(name)'")
                }
                return fault
            })
    }

    private func planted<Bug: CaseIterable & RawRepresentable<String>>(_: Bug.Type) throws -> Bug? {
        guard let name = text("planted") else { return nil }
        guard let bug = Bug(rawValue: name) else {
            throw refusal("--planted is one of \(Bug.list), not '\(name)'")
        }
        return bug
    }
}
