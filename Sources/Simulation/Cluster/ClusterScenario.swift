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
    /// Whether hosts are those of a deployment, each with one journal for the logs of all partitions. Otherwise there
    /// are two partitions, and a host has a journal for each: they share the engine and the faults, and no more.
    let hasOneJournal: Bool
    let map: PartitionMap
    let producers = 2
    /// The time in which events are sent.
    let duration: Int
    let faultEvents = 12
    let cluster: ClusterID

    /// The factor by which events are further apart than in a world of one host, as faults take seconds here.
    private static let stretch = 15

    /// Each seed switches some kinds of fault off. No record outlives an engine that forgets it and the only disk
    /// that had it, so a seed has either an engine that forgets, or disks that are lost.
    init(
        seed: UInt64, events: Int, allowed: Set<ClusterFault>, bug: PlantedClusterBug?, hasOneJournal: Bool,
        dice: inout Dice
    ) {
        (self.seed, self.bug) = (seed, bug)
        let isOfSeveralLogs = bug?.isOfSeveralLogs ?? false
        let isOne = hasOneJournal || isOfSeveralLogs
        self.hasOneJournal = isOne
        // These have dice of their own, so that a seed has the same events whatever its partitions are.
        var mapDice = Dice(seed: ~seed << 9)
        let partitions = mapDice.number(isOfSeveralLogs ? 2...3 : 1...3)
        map = PartitionMap(partitions: isOne ? partitions : 2, shards: isOne ? 6 : 4)!
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

    func partition(of line: Int) -> Int {
        Int(map.partition(of: script.lines[line].event!.conversation).number)
    }

    /// The number of queues of a producer. Where hosts name the owner of a partition and no more, a producer has one
    /// for each; where they ask the owners themselves, it has a single one.
    var queues: Int { hasOneJournal ? 1 : map.partitions }
    func queue(of line: Int) -> Int { hasOneJournal ? 0 : partition(of: line) }

    /// The disks of a host that has nothing yet.
    var emptyDisks: [HostDisk] {
        let all = Array(0..<map.partitions)
        let journals = hasOneJournal ? [all] : all.map { [$0] }
        return journals.map { HostDisk(shards: map.shards, of: $0) }
    }

    /// The limits of a deployment, except for those that count in minutes there.
    var limits: ReplicationLimits {
        var limits = ReplicationLimits()
        (limits.keyAge, limits.trim, limits.absence) = (.seconds(4), .seconds(1), .seconds(8))
        (limits.copying, limits.recovery, limits.makingWay) = (.seconds(3), .seconds(10), .seconds(6))
        return limits
    }

    /// The time for which a host has been able to own a partition before it is given one: seconds, and not a minute.
    static let patience = Duration.seconds(4)

    /// The bytes of the entries of one record.
    static let turn = 2048
}
