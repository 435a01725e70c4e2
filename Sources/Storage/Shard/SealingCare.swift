import Names
import Record
import Wire

/// The conversations of a shard that are to be looked at for blocks to seal, and the known ends of their ranges.
struct SealingCare {
    /// The end of the last range of each conversation; nil where it has none.
    private var ends: [Int64: Position?] = [:]
    /// The number of rows that were written since the conversation was last looked at.
    private var written: [Int64: Int] = [:]
    /// Conversations with a torn block, and the times from which it may be sealed again, the earliest first.
    private var torn: [(conversation: Int64, time: ContinuousClock.Instant)] = []
    private var tornConversations: Set<Int64> = []
    /// Conversations to look at, the next one last; and those that have come meanwhile, the latest last. They have their
    /// turn in the order in which they came: where there is more to seal than there is time, none is left out.
    private var due: [Int64] = []
    private var dueLater: [Int64] = []
    /// The place in each of these up to which torn blocks have had their turn. A block that is torn again meanwhile has
    /// its own rest before it: where many rows change, a conversation would be looked at without end.
    private var passed: [Int64: Position?] = [:]
    /// The last conversation that was looked at since the shard was taken over, as the worker
    /// before may have left something to do. Nil when all were.
    private(set) var surveyed: Int64? = 0

    /// Rows that are sealed at once; as many more are left behind them, as most changes come to new rows.
    static let rows = RowBlock.usualCount
    static let tail = 2 * RowBlock.usualCount
    private static let limit = 8192

    /// The end of the last range of a conversation; nil where it has to be looked up.
    func end(of conversation: Int64) -> Position?? { ends[conversation] }

    mutating func note(end: Position?, of conversation: Int64) {
        if ends.count >= Self.limit { ends.removeAll(keepingCapacity: true) }
        ends.updateValue(end, forKey: conversation)
    }

    mutating func forgetEnd(of conversation: Int64) { ends.removeValue(forKey: conversation) }

    /// Forgets what may be of a transaction that was rolled back.
    mutating func rollBack() {
        ends.removeAll(keepingCapacity: true)
        passed = passed.mapValues { _ in nil }
    }

    mutating func noteWritten(_ conversation: Int64) {
        let count = written[conversation, default: 0] + 1
        written[conversation] = count < Self.rows ? count : nil
        if count >= Self.rows { noteDue(conversation) }
        // Too many to count: all are looked at again.
        guard written.count > 8 * Self.limit else { return }
        written.removeAll(keepingCapacity: true)
        surveyed = 0
    }

    /// - Parameter time: the time from which the block may be sealed again; it is never before one that was told earlier.
    mutating func noteTorn(_ conversation: Int64, until time: ContinuousClock.Instant) {
        if tornConversations.insert(conversation).inserted { torn.append((conversation, time)) }
    }

    mutating func noteDue(_ conversation: Int64) {
        guard passed[conversation] == nil else { return }
        passed.updateValue(nil, forKey: conversation)
        dueLater.append(conversation)
    }

    /// The number of conversations that wait to be looked at.
    var waiting: Int { due.count + dueLater.count }

    func passed(in conversation: Int64) -> Position? { passed[conversation] ?? nil }

    mutating func note(passed position: Position, in conversation: Int64) {
        passed.updateValue(position, forKey: conversation)
    }

    mutating func noteSurveyed(_ last: Int64?) { surveyed = last }

    /// The next conversation to look at.
    mutating func next(at now: ContinuousClock.Instant) -> Int64? {
        let rested = torn.prefix { $0.time <= now }.count
        for (conversation, _) in torn.prefix(rested) {
            tornConversations.remove(conversation)
            noteDue(conversation)
            passed.updateValue(nil, forKey: conversation)
        }
        torn.removeFirst(rested)
        if due.isEmpty {
            due = dueLater.reversed()
            dueLater.removeAll(keepingCapacity: true)
        }
        return due.last
    }

    /// - Parameter conversation: the one that was to be looked at next.
    mutating func noteDone(_ conversation: Int64) {
        guard due.last == conversation else { return }
        due.removeLast()
        passed[conversation] = nil
    }

    /// Whether there is anything to look at now.
    func isToLook(at now: ContinuousClock.Instant) -> Bool {
        waiting > 0 || surveyed != nil || torn.first.map { $0.time <= now } ?? false
    }
}
