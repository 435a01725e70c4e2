import Daemons
import JSON

/// The mishaps of a run and their outcome.
package struct ChaosReport: Sendable {
    package let plan: ChaosPlan
    /// The way in which the disk was filled up.
    package let diskWay: String
    package internal(set) var happened: [Mishap.Kind: Int] = [:]
    /// Whether the run was stopped before its end.
    package internal(set) var wasInterrupted = false
    /// The number of restarts of `forme serve`.
    package internal(set) var restarts = 0
    /// Events that were acknowledged, and rows that were found as they must be.
    package internal(set) var acknowledged = 0
    package internal(set) var rows = 0
    /// Whether all that was accepted was found, and nothing else.
    package internal(set) var ledgerIsExact = false
    package internal(set) var hasStopped = false
    package internal(set) var filesAreSound = false

    init(_ plan: ChaosPlan, diskWay: String) { (self.plan, self.diskWay) = (plan, diskWay) }

    package var kills: Int { happened.reduce(0) { $0 + ($1.key.isKill ? $1.value : 0) } }

    /// The faults of the run, in words; empty where all is as it must be.
    package var objections: [String] {
        let missed = wasInterrupted ? 0 : plan.entries.count - happened.values.reduce(0, +)
        return [
            (!ledgerIsExact, "the ledger is not exact: see flood.log and flood.json"),
            (!hasStopped, "the service did not stop in time: see serve.log"),
            (!filesAreSound, "the files are not sound: see check.txt"),
            (missed > 0, "\(missed) of \(plan.entries.count) mishaps found nobody to happen to"),
            (acknowledged == 0, "nothing was acknowledged"),
        ].filter(\.0).map(\.1)
    }

    /// Takes over the results of the flood.
    mutating func take(_ end: ChildProcess.EndStatus, _ words: [UInt8]) {
        guard let flood = try? JSONValue.parse(words) else { return }
        func number(_ value: JSONValue?) -> Int { value?.number.flatMap { Int("\($0)") } ?? 0 }
        acknowledged = number(flood["answers"]?["accepted"]) + number(flood["answers"]?["duplicate"])
        rows = number(flood["ledger"]?["rows"])
        ledgerIsExact = end == .exited(0) && flood["clean"]?.bool == true
    }
}
