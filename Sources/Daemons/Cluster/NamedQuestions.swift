import Pool
import Wire

/// Questions of other hosts that name messages, until these have the numbers of this journal: some in each turn of the
/// loop, as each name is looked for in the journal. Producers wait for the loop meanwhile.
///
///     if !named.take(question, on: route, at: now) { … }  // there is no room
///     for late in named.takeLate(at: now) { … }           // they are answered without rows
///     for (question, route) in named.takeNext() { … }
struct NamedQuestions {
    private var waiting: [(question: NamedRowQuestion, route: [UInt8], since: Moment)] = []

    /// The most names that are looked for in one turn; one question has as many at most.
    static let namesPerTurn = Limits.jobsPerBatch
    private static let most = 256

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: false where there is no room.
    mutating func take(_ question: NamedRowQuestion, on route: [UInt8], at now: Moment) -> Bool {
        guard waiting.count < Self.most else { return false }
        waiting.append((question, route, now))
        return true
    }

    /// Questions that have waited for as long as an answer may take: the host that asks lays out by itself soon.
    mutating func takeLate(at now: Moment) -> [(batch: BatchID, route: [UInt8])] {
        let late = waiting.prefix { now - RowDesk.patience > $0.since }
        waiting.removeFirst(late.count)
        return late.map { ($0.question.question.batch, $0.route) }
    }

    /// The questions of this turn: one at least, where any waits.
    mutating func takeNext() -> [(question: NamedRowQuestion, route: [UInt8])] {
        var (names, count) = (0, 0)
        for one in waiting {
            names += one.question.names.count
            guard count == 0 || names <= Self.namesPerTurn else { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map { ($0.question, $0.route) }
    }
}
