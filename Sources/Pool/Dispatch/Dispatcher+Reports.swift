import Wire

/// What workers say of batches.
extension Dispatcher {
    /// A late report, or of another lease, matches no flight and changes nothing.
    mutating func finish(_ report: BatchReport, _ slot: Int) {
        guard let place = workers[slot]!.flights.firstIndex(where: { $0.id == report.batch }) else { return }
        let (edition, shard) = (workers[slot]!.edition, workers[slot]!.flights[place].shard)
        switch report.end {
        case .committed(_, let origin, _) where !isFile(origin, edition, shard):
            breakLease(edition, shard)
            rebuild(edition, shard, in: origin)
        case .committed(let stamp, let origin, let results):
            let flight = workers[slot]!.flights.remove(at: place)
            workers[slot]!.lentJobs -= flight.tickets.count
            editions[edition].shards[shard].flights -= 1
            editions[edition].shards[shard].failures = 0
            editions[edition].shards[shard].isInDoubt = false
            note(report.unavailable, edition, shard)
            if editions[edition].shards[shard].origin == nil { know(origin, edition, shard) }
            if workers[slot]!.hello.isCaretaker { return release(flight.tickets, edition) }
            finish(flight, stamp, results, edition, shard)
        case .fenced:
            breakLease(edition, shard)
        case .otherFile(let origin):
            breakLease(edition, shard)
            rebuild(edition, shard, in: origin)
        case .blocked(let objection):
            breakLease(edition, shard)
            handOn(edition, shard, from: slot, objection)
        }
    }

    private mutating func finish(
        _ flight: Flight, _ stamp: Stamp, _ results: [LayoutResult], _ edition: Int, _ shard: Int
    ) {
        if areAllStored(flight.tickets, results) { return see(flight.tickets, stamp, edition, shard) }
        var stored: [Ticket] = []
        var back: [Ticket] = []
        var isReturned = false
        for (place, var ticket) in flight.tickets.enumerated() {
            switch outcome(of: ticket.number, results, at: place) {
            case .stored: stored.append(ticket)
            case .returned:
                isReturned = true
                back.append(ticket)
            case .refused(let objection): shelve(ticket, edition, shard, objection)
            case nil:
                // The worker could not speak of it.
                ticket.isSuspect = true
                back.append(ticket)
            }
        }
        putBack(back, edition, shard)
        if isReturned { rest(edition, shard, Objection("jobs were returned")) }
        see(stored, stamp, edition, shard)
    }

    /// As it is, nearly always.
    private func areAllStored(_ tickets: [Ticket], _ results: [LayoutResult]) -> Bool {
        guard results.count == tickets.count else { return false }
        let span = tickets.span
        for (place, result) in results.enumerated() {
            guard result.outcome == .stored, result.job == span[place].number else { return false }
        }
        return true
    }

    /// Readers see it now.
    private mutating func see(_ stored: [Ticket], _ stamp: Stamp, _ edition: Int, _ shard: Int) {
        guard !stored.isEmpty else { return }
        let rows = stored.map {
            ReadyRow(
                conversation: $0.job.conversation, message: $0.job.messageID, revision: $0.job.work.revision,
                shard: Shard(UInt16(shard)), stamp: stamp)
        }
        perform(.ready(rows, editions[edition].id))
        let live = stored.count { $0.lane == .live }
        if edition == servedDesk { pace.finished += live }
        guard limits.waitsForDisk else { return done(stored, edition, shard) }
        editions[edition].seen += live
        editions[edition].shards[shard].unsynced.append(
            ShardDesk.Unsynced(stamp: stamp, tickets: stored, since: now))
    }

    /// Results come in the order of the jobs; any other order is as good, and slower.
    private func outcome(of job: JobNumber, _ results: [LayoutResult], at place: Int) -> LayoutResult.Outcome? {
        if place < results.count, results[place].job == job { return results[place].outcome }
        return results.first { $0.job == job }?.outcome
    }

    /// All that was committed in the shard up to there is on the disk. A word about another file may be old, and about one that is
    /// lost; or the first about one that took its place.
    mutating func settle(_ edition: Int, _ shard: Int, upTo point: ShardPoint) {
        guard editions[edition].shards.indices.contains(shard), let origin = editions[edition].shards[shard].origin
        else { return }
        guard origin == point.origin else {
            editions[edition].shards[shard].isInDoubt = true
            return
        }
        settle(edition, shard, upTo: point.stamp)
    }

    private mutating func settle(_ edition: Int, _ shard: Int, upTo stamp: Stamp) {
        while let next = editions[edition].shards[shard].unsynced.first, next.stamp <= stamp {
            _ = editions[edition].shards[shard].unsynced.popFirst()
            editions[edition].seen -= next.tickets.count { $0.lane == .live }
            done(next.tickets, edition, shard)
        }
    }

    private mutating func done(_ tickets: [Ticket], _ edition: Int, _ shard: Int) {
        let span = tickets.span
        for place in span.indices { finish(span[place], edition, shard) }
        counters.stored += tickets.count
    }

    /// Whether it is the shard's file, as far as is known.
    private func isFile(_ origin: ShardOrigin, _ edition: Int, _ shard: Int) -> Bool {
        editions[edition].shards[shard].origin.map { $0 == origin } ?? true
    }

    /// How many messages have no row there, and get none until something newer is said of them.
    private mutating func note(_ unavailable: Int, _ edition: Int, _ shard: Int) {
        guard unavailable != editions[edition].shards[shard].unavailable else { return }
        editions[edition].shards[shard].unavailable = unavailable
        editions[edition].shards[shard].isDirty = true
    }

    private mutating func know(_ origin: ShardOrigin, _ edition: Int, _ shard: Int) {
        editions[edition].shards[shard].origin = origin
        editions[edition].shards[shard].isInDoubt = false
        editions[edition].shards[shard].isDirty = true
    }

    /// The file is another one than before: what was in the old one is laid out again from the journal, and so is what waits. An
    /// old job of a message that was removed since is known as such by the journal, and not by a new file.
    private mutating func rebuild(_ edition: Int, _ shard: Int, in origin: ShardOrigin) {
        perform(.report(.rebuilding(editions[edition].id, Shard(UInt16(shard)))))
        know(origin, edition, shard)
        note(0, edition, shard)
        lastWalk += 1
        editions[edition].shards[shard].walk = ShardDesk.Walk(lastWalk)
        settle(edition, shard, upTo: Stamp(.max))
        readAnew(edition, shard)
    }
}
