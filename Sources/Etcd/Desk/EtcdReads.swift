import Replication

/// The wishes to read: the newest of each log. One request takes all of them, and one request is away at a time.
struct EtcdReads: Equatable, Sendable {
    private var wishes: [Partition: ReadWish] = [:]
    private var isAway = false
    /// The most records of a log in one request; fewer after an answer that did not come in time.
    private var page = LogBounds.page

    /// The most logs of a request: each takes two of the 128 steps that a transaction may have.
    private static let mostLogs = 32

    var isIdle: Bool { wishes.isEmpty && !isAway }

    mutating func add(_ wish: ReadWish) { wishes[wish.partition] = wish }

    /// Returns the wishes to ask for now; nil where there are none, or a request is away.
    mutating func next() -> [ReadWish]? {
        guard !isAway, !wishes.isEmpty else { return nil }
        let chosen = wishes.keys.sorted().prefix(Self.mostLogs).compactMap { wishes.removeValue(forKey: $0) }
        isAway = true
        return paged(chosen)
    }

    func paged(_ wishes: [ReadWish]) -> [ReadWish] {
        wishes.map { ReadWish(partition: $0.partition, after: $0.after, limit: min($0.limit, page)) }
    }

    mutating func end(isAnswered: Bool) {
        isAway = false
        if isAnswered { page = min(LogBounds.page, page * 2) }
    }

    mutating func shorten() { page = max(1, page / 2) }

    /// Returns the contents of a log by an answer; nil where its records have gaps.
    static func events(
        _ wish: ReadWish, whole: EtcdRange, behind: EtcdRange, _ keys: EtcdKeys
    ) -> [LogEvent]? {
        let partition = wish.partition
        guard whole.count > 0 else { return [.reset(partition)] }
        guard let extent = extent(whole, of: partition, keys) else { return nil }
        var place = max(wish.after, extent.trimmed)
        var events: [LogEvent] = []
        for record in behind.records {
            guard let (owner, sequence) = keys.place(record.key), owner == partition else { return nil }
            // The first key is the place of the last trim.
            if sequence == extent.trimmed { continue }
            guard place < extent.last, sequence == place.next else { return nil }
            if events.count < wish.limit { events.append(.entry(partition, sequence, record.value)) }
            place = sequence
        }
        guard events.count == wish.limit || place >= extent.last else { return nil }
        return events + [.end(partition, extent)]
    }

    static func extent(_ whole: EtcdRange, of partition: Partition, _ keys: EtcdKeys) -> LogExtent? {
        guard let first = whole.records.first, let (owner, trimmed) = keys.place(first.key), owner == partition,
            case let (last, isTooLong) = trimmed.number.addingReportingOverflow(whole.count - 1), !isTooLong
        else { return nil }
        return LogExtent(last: LogSequence(last), trimmed: trimmed)
    }
}
