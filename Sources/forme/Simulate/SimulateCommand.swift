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
          --events M           how many events producers send (default: \(Run.events))
          --faults LIST        which kinds may happen, of
                               \(Fault.list)
                               (default: all; each seed leaves some out)
          --planted BUG        plants a known bug, which must be found, of
                               \(PlantedBug.list)
          --json               one JSON object, instead of text

        Coordinator, workers, producers, readers and their disks are crashed, stopped, cut off and filled up; then
        all heals, and must come to rest with every accepted event laid out once. Ends with 0 when everything held (or
        the planted bug was found), and with 1 otherwise. A seed that fails is printed with the command that replays it.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "simulate", options: ["seed", "seeds", "events", "faults", "planted"], switches: ["json"])
        let first = try arguments.integer("seed", in: 0 ... .max - 1_000_000, default: 0)
        let count = try arguments.integer("seeds", in: 1...1_000_000, default: 1)
        var plan = SimulationPlan()
        plan.events = try arguments.integer("events", in: 10...1_000_000, default: Run.events)
        plan.faults = try arguments.faults()
        plan.bug = try arguments.plantedBug()
        let start = ContinuousClock.now
        let runs = RunCrowd(plan, seeds: UInt64(first)..<UInt64(first) + UInt64(count)).run()
        let report = SimulationReport(plan: plan, runs: runs, time: start.duration(to: .now))
        print(arguments.has("json") ? report.json : report.text)
        guard report.isGood else { throw Failure(.failed, report.sentence) }
    }
}

extension Fault {
    fileprivate static let list = allCases.map(\.rawValue).joined(separator: ",")
}

extension PlantedBug {
    fileprivate static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

extension Arguments {
    fileprivate func faults() throws -> Set<Fault> {
        guard let text = text("faults") else { return Set(Fault.allCases) }
        return Set(
            try text.split(separator: ",").map { name in
                guard let fault = Fault(rawValue: String(name)) else {
                    throw refusal("--faults takes a list of \(Fault.list), not '\(name)'")
                }
                return fault
            })
    }

    fileprivate func plantedBug() throws -> PlantedBug? {
        guard let name = text("planted") else { return nil }
        guard let bug = PlantedBug(rawValue: name) else {
            throw refusal("--planted is one of \(PlantedBug.list), not '\(name)'")
        }
        return bug
    }
}

/// What all seeds of one command have in common.
struct SimulationPlan {
    var events = Run.events
    var faults = Set(Fault.allCases)
    var bug: PlantedBug?

    func run(_ seed: UInt64) -> Run { Run(seed: seed, events: events, faults: faults, planted: bug) }

    /// The command that is this seed again.
    func replay(_ seed: UInt64) -> String {
        var words = ["forme simulate --seed \(seed)"]
        if events != Run.events { words.append("--events \(events)") }
        if faults != Set(Fault.allCases) {
            words.append("--faults " + Fault.allCases.filter(faults.contains).map(\.rawValue).joined(separator: ","))
        }
        if let bug { words.append("--planted \(bug.rawValue)") }
        return words.joined(separator: " ")
    }
}
