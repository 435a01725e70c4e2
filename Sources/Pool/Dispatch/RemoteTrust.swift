import Names
import Wire

/// The trust in the rows of a worker without the folder: it chooses the rows that are laid out beside the folder,
/// too, and keeps those that are to be made again when one of them came out otherwise.
///
/// The first ten rows are looked at, then one of sixteen until ten thousand were made, then one of five hundred; the
/// choice is by chance. So of a thousand hosts that make one wrong row of a hundred, all but two are found out within
/// their first ten thousand rows; with one of five hundred from the eleventh on, three of four would not be.
struct RemoteTrust: Equatable, Sendable {
    /// A row that it made, by the shard of the journal.
    struct Row: Hashable, Sendable {
        var shard: Shard
        var message: MessageNumber
    }

    /// The number of rows that it was asked for so far.
    private(set) var asked = 0
    /// The number of those that were looked at.
    private(set) var checked = 0
    /// The newest rows that it made: an equal one says little about those between.
    private var made: RingBuffer<Row> = RingBuffer()
    /// The next row that is looked at, counted from its first, and the place at which the stretch after its own begins.
    private var next = 0
    private var stretch = first

    private static let first = 10
    private static let early = (rows: 10_000, share: 16)
    private static let late = 500
    private static let mostKept = 1 << 14

    /// Chooses the rows to look at, of so many more.
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
