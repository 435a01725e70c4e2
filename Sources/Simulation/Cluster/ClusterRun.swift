import Replication

/// One seed of a cluster, from its beginning until it has come to rest, with the faults that were found.
///
///     let run = ClusterRun(seed: 42)
///     print(run.findings, run.tally.claims)
package struct ClusterRun: Sendable {
    package let seed: UInt64
    /// The findings, as sentences; none where everything held.
    package let findings: [String]
    package let tally: ClusterTally
    package let faults: Set<ClusterFault>
    /// The number of partitions.
    package let partitions: Int

    package static let events = 400

    /// - Parameter hasOneJournal: whether a host has one journal for the logs of one to three partitions, instead of
    ///   one for each of two. It has where a bug is planted that only a journal of several logs can have.
    package init(
        seed: UInt64, events: Int = ClusterRun.events, faults: Set<ClusterFault> = Set(ClusterFault.allCases),
        planted bug: PlantedClusterBug? = nil, hasOneJournal: Bool = false
    ) {
        var dice = Dice(seed: seed ^ 0x436C_7573_7465_7221)
        let scenario = ClusterScenario(
            seed: seed, events: events, allowed: faults, bug: bug, hasOneJournal: hasOneJournal, dice: &dice)
        var world = ClusterWorld(scenario, dice: dice)
        world.run()
        self.seed = seed
        (self.faults, partitions) = (scenario.faults, scenario.map.partitions)
        (findings, tally) = (world.findings, world.tally)
    }
}

/// Counts of the events of a run.
package struct ClusterTally: Equatable, Sendable {
    /// Lines of the script that some host has accepted in an answer.
    package private(set) var accepted: Set<Int> = []
    package var entries = 0
    package var busy = 0
    /// The number of requests with events of several partitions.
    package var split = 0
    package var faults: [ClusterFault: Int] = [:]
    /// The number of appends of unknown outcome.
    package var unknown = 0
    package var claims = 0
    package var depositions = 0
    /// The number of partitions that a host wanted to give to one that owned fewer.
    package var gifts = 0
    /// The numbers of replicas that could not go on by reading, and of copies that took the place of a journal.
    package var losses = 0
    package var copies = 0
    /// The number of replicas whose log had a record that may not stand there.
    package var divergences = 0
    package var salvaged = 0
    package var trims = 0
    package var disks = 0
    package var adoptions = 0
    package var commits = 0
    package var steps = 0
    /// The simulated time.
    package var milliseconds = 0

    /// The digest of the final state of all partitions.
    package var digest = RunDigest()

    package var faultCount: Int { faults.values.reduce(0, +) }

    mutating func accept(_ line: Int) { accepted.insert(line) }

    mutating func note(_ notice: ReplicaNotice) {
        switch notice {
        case .claimed: claims += 1
        case .deposed: depositions += 1
        case .lost(let loss):
            losses += 1
            if loss == .diverged { divergences += 1 }
        case .stopped: break
        }
    }
}
