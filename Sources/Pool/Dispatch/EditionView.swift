package import Wire

/// What readers are told of editions.
package struct EditionView: Equatable, Sendable {
    package var current: EditionID
    /// It is laid out to take the place of the current one.
    package var next: EditionID?
    /// Rows that the current edition lacks are given from this one, as nobody lays out the current one any more.
    package var filler: EditionID?

    package init(current: EditionID, next: EditionID? = nil, filler: EditionID? = nil) {
        (self.current, self.next, self.filler) = (current, next, filler)
    }
}

// Which edition fills the gaps of the served one.
//
// ```text
//                  the served edition has only caretakers, and the next one has workers
//   (no filler) ──────────────────────────────────────────────────────────────────────▶ the next edition fills
//        ▲                                                                                    │
//        └── the next one is served, or the served one has workers again and all that it lacked┘
// ```
//
// The journal remembers it: rows that were withdrawn from the served edition, and all that came since, are shown by nothing else,
// also when this coordinator has ended and no worker has come to the next one yet.
extension Dispatcher {
    /// The edition in whose rows readers are shown what is accepted now.
    var shownDesk: Int? { (service?.filler ?? service?.current).flatMap(desk(of:)) }

    /// Decides whether the served edition is filled from the next one, and says what has changed for readers.
    mutating func settleView() {
        guard var service, let current = desk(of: service.current) else { return }
        if let filler = service.filler {
            let isWhole = editions[current].workers > 0 && editions[current].isThrough(atMost: Self.mostLacking)
            if isWhole || filler == service.current || desk(of: filler) == nil { service.filler = nil }
        }
        if service.filler != service.next, let next = service.next, let place = desk(of: next),
            editions[current].workers == 0, editions[current].caretakers > 0, editions[place].workers > 0
        {
            service.filler = next
        }
        if service != self.service { serve(service) }
        let view = EditionView(current: service.current, next: service.next, filler: service.filler)
        guard view != told else { return }
        told = view
        perform(.serve(view))
    }

    /// With so many jobs undone, the served edition lacks nothing that is not on its way.
    private static let mostLacking = 64

    /// How many jobs at the front of a lane are a caretaker's, up to a limit. What only it can take away, as it is deleted, is at once; a row
    /// that shows what its message was goes when the filler has what it is, and the journal knows the filler, so that readers are shown the
    /// one or the other.
    func jobsOfCaretaker(_ lane: Lane, _ edition: Int, _ shard: Int, atMost limit: Int) -> Int {
        let filler = note.service == nil ? (service?.filler).flatMap(desk(of:)) : nil
        return editions[edition].shards[shard].queue.countFirst(lane, atMost: limit) { ticket in
            guard case .layOut = ticket.job.work else { return true }
            return filler.map { shows(ticket, $0, shard) } ?? false
        }
    }

    /// Whether the edition has what the message was by this job, or later. The job is in its books as done also when a newer one took its
    /// place: that one must not be on its way, as it may be where this edition is ahead of the one that the job waits in.
    private func shows(_ ticket: Ticket, _ edition: Int, _ shard: Int) -> Bool {
        let desk = editions[edition].shards[shard]
        guard desk.done.contains(ticket.number), desk.feed == .live else { return false }
        func isOwed(_ other: Ticket) -> Bool {
            other.message == ticket.message && other.number > ticket.number && !desk.done.contains(other.number)
        }
        if let waiting = desk.queue.job(of: ticket.message), isOwed(waiting) { return false }
        let flights = desk.lease.map { workers[$0.worker]!.flights } ?? []
        return !flights.contains { $0.shard == shard && $0.tickets.contains(where: isOwed) }
            && !desk.unsynced.places.contains { desk.unsynced[$0].tickets.contains(where: isOwed) }
    }

    /// Nobody lays the edition out from now on: deletions do not wait behind what a caretaker leaves for the filler.
    mutating func urgeRemovals(_ edition: Int) {
        for shard in editions[edition].shards.indices {
            for ticket in editions[edition].shards[shard].queue.all where ticket.job.work == .remove {
                editions[edition].shards[shard].queue.urge(ticket.message, unless: paused)
            }
        }
    }

    /// A caretaker has done it as far as it can: for the edition it stays undone, and is there again for a worker that lays out.
    mutating func release(_ tickets: [Ticket], _ edition: Int) {
        for ticket in tickets { editions[edition].open[Int(ticket.lane.rawValue)] -= 1 }
        editions[edition].isCaredFor = true
    }

    /// The first worker that lays out comes to an edition that had caretakers: all that they left undone comes from the journal.
    mutating func takeOver(_ edition: Int) {
        for shard in editions[edition].shards.indices {
            if let lease = editions[edition].shards[shard].lease, workers[lease.worker]!.hello.isCaretaker {
                breakLease(edition, shard)
            }
            if editions[edition].isCaredFor { readAnew(edition, shard) }
        }
        editions[edition].isCaredFor = false
    }

    /// What waits for the shard is forgotten, and comes from the journal again.
    mutating func readAnew(_ edition: Int, _ shard: Int) {
        for ticket in editions[edition].shards[shard].queue.all {
            editions[edition].open[Int(ticket.lane.rawValue)] -= 1
        }
        editions[edition].shards[shard].queue = JobQueue()
        let through = JobNumber(editions[edition].shards[shard].done.through)
        editions[edition].shards[shard].feed = .behind(after: through, isAsked: false)
    }
}
