import MessageLayout
import Names
import Pool
import Wire

/// A client that follows the shards of the served edition, each from its own cursor.
struct ReaderSeat {
    var process: Int?
    private(set) var views: [View]
    private var edition: EditionID?

    /// The rows that it has of one shard, up to a cursor.
    struct View {
        var cursor: Cursor?
        var rows: [MessageNumber: ShardFile.StoredRow] = [:]
    }

    struct Cursor: Equatable {
        var origin: ShardOrigin
        var generation: Int
        var stamp: Stamp
    }

    init(shards: Int) { views = Array(repeating: View(), count: shards) }

    mutating func forget() {
        views = views.map { _ in View() }
    }

    /// Reads a file's changes. True where it has to begin anew, as its cursor is of another file or another
    /// generation of it.
    mutating func read(_ file: ShardFile, _ shard: Int, of edition: EditionID) -> Bool {
        if edition != self.edition {
            forget()
            self.edition = edition
        }
        let cursor = Cursor(origin: file.origin, generation: file.generation, stamp: file.stamp)
        defer { views[shard].cursor = cursor }
        guard let known = views[shard].cursor, known.origin == cursor.origin, known.generation == cursor.generation
        else {
            views[shard].rows = file.rows
            return true
        }
        for change in file.changes(after: known.stamp) { views[shard].rows[change.message] = change.row }
        return false
    }
}

/// The clients of a world: the rows that they have read, and their requests.
struct Readers {
    private(set) var seats: [ReaderSeat]
    /// Dice of their own, so that they change nothing else that happens under a seed.
    private var wishDice: Dice
    private var screenDice: Dice

    init(_ scenario: Scenario) {
        seats = (0..<scenario.readers).map { _ in ReaderSeat(shards: scenario.shards) }
        (wishDice, screenDice) = (Dice(seed: ~scenario.seed), Dice(seed: ~scenario.seed << 1))
    }

    var indices: Range<Int> { seats.indices }

    func isRunning(_ process: Int, at seat: Int) -> Bool { seats[seat].process == process }

    mutating func start(_ seat: Int, _ stage: inout Stage) {
        guard seats[seat].process == nil else { return }
        seats[seat].process = stage.newProcess()
        seats[seat].forget()
        stage.agenda.add(.reader(seat: seat, process: seats[seat].process!), at: stage.now)
    }

    mutating func end(_ seat: Int) { seats[seat].process = nil }

    mutating func read(_ seat: Int, _ stage: inout Stage) {
        stage.agenda.add(
            .reader(seat: seat, process: seats[seat].process!),
            at: stage.now + stage.dice.number(50...250) * Length.millisecond)
        readAll(seat, &stage)
        if wishDice.happens(40) { wish(&stage) }
        if screenDice.happens(30) { ask(&stage) }
    }

    /// Asks for one of a few screens. The question may be lost, too, and nothing depends on it.
    private mutating func ask(_ stage: inout Stage) {
        let width = screenDice.number(391...394)
        guard !screenDice.happens(stage.weather.loss), let target = Target(text: "\(width)@3") else { return }
        stage.agenda.add(
            .mail(.screen(WantedTarget(target, times: 1))), at: stage.now + screenDice.number(40...300))
    }

    /// Tells the coordinator that a message is waited for, whether or not it is there. The word may be lost, and
    /// nothing depends on it.
    private mutating func wish(_ stage: inout Stage) {
        let shard = Shard(UInt16(wishDice.number(0...stage.scenario.shards - 1)))
        let messages = stage.journal.numbers(in: shard)
        guard !messages.isEmpty, !wishDice.happens(stage.weather.loss) else { return }
        let message = wishDice.one(of: messages)
        stage.ledger.wish(message)
        stage.agenda.add(.mail(.wish(shard, message)), at: stage.now + wishDice.number(40...300))
    }

    /// Reads everything that is served and that a reader has not read.
    mutating func readAll(_ seat: Int, _ stage: inout Stage) {
        guard let served = stage.served, let shards = stage.disks.files[served] else { return }
        for shard in shards.indices where seats[seat].read(shards[shard], shard, of: served) {
            stage.tally.resyncs += 1
        }
    }
}
