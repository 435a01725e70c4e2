import Wire

/// Jobs of one shard that wait for a worker: three lanes, and those that are given time before they are tried again.
///
/// Of each message there is one at most. A newer job takes the place of an older one, so that a burst of edits waits no longer
/// than its first. Nothing here is searched: adding, taking and putting back cost the same however many wait.
struct JobQueue: Equatable, Sendable {
    private struct Place: Equatable, Sendable {
        var lane: Lane
        var place: Int
    }

    /// Nil where a job has moved to a more urgent lane.
    private var lanes = [RingBuffer<Ticket?>](repeating: RingBuffer(), count: Lane.allCases.count)
    private var places: [MessageNumber: Place] = [:]
    /// Few: each has been on its way and failed. The next one last.
    private var delayed: [Delayed] = []
    private(set) var counts = [Int](repeating: 0, count: Lane.allCases.count)
    private(set) var bytes = 0

    struct Delayed: Equatable, Sendable {
        var until: Moment
        var ticket: Ticket
    }

    var count: Int { counts[0] + counts[1] + counts[2] + delayed.count }
    var delayedCount: Int { delayed.count }
    func isEmpty(_ lane: Lane) -> Bool { counts[Int(lane.rawValue)] == 0 }

    /// The job that goes next in a lane, without those that only left their place behind.
    mutating func first(_ lane: Lane) -> Ticket? {
        let index = Int(lane.rawValue)
        guard counts[index] > 0 else { return nil }
        while let slot = lanes[index].first {
            if let ticket = slot { return ticket }
            _ = lanes[index].popFirst()
        }
        return nil
    }

    /// Takes the job in at the end of its lane, or in place of an older one of its message.
    ///
    /// - Returns: the job that there is no need of any more: the older one, or this where a newer one waits.
    mutating func append(_ ticket: Ticket) -> Ticket? {
        add(ticket) { $0.append($1) }
    }

    /// Takes back what was lent, to the front.
    ///
    /// - Returns: jobs that there is no need of any more, as a newer one of their message waits.
    mutating func putBack(_ tickets: [Ticket]) -> [Ticket] {
        tickets.reversed().compactMap { ticket in add(ticket) { $0.prepend($1) } }
    }

    mutating func delay(_ ticket: Ticket, until moment: Moment) {
        let place = delayed.firstIndex { $0.until <= moment } ?? delayed.endIndex
        delayed.insert(Delayed(until: moment, ticket: ticket), at: place)
        bytes += ticket.bytes
    }

    /// Puts what has waited long enough to the front of its lane.
    mutating func wake(_ now: Moment) -> [Ticket] {
        var needless: [Ticket] = []
        while let next = delayed.last, next.until <= now {
            delayed.removeLast()
            bytes -= next.ticket.bytes
            needless += putBack([next.ticket])
        }
        return needless
    }

    /// The jobs of the next batch. A suspect goes alone: if it takes a worker down again, no innocent is with it.
    mutating func takeBatch(_ lane: Lane, jobs: Int, bytes limit: Int) -> [Ticket] {
        var batch: [Ticket] = []
        var size = 0
        while batch.count < jobs, size < limit, let next = first(lane) {
            if next.isSuspect, !batch.isEmpty { break }
            _ = lanes[Int(lane.rawValue)].popFirst()
            counts[Int(lane.rawValue)] -= 1
            places[next.job.message] = nil
            bytes -= next.bytes
            size += next.bytes
            batch.append(next)
            if next.isSuspect { break }
        }
        return batch
    }

    private mutating func add(
        _ ticket: Ticket, _ insert: (inout RingBuffer<Ticket?>, Ticket) -> Int
    ) -> Ticket? {
        if let known = places[ticket.job.message] { return replace(known, with: ticket) }
        let lane = Int(ticket.lane.rawValue)
        places[ticket.job.message] = Place(lane: ticket.lane, place: insert(&lanes[lane], ticket))
        counts[lane] += 1
        bytes += ticket.bytes
        return nil
    }

    private mutating func replace(_ known: Place, with ticket: Ticket) -> Ticket? {
        let lane = Int(known.lane.rawValue)
        guard let older = lanes[lane][known.place] else { return nil }
        guard older.job.number < ticket.job.number else { return ticket }
        var newer = ticket
        newer.since = min(older.since, ticket.since)
        newer.lane = min(older.lane, ticket.lane)
        bytes += newer.bytes - older.bytes
        if newer.lane == known.lane {
            lanes[lane][known.place] = newer
        } else {
            lanes[lane][known.place] = nil
            counts[lane] -= 1
            let urgent = Int(newer.lane.rawValue)
            places[newer.job.message] = Place(lane: newer.lane, place: lanes[urgent].append(newer))
            counts[urgent] += 1
        }
        return older
    }
}
