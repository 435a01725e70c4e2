import Replication

/// The outcome of an append by etcd's answer; nil where the answer does not fit.
enum EtcdOutcome {
    static func event(_ ticket: AppendTicket, _ records: [LogAppend], _ answer: EtcdTransaction) -> LogEvent? {
        if answer.hasSucceeded { return .appended(ticket) }
        guard answer.ranges.count == records.count * 2 else { return nil }
        let refused = records.indices.filter { place in
            answer.ranges[place * 2].count == 0 || answer.ranges[place * 2 + 1].count > 0
        }
        return refused.isEmpty ? nil : .overtaken(ticket, refused.map { records[$0].partition })
    }

    /// Returns the outcome of an append that was refused for want of room: all of it is there, or nothing.
    static func readBack(_ ticket: AppendTicket, _ records: [LogAppend], _ answer: EtcdTransaction) -> LogEvent? {
        guard answer.ranges.count == records.count else { return nil }
        let found = answer.ranges.map(\.records.first?.value)
        if zip(records, found).allSatisfy({ $0.bytes == $1 }) { return .appended(ticket) }
        let taken = records.indices.filter { found[$0] != nil }
        return taken.isEmpty ? .full(ticket) : .overtaken(ticket, taken.map { records[$0].partition })
    }
}
