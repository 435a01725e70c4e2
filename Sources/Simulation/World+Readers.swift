import MessageLayout
import Names
import Pool
import Wire

/// A client that follows the shards of the edition that is served, each from where it was.
struct ReaderSeat {
    var process: Int?
    private(set) var views: [View]
    private var edition: EditionID?

    /// What it has of one shard, and up to where.
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

    /// True where it is told to begin anew, as its cursor is of another file or another life of it.
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

extension World {
    mutating func startReader(_ seat: Int) {
        guard readers[seat].process == nil else { return }
        readers[seat].process = newProcess()
        readers[seat].forget()
        agenda.add(.reader(seat: seat, process: readers[seat].process!), at: now)
    }

    mutating func read(_ seat: Int) {
        agenda.add(
            .reader(seat: seat, process: readers[seat].process!), at: now + dice.number(50...250) * Length.millisecond)
        readAll(seat)
        if wishDice.happens(40) { wish() }
        if screenDice.happens(30) { ask() }
        if scenario.isForgetting {
            if forgetDice.happens(100) { forgetContent() }
            askForMissing()
        }
    }

    /// For one of a few screens. That may be lost, too, and again nothing depends on it.
    private mutating func ask() {
        let width = screenDice.number(391...394)
        guard !screenDice.happens(weather.loss), let target = Target(text: "\(width)@3") else { return }
        agenda.add(.mail(.screen(WantedTarget(target, times: 1))), at: now + screenDice.number(40...300))
    }

    /// Says that a message is waited for, whether or not it is there. It may be lost, and nothing depends on it.
    private mutating func wish() {
        let shard = Shard(UInt16(wishDice.number(0...scenario.shards - 1)))
        let messages = journal.numbers(in: shard)
        guard !messages.isEmpty, !wishDice.happens(weather.loss) else { return }
        let message = wishDice.one(of: messages)
        wished.insert(message)
        agenda.add(.mail(.wish(shard, message)), at: now + wishDice.number(40...300))
    }

    mutating func readAll(_ seat: Int) {
        guard let served, let shards = files[served] else { return }
        for shard in shards.indices where readers[seat].read(shards[shard], shard, of: served) { tally.resyncs += 1 }
    }
}
