import Simulation

/// The plan that all seeds of one command have in common.
struct SimulationPlan: Sendable {
    /// The options that make a seed the same world again.
    let words: [String]
    let bug: String?
    let run: @Sendable (UInt64) -> SimulatedRun

    init(words: [String], bug: String?, run: @escaping @Sendable (UInt64) -> SimulatedRun) {
        (self.words, self.bug, self.run) = (words, bug, run)
    }

    /// The command that replays a seed.
    func replay(_ seed: UInt64) -> String { (["forme simulate --seed \(seed)"] + words).joined(separator: " ") }
}

/// The run of one seed in any world, as it is reported.
struct SimulatedRun: Sendable {
    let seed: UInt64
    let findings: [String]
    let faults: [String]
    let counts: [(name: String, value: Int)]
    let digest: UInt64

    init(_ run: Run) {
        (seed, findings, faults) = (run.seed, run.findings, run.faults.map(\.rawValue))
        let tally = run.tally
        digest = tally.digest.number
        counts = [
            ("events", tally.events), ("accepted", tally.accepted), ("answered busy", tally.busy),
            ("faults", tally.faultCount), ("words said", tally.words), ("words lost", tally.lost),
            ("words twice", tally.duplicated), ("words late", tally.delayed), ("workers evicted", tally.evicted),
            ("commits", tally.commits), ("rows at the end", tally.rows), ("jobs given up", tally.shelved),
            ("readers told to resync", tally.resyncs), ("milliseconds of its time", tally.milliseconds),
        ]
    }

    init(_ run: ClusterRun) {
        (seed, findings, faults) = (run.seed, run.findings, run.faults.map(\.rawValue))
        let tally = run.tally
        digest = tally.digest.number
        counts = [
            ("entries at the end", tally.entries), ("accepted", tally.accepted.count), ("answered busy", tally.busy),
            ("faults", tally.faultCount), ("appends of unknown outcome", tally.unknown), ("claims", tally.claims),
            ("owners deposed", tally.depositions), ("replicas lost", tally.losses), ("journals copied", tally.copies),
            ("events salvaged", tally.salvaged), ("disks lost", tally.disks), ("logs begun anew", tally.adoptions),
            ("partitions", run.partitions), ("requests of several", tally.split), ("partitions given", tally.gifts),
            ("trims", tally.trims), ("commits", tally.commits), ("milliseconds of its time", tally.milliseconds),
        ]
    }
}
