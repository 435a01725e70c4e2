/// A host's queue of appends: one at a time, with the records of all partitions that it owns, as an append costs a
/// millisecond or two, whatever is in it.
///
/// ```text
///  add ──▶ waiting ──▶ away ──▶ appended
///             ▲          ├────▶ overtaken: refused; records of other partitions go again without it
///             └──────────┴────▶ unknown: the same bytes behind the same places again; nothing else until it is known
/// ```
///
/// A refusal does not say whose record stands there: after an unknown outcome it may be the record itself. `Replica`
/// reads it back.
package struct AppendQueue: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case appended
        case refused
        /// There is no room, and nothing was written.
        case full
    }

    private var waiting: [LogAppend] = []
    private var away: [LogAppend] = []
    private var ticket: AppendTicket?
    /// The partitions of which no record that is away is wanted any more.
    private var withdrawn: Set<Partition> = []
    /// The records with an unknown outcome, which go before all else.
    private var unknown: [LogAppend] = []

    package init() {}

    package var isIdle: Bool { waiting.isEmpty && away.isEmpty && unknown.isEmpty }

    /// Adds a record, in place of one of its partition that waits.
    package mutating func add(_ append: LogAppend) {
        waiting.removeAll { $0.partition == append.partition }
        waiting.append(append)
    }

    /// Drops the records of a partition. One that is away may still be written, and is not asked for again.
    package mutating func withdraw(_ partition: Partition) {
        waiting.removeAll { $0.partition == partition }
        unknown.removeAll { $0.partition == partition }
        if ticket != nil { withdrawn.insert(partition) }
    }

    /// Returns the records to append now; nil while an append is away, or where there are none. `sent` must follow.
    package mutating func next() -> [LogAppend]? {
        guard ticket == nil else { return nil }
        if !unknown.isEmpty {
            (away, unknown) = (unknown, [])
            return away
        }
        var bytes = 0
        let count = waiting.prefix(LogBounds.partitions).prefix { append in
            bytes += append.bytes.count
            return bytes <= LogBounds.record
        }.count
        guard !waiting.isEmpty else { return nil }
        away = Array(waiting.prefix(max(1, count)))
        waiting.removeFirst(away.count)
        return away
    }

    package mutating func sent(as ticket: AppendTicket) { self.ticket = ticket }

    /// Returns the outcomes of the append that was away; none where the event is of another.
    package mutating func take(_ event: LogEvent) -> [(LogAppend, Outcome)] {
        switch event {
        case .appended(let ticket): return settle(ticket) { _ in .appended }
        case .full(let ticket): return settle(ticket) { _ in .full }
        case .overtaken(let ticket, let partitions):
            return settle(ticket) { partitions.contains($0.partition) ? .refused : nil }
        case .unknown(let ticket):
            guard self.ticket == ticket else { return [] }
            unknown = takeAway()
            return []
        case .entry, .end, .reset: return []
        }
    }

    private mutating func settle(
        _ ticket: AppendTicket, _ outcome: (LogAppend) -> Outcome?
    ) -> [(LogAppend, Outcome)] {
        guard self.ticket == ticket else { return [] }
        var outcomes: [(LogAppend, Outcome)] = []
        for append in takeAway() {
            if let outcome = outcome(append) {
                outcomes.append((append, outcome))
            } else if !waiting.contains(where: { $0.partition == append.partition }) {
                waiting.insert(append, at: 0)
            }
        }
        return outcomes
    }

    /// Takes the records that were away, and returns those that are still wanted.
    private mutating func takeAway() -> [LogAppend] {
        defer { (away, withdrawn, ticket) = ([], [], nil) }
        return away.filter { !withdrawn.contains($0.partition) }
    }
}
