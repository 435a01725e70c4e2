import Names
import Pool
import Replication
import Wire

extension HostProcess {
    /// Judges events against the own journal.
    mutating func judge(
        _ mails: [HostMail], _ partition: Int, over disk: HostDisk, _ scenario: ClusterScenario, at now: Instant
    ) -> Turn {
        var journal = disk.journal
        var keeper = keepers[partition]
        let time = Timestamp(milliseconds: Int64(now.microseconds / Length.millisecond))
        keeper.open(room: IngestRoom(live: .max, backfill: .max, retryAfter: 50), at: time)
        let answers = mails.map { mail in
            (mail: mail, judgements: requests(mail, scenario.script).flatMap { judged($0, &keeper, &journal) })
        }
        let turn = TurnContent(first: disk.end, entries: keeper.close().entries)
        keepers[partition] = keeper
        return Turn(pieces: turn.pieces(atMost: ClusterScenario.turn), answers: answers)
    }

    private func requests(_ mail: HostMail, _ script: EventScript) -> [IngestRequest] {
        switch mail {
        case .salvage(let requests, _, _, _): return requests
        case .lines(let lines, _, _):
            let first = script.lines[lines[0]]
            let events = lines.compactMap { script.lines[$0].event }
            return [IngestRequest(lane: first.lane, subject: first.subject, events: events.map { .success($0) })]
        }
    }

    private func judged(
        _ request: IngestRequest, _ keeper: inout Bookkeeper, _ journal: inout SimulatedJournal
    ) -> [Judgement] {
        do { return try keeper.take(request, from: Peer(route: [1]), in: &journal) } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }
}
