/// One append at a time for a host, with the records of all partitions that it owns: an append costs a millisecond or two, whatever is in it.
///
/// ```text
///  add ──▶ waiting ──▶ away ──▶ appended
///             ▲          ├────▶ overtaken: refused; records of other partitions go again without it
///             └──────────┴────▶ unknown: the same bytes behind the same places again, and nothing else before that is known
/// ```
///
/// A refusal says nothing of who stands there: after an unknown outcome it may be the record itself. `Replica` reads it back.
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
    /// Partitions of which nothing that is away is wanted any more.
    private var withdrawn: Set<Partition> = []
    /// What has no known outcome, and goes before all else.
    private var unknown: [LogAppend] = []

    package init() {}

    package var isIdle: Bool { waiting.isEmpty && away.isEmpty && unknown.isEmpty }

    /// In the place of what waits of that partition.
    package mutating func add(_ append: LogAppend) {
        waiting.removeAll { $0.partition == append.partition }
        waiting.append(append)
    }

    /// Nothing of the partition is wanted any more. What is away may still be written, and is not asked for again.
    package mutating func withdraw(_ partition: Partition) {
        waiting.removeAll { $0.partition == partition }
        unknown.removeAll { $0.partition == partition }
        if ticket != nil { withdrawn.insert(partition) }
    }

    /// What is to be appended now; nil while an append is away, or where there is nothing. `sent` must follow.
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

    /// Outcomes of what was away; none of an append that is not.
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

    /// What was away and is still wanted.
    private mutating func takeAway() -> [LogAppend] {
        defer { (away, withdrawn, ticket) = ([], [], nil) }
        return away.filter { !withdrawn.contains($0.partition) }
    }
}
