import Pool
import Wire

/// The scenario of one seed: the size of its world, the events, and the faults that it may have.
struct Scenario {
    let seed: UInt64
    var events: Int
    var faults: Set<Fault>
    var bug: PlantedBug?
    /// Whether a commit of the journal and of shards must survive a power loss.
    let isFull: Bool
    /// Whether workers are replaced by those of another edition half-way.
    let isRolling: Bool
    /// Whether no worker can lay out the old edition any more after that, as after an upgrade; it then has a
    /// caretaker. Else some workers stay with it until the new one is served.
    let isUpgrade: Bool
    /// Whether the new edition is served as soon as it has the rows that readers look at.
    let isHurried: Bool
    /// Whether content is kept only until it is laid out.
    let isForgetting: Bool
    /// The number of workers of other hosts.
    let helpers: Int
    /// Whether one of them makes wrong rows.
    let isHelperWrong: Bool
    let shards = 4
    /// Each edition has one, two or four files.
    private let maps: [EditionID: FileMap]
    let workers = 3
    let producers = 2
    let readers = 2
    let conversations = 12
    /// The time in which events are sent.
    let duration: Int
    /// The number of faults that happen at an instant.
    let faultEvents = 24

    static let old = EditionID(own: "aaaa")
    static let new = EditionID(own: "bbbb")

    /// Each seed switches some kinds of fault off: one of them alone may show what another would hide.
    init(seed: UInt64, events: Int, allowed: Set<Fault>, bug: PlantedBug?, dice: inout Dice) {
        (self.seed, self.events, self.bug) = (seed, events, bug)
        let isFull = dice.happens(500)
        self.isFull = isFull
        isRolling = dice.happens(300)
        // These have dice of their own, so that a seed keeps the events that it had before there were upgrades.
        var upgradeDice = Dice(seed: ~seed << 2)
        isUpgrade = isRolling && upgradeDice.happens(500)
        var hurryDice = Dice(seed: ~seed << 7)
        isHurried = isRolling && hurryDice.happens(500)
        var forgetDice = Dice(seed: ~seed << 4)
        isForgetting = forgetDice.happens(400)
        var fileDice = Dice(seed: ~seed << 6)
        maps = [
            Self.old: FileMap(shards: shards, atMost: fileDice.one(of: [4, 4, 2, 1])),
            Self.new: FileMap(shards: shards, atMost: fileDice.one(of: [4, 2, 2, 1])),
        ]
        duration = events * 8 * Length.millisecond
        var faults: Set<Fault> = []
        for fault in Fault.allCases where dice.happens(650) && allowed.contains(fault) { faults.insert(fault) }
        if !isFull { faults.remove(.powerLoss) }
        let events = Fault.allCases.filter { $0.isEvent && allowed.contains($0) && (isFull || $0 != .powerLoss) }
        if !events.isEmpty, !faults.contains(where: { $0.isEvent }) { faults.insert(dice.one(of: events)) }
        self.faults = faults
        var helperDice = Dice(seed: ~seed << 8)
        helpers = helperDice.happens(400) ? 2 : 0
        // The next coordinator does not know the rows that were made under one that has ended.
        isHelperWrong =
            helpers > 0 && helperDice.happens(500) && faults.isDisjoint(with: [.coordinatorCrash, .powerLoss])
    }

    func map(of edition: EditionID) -> FileMap { maps[edition] ?? FileMap(shards: shards) }

    var dispatchLimits: DispatchLimits {
        var limits = DispatchLimits()
        (limits.jobs, limits.page, limits.jobsPerBatch, limits.jobsPerLaterBatch) = (300, 16, 8, 4)
        (limits.batchesPerWorker, limits.jobsInHand, limits.jobsWorthWhile) = (4, 12, 3)
        (limits.idleRoom, limits.leastRoom, limits.backfillRoom) = (150, 20, 60)
        (limits.grace, limits.waitsForDisk) = (.seconds(5), isFull)
        (limits.demand.targets, limits.demand.asksBefore, limits.demand.candidates) = (2, 3, 4)
        limits.demand.halfLife = .seconds(2)
        return limits
    }

    var workerLimits: LayoutWorker.Limits {
        var limits = LayoutWorker.Limits()
        (limits.credits, limits.syncs) = (40, isFull)
        return limits
    }
}
