import Pool
import Replication
import Storage
import Wire

// Turns of this host, on their way into the logs, and of all hosts, on their way into the journal.
extension ClusterSeat {
    /// Proposes a judged turn to the log, or to the logs of its partitions. Those who posted to a partition are
    /// answered when its log has its part.
    ///
    /// - Parameter answers: the answers to the requests of the turn; those that wait for a log are taken out.
    /// - Returns: false where there is nothing to propose.
    mutating func propose(
        _ written: JournalTurn, of answers: inout [PendingAnswer], from start: Moment, in journal: inout SQLiteJournal
    ) throws -> Bool {
        guard !hasSeveralLogs else { return try proposeParts(of: written, of: &answers, from: start, in: &journal) }
        let content = TurnContent(first: journal.nextPosition, entries: written.entries, notes: written.notes)
        guard !content.isEmpty else { return false }
        try propose(ProposedTurn(content, Judged(answers: answers, start: start)), to: Partition(0))
        answers = []
        return true
    }

    private mutating func proposeParts(
        of written: JournalTurn, of answers: inout [PendingAnswer], from start: Moment, in journal: inout SQLiteJournal
    ) throws -> Bool {
        let places = partitions.map { crew.replica(of: $0)!.applied.next }
        let parts = try written.pieces(
            among: crew.plan.map, atMost: ProposedTurn<Judged>.piece, in: &journal, next: { places[Int($0.number)] })
        for (partition, pieces) in parts {
            let own = answers.filter { $0.partition == partition }
            answers.removeAll { $0.partition == partition }
            try propose(ProposedTurn(pieces, Judged(answers: own, start: start)), to: partition)
        }
        return !parts.isEmpty
    }

    /// Commits a turn of a log to the journal.
    mutating func replay(_ content: TurnContent, in journal: inout SQLiteJournal) throws -> JournalTurn {
        try hasSeveralLogs ? journal.replayAtEnd(content) : journal.replay(content)
    }
}
