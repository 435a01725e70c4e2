import Pool

/// Upkeep of the room of etcd beside trimming: compactions, as each is a change that all nodes agree on, seldom.
struct EtcdUpkeep: Equatable, Sendable {
    /// The quota was reached, and nothing was appended since.
    private(set) var isFull = false
    /// Revision of the last removal that is not compacted yet.
    private var revision: UInt64?
    private var next = Moment.start
    private var isCompacting = false

    private static let pause = Duration.seconds(1)
    /// Pause where nothing was removed since: the room may be there already, and only be counted as taken until nodes are defragmented.
    private static let longPause = Duration.seconds(10)

    /// When there is something to do.
    var wakes: Moment? { revision != nil && !isCompacting ? next : nil }

    mutating func note(_ revision: UInt64) {
        self.revision = revision
        if isFull { next = .start }
    }

    /// - Returns: whether that is new.
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
