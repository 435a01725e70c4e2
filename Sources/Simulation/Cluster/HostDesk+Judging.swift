import Names
import Pool
import Replication
import Wire

extension HostDesk {
    /// Judges mail against the own journal, in one turn, and returns the part of it that each log gets.
    /// - Parameter places: by partition, the place where its log goes on.
    mutating func judged(
        _ heard: [(partition: Int, mails: [HostMail])], _ places: [LogPosition], over disk: HostDisk, at now: Instant
    ) -> [(partition: Int, turn: Turn)] {
        let own = keepers.count > 1 ? heard[0].partition : 0
        var (journal, keeper) = (disk.journal, keepers[own])
        let time = Timestamp(milliseconds: Int64(now.microseconds / Length.millisecond))
        keeper.open(room: IngestRoom(live: .max, backfill: .max, retryAfter: 50), at: time)
        var all: [(partition: Int, turn: Turn)] = []
        for (partition, mails) in heard {
            var turn = Turn()
            for mail in mails {
                var judgements: [Judgement] = []
                for request in requests(mail) { judgements += judgement(of: request, &keeper, &journal) }
                turn.answers.append((mail: mail, judgements: judgements))
            }
            all.append((partition: partition, turn: turn))
        }
        let written = keeper.close()
        keepers[own] = keeper
        guard disk.hasSeveralLogs else {
            let turn = TurnContent(first: disk.end(of: heard[0].partition), entries: written.entries)
            all[0].turn.pieces = turn.pieces(atMost: ClusterScenario.turn)
            return all
        }
        let pieces = pieces(of: written, places, &journal)
        for index in all.indices { all[index].turn.pieces = pieces[all[index].partition] ?? [] }
        return all
    }

    /// By partition, the turns that its log gets.
    private func pieces(
        of turn: JournalTurn, _ places: [LogPosition], _ journal: inout SimulatedJournal
    ) -> [Int: [TurnContent]] {
        do {
            let parts = try turn.pieces(
                among: scenario.map, atMost: ClusterScenario.turn, in: &journal, next: { places[Int($0.number)] })
            return Dictionary(uniqueKeysWithValues: parts.map { (Int($0.partition.number), $0.pieces) })
        } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }

    private func requests(_ mail: HostMail) -> [IngestRequest] {
        switch mail {
        case .salvage(let requests, _, _, _): return requests
        case .lines(let lines, _, _), .part(let lines, _), .posted(let lines, _, _, _):
            let script = scenario.script
            let first = script.lines[lines[0]]
            let events = lines.compactMap { script.lines[$0].event }
            return [IngestRequest(lane: first.lane, subject: first.subject, events: events.map { .success($0) })]
        }
    }

    private func judgement(
        of request: IngestRequest, _ keeper: inout Bookkeeper, _ journal: inout SimulatedJournal
    ) -> [Judgement] {
        do { return try keeper.take(request, from: Peer(route: [1]), in: &journal) } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }
}
