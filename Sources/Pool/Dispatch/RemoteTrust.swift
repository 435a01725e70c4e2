import Names
import Wire

/// How far the rows of a worker without the folder are believed: which are laid out beside the folder, too, and which ones are to be made
/// again when one of those came out otherwise.
///
/// The first ten are looked at, then one of sixteen until ten thousand were made, then one of five hundred; which one of them is chance. So a
/// host that makes one wrong row of a hundred is found out within its first ten thousand rows, but for two such hosts of a thousand; with one of
/// five hundred from the eleventh on it would be three of four that are not.
struct RemoteTrust: Equatable, Sendable {
    /// A row that it made, by the shard of the journal.
    struct Row: Hashable, Sendable {
        var shard: Shard
        var message: MessageNumber
    }

    /// Rows that it was asked for so far.
    private(set) var asked = 0
    /// Those that were looked at.
    private(set) var checked = 0
    /// The newest that it made: what was found equal says little about those between.
    private var made: RingBuffer<Row> = RingBuffer()
    /// The next one that is looked at, counted from its first, and where the stretch after its own begins.
    private var next = 0
    private var stretch = first

    private static let first = 10
    private static let early = (rows: 10_000, share: 16)
    private static let late = 500
    private static let mostKept = 1 << 14

    /// Which of so many more rows are to be looked at.
    mutating func choose(among count: Int, _ context: inout DispatchContext) -> [Int] {
        var places: [Int] = []
        while next < asked + count {
            places.append(next - asked)
            advance(&context)
        }
        asked += count
        checked += places.count
        return places
    }

    private mutating func advance(_ context: inout DispatchContext) {
        guard next + 1 >= Self.first else { return next += 1 }
        let share = stretch < Self.early.rows ? Self.early.share : Self.late
        next = stretch + context.chance(below: share)
        stretch += share
    }

    mutating func note(_ rows: [Row]) {
        for row in rows { _ = made.append(row) }
        while made.count > Self.mostKept { _ = made.popFirst() }
    }

    /// All that is to be made again, each message once.
    var rows: Set<Row> { Set(made.places.compactMap { made[$0] }) }
}
