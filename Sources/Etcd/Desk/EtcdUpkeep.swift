import Pool

/// The upkeep of etcd's room beside trimming: compactions. They are seldom, as each is a change that all nodes agree
/// on.
struct EtcdUpkeep: Equatable, Sendable {
    /// Whether the quota was reached, and nothing was appended since.
    private(set) var isFull = false
    /// The revision of the last removal that is not compacted yet.
    private var revision: UInt64?
    private var next = Moment.start
    private var isCompacting = false

    private static let pause = Duration.seconds(1)
    /// The pause where there is no room, and nothing was removed since: the room may be there already, and count as
    /// taken until nodes are defragmented.
    private static let longPause = Duration.seconds(10)

    /// The time of the next compaction; nil where none is due.
    var wakes: Moment? { revision != nil && !isCompacting ? next : nil }

    mutating func note(_ revision: UInt64) {
        self.revision = revision
        if isFull { next = .start }
    }

    /// - Returns: whether it was not full before.
    mutating func fill(_ revision: UInt64) -> Bool {
        self.revision = self.revision ?? revision
        defer { isFull = true }
        return !isFull
    }

    mutating func clear() { isFull = false }

    mutating func due(at now: Moment) -> UInt64? {
        guard let revision, !isCompacting, next <= now else { return nil }
        (self.revision, isCompacting) = (nil, true)
        return revision
    }

    mutating func compacted(at now: Moment) {
        (isCompacting, next) = (false, now + (isFull ? Self.longPause : Self.pause))
    }
}
