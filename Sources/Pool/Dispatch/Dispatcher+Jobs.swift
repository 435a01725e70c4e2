import Wire

/// Where jobs come from, and how they end.
extension Dispatcher {
    mutating func accept(_ due: DueJob) {
        let shard = Int(Shard(of: due.job.conversation, among: latest.count).number)
        latest[shard] = max(latest[shard], due.job.number)
        counters.accepted += 1
        for edition in editions.indices {
            editions[edition].undone += 1
            if due.job.work == .remove { editions[edition].owesRemoval = true }
            guard editions[edition].shards[shard].feed == .live else { continue }
            if editions[edition].held < limits.jobs {
                enqueue(Ticket(job: due.job, lane: due.lane, since: now), edition, shard)
            } else {
                let last = JobNumber(due.job.number.number - 1)
                editions[edition].shards[shard].feed = .behind(after: last, isAsked: false)
            }
        }
    }

    /// A page of what the journal has and memory has not. What it does not name is done, or there with a newer number.
    mutating func take(_ page: JobPage, _ id: EditionID, _ shard: Int) {
        guard let edition = desk(of: id) else { return }
        guard case .behind(let after, _) = editions[edition].shards[shard].feed else { return }
        var next = after.number + 1
        for due in page.jobs {
            finish(next, upTo: due.job.number.number, edition, shard)
            next = due.job.number.number + 1
            enqueue(Ticket(job: due.job, lane: due.lane, since: now), edition, shard)
        }
        finish(next, upTo: page.through.number + 1, edition, shard)
        let isAll = page.through >= latest[shard]
        editions[edition].shards[shard].feed = isAll ? .live : .behind(after: page.through, isAsked: false)
    }

    /// A page of messages that were there before the edition.
    mutating func take(_ jobs: [LayoutJob], _ id: EditionID, _ shard: Int) {
        guard let edition = desk(of: id), var walk = editions[edition].shards[shard].walk, walk.isAsked else { return }
        (walk.isAsked, walk.isLastPage) = (false, jobs.count < limits.page)
        (walk.end, walk.remaining) = (jobs.last?.message ?? walk.after, jobs.count)
        editions[edition].shards[shard].walk = walk
        for job in jobs {
            var ticket = Ticket(job: job, lane: .relayout, since: now)
            ticket.walk = walk.number
            enqueue(ticket, edition, shard)
        }
        endPage(edition, shard)
    }

    mutating func enqueue(_ ticket: Ticket, _ edition: Int, _ shard: Int) {
        editions[edition].open[Int(ticket.lane.rawValue)] += 1
        if let needless = editions[edition].shards[shard].queue.append(ticket) {
            counters.superseded += 1
            finish(needless, edition, shard)
        }
        if editions[edition].workers == 0, ticket.job.work == .remove {
            editions[edition].shards[shard].queue.urge(ticket.message, unless: paused)
        }
    }

    /// The job has ended, one way or another.
    mutating func finish(_ ticket: Ticket, _ edition: Int, _ shard: Int) {
        editions[edition].open[Int(ticket.lane.rawValue)] -= 1
        if let place = ticket.replayOf { note.unshelved.append(place) }
        guard let walk = ticket.walk else {
            return finish(ticket.number.number, upTo: ticket.number.number + 1, edition, shard)
        }
        // A page counts for the walk alone: where its job is newer than the edition, it has come to the edition by itself.
        guard editions[edition].shards[shard].walk?.number == walk else { return }
        editions[edition].shards[shard].walk!.remaining -= 1
        endPage(edition, shard)
    }

    private mutating func finish(_ first: UInt64, upTo end: UInt64, _ edition: Int, _ shard: Int) {
        guard first < end else { return }
        let count = editions[edition].shards[shard].done.finish(first...end - 1)
        editions[edition].undone -= count
        editions[edition].shards[shard].isDirty = true
    }

    private mutating func endPage(_ edition: Int, _ shard: Int) {
        guard var walk = editions[edition].shards[shard].walk, walk.remaining == 0, !walk.isAsked else { return }
        walk.after = walk.end
        editions[edition].shards[shard].walk = walk.isLastPage ? nil : walk
        editions[edition].shards[shard].isDirty = true
    }

    /// Asks the journal for what there is room for.
    mutating func fetch() {
        for edition in editions.indices where editions[edition].isAttended {
            for shard in editions[edition].shards.indices where editions[edition].shards[shard].wantsPage {
                fetch(edition, shard)
            }
        }
    }

    private mutating func fetch(_ edition: Int, _ shard: Int) {
        // A page of a walk, which may be paused, takes no room from what has happened since.
        let hasRoom = editions[edition].due + limits.page <= limits.jobs
        let number = Shard(UInt16(shard))
        if case .behind(let after, false) = editions[edition].shards[shard].feed, hasRoom,
            editions[edition].shards[shard].queue.due < limits.page
        {
            editions[edition].shards[shard].feed = .behind(after: after, isAsked: true)
            perform(.fetchUnfinished(editions[edition].id, number, after: after, limit: limits.page))
        }
        // Only when all newer jobs are here: a walk must not bring one of them before those that it should come after.
        if let walk = editions[edition].shards[shard].walk, walk.remaining == 0, !walk.isAsked,
            editions[edition].workers > 0, editions[edition].shards[shard].feed == .live
        {
            editions[edition].shards[shard].walk!.isAsked = true
            perform(.fetchMessages(editions[edition].id, number, after: walk.after, limit: limits.page))
        }
    }

    /// Gives a job up. In the books it is done.
    mutating func shelve(_ ticket: Ticket, _ edition: Int, _ shard: Int, _ reason: Objection) {
        let place = ShelfPlace(edition: editions[edition].id, shard: Shard(UInt16(shard)), job: ticket.number)
        let job = ShelvedJob(
            place: place, message: ticket.message,
            key: MessageKey(ticket.job.conversation, ticket.job.messageID), reason: reason)
        counters.shelved += 1
        perform(.report(.shelved(job)))
        finish(ticket, edition, shard)
        note.shelved.append(job)
        note.unshelved.removeAll { $0 == place }
    }

    func desk(of id: EditionID) -> Int? { editions.firstIndex { $0.id == id } }

    func isServed(_ id: EditionID) -> Bool { service?.current == id || service?.next == id }

    /// The edition whose backlog decides what is accepted: the one that is served, unless nobody works for it.
    var servedDesk: Int? {
        let current = service.flatMap { desk(of: $0.current) }
        if let current, editions[current].workers > 0 { return current }
        if let filler = (service?.filler).flatMap(desk(of:)), editions[filler].workers > 0 { return filler }
        return editions.indices.first { editions[$0].workers > 0 } ?? current
    }
}
