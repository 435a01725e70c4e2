import Replication
import Wire

/// The scenario of one seed in a cluster: its script, and the faults that it may have.
struct ClusterScenario {
    let seed: UInt64
    let faults: Set<ClusterFault>
    let bug: PlantedClusterBug?
    /// Whether content is kept only until it is laid out.
    let isForgetting: Bool
    let script: EventScript
    let hosts = ["a", "b", "c"].map { HostID(own: $0) }
    let map = PartitionMap(partitions: 2, shards: 4)!
    let producers = 2
    /// The time in which events are sent.
    let duration: Int
    let faultEvents = 12
    let cluster: ClusterID

    /// The factor by which events are further apart than in a world of one host, as faults take seconds here.
    private static let stretch = 15

    /// Each seed switches some kinds of fault off. No record outlives an engine that forgets it and the only disk
    /// that had it, so a seed has either an engine that forgets, or disks that are lost.
    init(seed: UInt64, events: Int, allowed: Set<ClusterFault>, bug: PlantedClusterBug?, dice: inout Dice) {
        (self.seed, self.bug) = (seed, bug)
        var faults: Set<ClusterFault> = []
        for fault in ClusterFault.allCases where dice.happens(650) && allowed.contains(fault) { faults.insert(fault) }
        if faults.contains(.lostDisk), !faults.isDisjoint(with: [.lostTail, .reset]) {
            if dice.happens(500) { faults.remove(.lostDisk) } else { faults.subtract([.lostTail, .reset]) }
        }
        if faults.contains(.lostTail) { faults.insert(.powerLoss) }
        let strikes = ClusterFault.allCases.filter { $0.isEvent && allowed.contains($0) }
        if !strikes.isEmpty, !faults.contains(where: \.isEvent) { faults.insert(dice.one(of: strikes)) }
        self.faults = faults
        isForgetting = dice.happens(500)
        cluster = ClusterID(dice.next())
        let world = Scenario(seed: seed, events: events, allowed: [], bug: nil, dice: &dice)
        script = EventScript(world, &dice)
        duration = max(world.duration * Self.stretch, 20 * Length.second)
    }

    /// The time at which a line of the script is sent.
    func due(_ line: Int) -> Instant { Instant(script.lines[line].at.microseconds * Self.stretch) }

    /// The limits of a deployment, except for those that count in minutes there.
    var limits: ReplicationLimits {
        var limits = ReplicationLimits()
        (limits.keyAge, limits.trim, limits.absence) = (.seconds(4), .seconds(1), .seconds(8))
        (limits.copying, limits.recovery) = (.seconds(3), .seconds(10))
        return limits
    }

    /// The bytes of the entries of one record.
    static let turn = 2048
}
