import Names
import Pool
import Wire

/// The surroundings of all processes of a simulated world: time, chance, the weather of network and disks, the stored
/// data, and the record that is judged. Processes hear of each other only through it.
struct Stage {
    let scenario: Scenario
    let script: EventScript
    var dice: Dice
    var now = Instant.start
    var agenda = Agenda<Instant, Happening>()
    var weather: Weather
    var journal: SimulatedJournal
    var disks: Disks
    /// The editions as readers are told of them.
    var view: EditionView?
    var ledger = EventLedger()
    var tally = RunTally()
    private var lastProcess = 0

    init(_ scenario: Scenario, dice: Dice) {
        (self.scenario, self.dice) = (scenario, dice)
        script = EventScript(scenario, &self.dice)
        journal = SimulatedJournal(shards: scenario.shards, bug: scenario.bug)
        disks = Disks(scenario)
        weather = Weather(scenario.faults)
    }

    var served: EditionID? { view?.current }
    /// The editions whose rows readers are shown.
    var shownEditions: [EditionID] { [view?.current, view?.filler].compactMap(\.self) }

    func shard(of conversation: ConversationID) -> Shard { Shard(of: conversation, among: scenario.shards) }

    mutating func newProcess() -> Int {
        lastProcess += 1
        return lastProcess
    }

    mutating func diskTime(_ microseconds: ClosedRange<Int>) -> Int {
        dice.number(microseconds) * (now < weather.slowUntil ? 60 : 1)
    }
}

/// The way between the coordinator and one other process.
struct Link {
    var partitionedUntil = Instant.start
    fileprivate var lastUp = Instant.start
    fileprivate var lastDown = Instant.start
}

extension Stage {
    /// The arrivals of a word that is sent now: one, or none, or two.
    mutating func arrivals(over link: inout Link, isUp: Bool) -> [Instant] {
        tally.words += 1
        guard now >= link.partitionedUntil, !dice.happens(weather.loss) else {
            tally.lost += 1
            return []
        }
        var arrivals = [arrival(&link, isUp)]
        if dice.happens(weather.duplication) {
            tally.duplicated += 1
            arrivals.append(arrival(&link, isUp))
        }
        return arrivals
    }

    private mutating func arrival(_ link: inout Link, _ isUp: Bool) -> Instant {
        var at = now + dice.number(40...300)
        if dice.happens(weather.delay) {
            tally.delayed += 1
            at = at + dice.number(1...800) * Length.millisecond
        }
        // A connection keeps the order, unless the seed says otherwise.
        guard !(weather.isReordering && dice.happens(100)) else { return at }
        let last = isUp ? link.lastUp : link.lastDown
        at = max(at, last + 1)
        if isUp { link.lastUp = at } else { link.lastDown = at }
        return at
    }
}

extension Stage {
    /// The row for a message without content, from another edition whose rows readers are shown.
    func carried(_ job: LayoutJob, to edition: EditionID) -> ShardRow? {
        let older = view?.filler == view?.next ? nil : view?.filler
        let rows = [served, older].compactMap(\.self).filter { $0 != edition }.compactMap { other in
            disks.files[other]?[disks.file(of: shard(of: job.conversation), in: other)].rows[job.message]
        }
        guard let row = rows.first else {
            guard scenario.bug == .blankRow else { return nil }
            let facts = StoredFacts(
                order: 0, sender: SenderID(own: "nobody"), time: Timestamp(milliseconds: 0), revision: Revision(0),
                status: nil)
            return ShardRow(facts: facts, role: SimulatedLayout.role, key: [], layout: [], measured: [])
        }
        return ShardRow(facts: row.facts, role: SimulatedLayout.role, key: row.key, layout: row.key, measured: [])
    }

    /// Checks that no row goes before the other shown edition has the present state of its message, unless that
    /// cannot be laid out, or its file is lost.
    mutating func checkWithdrawals(_ edition: EditionID, _ number: Int) {
        guard let written = disks.files[edition]?[number], let changes = written.open?.changes else { return }
        for change in changes where change.row == .withdrawn && written.rows[change.message] != nil {
            let shard = shard(of: change.conversation)
            guard !disks.lost.contains(shard) else { continue }
            let other = view?.filler == edition ? view?.current : view?.filler
            let file = other.flatMap { disks.files[$0]?[disks.file(of: shard, in: $0)] }
            let isThere = file?.rows[change.message].map { $0.job >= change.job } ?? false
            let isPlain = journal.kinds[Int(shard.number)][Int(change.job.number) - 1] == EventScript.plain
            let isShelved = journal.shelf.values.contains { $0.message == change.message }
            let isDeleted = journal.newest[change.message]?.job.work == .remove
            if !isThere, isPlain, !isShelved, !isDeleted {
                ledger.find("\(change.messageID) was hidden before the other edition had it")
            }
        }
    }
}
