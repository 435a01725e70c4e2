/// One seed: a world from its beginning until it has come to rest, with the faults that were found.
///
///     let run = Run(seed: 42)
///     print(run.findings, run.tally.events, run.tally.faultCount)
package struct Run: Sendable {
    package let seed: UInt64
    /// The findings, as sentences; none where everything held.
    package let findings: [String]
    package let tally: RunTally
    /// The kinds of fault that the seed had.
    package let faults: Set<Fault>

    package static let events = 2000

    package init(
        seed: UInt64, events: Int = Run.events, faults: Set<Fault> = Set(Fault.allCases), planted bug: PlantedBug? = nil
    ) {
        var dice = Dice(seed: seed)
        let scenario = Scenario(seed: seed, events: events, allowed: faults, bug: bug, dice: &dice)
        var world = World(scenario, dice: dice)
        world.run()
        self.seed = seed
        self.faults = scenario.faults
        findings = world.stage.ledger.findings
        tally = world.finalTally
    }
}

/// Counts of the events of a run.
package struct RunTally: Equatable, Sendable {
    package var events = 0
    package var accepted = 0
    package var busy = 0
    package var faults: [Fault: Int] = [:]
    package var words = 0
    package var lost = 0
    package var duplicated = 0
    package var delayed = 0
    package var evicted = 0
    package var poisoned = 0
    package var commits = 0
    package var ready = 0
    package var rows = 0
    package var resyncs = 0
    package var shelved = 0
    /// The number of messages that have neither content nor a row at the end.
    package var unavailable = 0
    package var steps = 0
    /// The simulated time.
    package var milliseconds = 0
    package var digest = RunDigest()

    /// The number of faults at an instant; words that were lost, doubled or late are not among them.
    package var faultCount: Int { faults.values.reduce(0, +) + poisoned }
}

extension World {
    fileprivate var finalTally: RunTally {
        var tally = stage.tally
        tally.events = stage.script.lines.count
        tally.accepted = stage.ledger.journaled.count
        tally.shelved = stage.journal.shelf.count
        tally.milliseconds = stage.now.microseconds / Length.millisecond
        return tally
    }
}
