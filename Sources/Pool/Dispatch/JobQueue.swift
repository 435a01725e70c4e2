import Names
import Wire

/// The jobs of one file that wait for a worker: three lanes, and those that are given time before they are tried again.
///
/// Each message has one job at most. A newer job takes the place of an older one, so that a burst of edits waits no
/// longer than its first. Nothing here is searched: adding, taking and putting back cost the same however many wait.
struct JobQueue: Equatable, Sendable {
    private struct Place: Equatable, Sendable {
        var lane: Lane
        var place: Int
    }

    private enum End {
        case front
        case back
    }

    /// The jobs of each lane, in order; nil where one has moved to the front, or to a more urgent lane.
    private var lanes = ByLane(RingBuffer<Ticket?>())
    private var places: [MessageNumber: Place] = [:]
    /// The jobs that are given time, the next one last. They are few: each has been on its way and failed.
    private var delayed: [Delayed] = []
    private(set) var counts = ByLane(0)
    private(set) var bytes = 0

    struct Delayed: Equatable, Sendable {
        var until: Moment
        var ticket: Ticket
    }

    var count: Int { counts[.live] + counts[.backfill] + counts[.relayout] + delayed.count }
    /// The number of jobs that no walk has found, but for those of paused lanes; and of all that are given time.
    func due(unless paused: ByLane<Bool>) -> Int {
        (paused[.live] ? 0 : counts[.live]) + (paused[.backfill] ? 0 : counts[.backfill]) + delayed.count
    }
    var delayedCount: Int { delayed.count }
    /// The number of places in all lanes, with those whose jobs have moved.
    var placeCount: Int { Lane.allCases.reduce(0) { $0 + lanes[$1].count } }
    func isEmpty(_ lane: Lane) -> Bool { counts[lane] == 0 }

    /// Whether something could be lent now.
    func hasReady(_ paused: ByLane<Bool>) -> Bool {
        Lane.allCases.contains { !paused[$0] && counts[$0] > 0 }
    }

    /// Returns the job of the message that waits, or is given time.
    func job(of message: MessageNumber) -> Ticket? {
        if let place = places[message] { return lanes[place.lane][place.place] }
        return delayed.first { $0.ticket.message == message }?.ticket
    }

    /// Returns the job that goes next in a lane, and drops the places before it whose jobs have moved.
    mutating func first(_ lane: Lane) -> Ticket? {
        guard counts[lane] > 0 else { return nil }
        while let slot = lanes[lane].first {
            if let ticket = slot { return ticket }
            _ = lanes[lane].popFirst()
        }
        return nil
    }

    /// Takes the job in at the end of its lane, or in place of an older one of its message.
    ///
    /// - Returns: the job that is not needed any more: the older one, or this where a newer one waits.
    mutating func append(_ ticket: Ticket) -> Ticket? {
        add(ticket, at: .back)
    }

    /// Takes lent jobs back, to the front: also where another job of the message came meanwhile and waits behind
    /// later messages, which would appear before this one.
    ///
    /// - Returns: the jobs that are not needed any more, as a newer one of their message waits.
    mutating func putBack(_ tickets: [Ticket]) -> [Ticket] {
        tickets.reversed().compactMap { ticket in add(ticket, at: .front) }
    }

    /// Puts the job of a message before all others, as readers wait for it: unless there is none, or its lane is
    /// paused, or it is given time.
    mutating func urge(_ message: MessageNumber, unless paused: ByLane<Bool>) {
        guard let known = places[message], !paused[known.lane], var ticket = lanes[known.lane][known.place]
        else { return }
        lanes[known.lane][known.place] = nil
        counts[known.lane] -= 1
        ticket.urgency = .live
        insert(ticket, at: .front)
    }

    /// Gives the job time before it is tried again. Where another job of its message waits, the newer one stays and
    /// goes in its turn: an older one that woke up after it would lay out a state that is changed, or deleted, by then.
    ///
    /// - Returns: the job that is not needed any more.
    mutating func delay(_ ticket: Ticket, until moment: Moment) -> Ticket? {
        guard places[ticket.message] == nil else { return append(ticket) }
        guard let other = takeDelayed(of: ticket.message) else {
            rest(ticket, until: moment)
            return nil
        }
        let isNewer = ticket.replaces(other.ticket)
        var stays = isNewer ? ticket : other.ticket
        let goes = isNewer ? other.ticket : ticket
        stays.succeed(goes)
        rest(stays, until: moment)
        return goes
    }

    private mutating func rest(_ ticket: Ticket, until moment: Moment) {
        let place = delayed.firstIndex { $0.until <= moment } ?? delayed.endIndex
        delayed.insert(Delayed(until: moment, ticket: ticket), at: place)
        bytes += ticket.bytes
    }

    /// Puts jobs that have waited long enough to the front of their lane, and returns those that are not needed any
    /// more.
    mutating func wake(_ now: Moment) -> [Ticket] {
        var needless: [Ticket] = []
        while let next = delayed.last, next.until <= now {
            delayed.removeLast()
            bytes -= next.ticket.bytes
            needless += putBack([next.ticket])
        }
        return needless
    }

    /// Takes the jobs of the next batch. A suspect goes alone: if it takes a worker down again, no innocent is with it.
    mutating func takeBatch(_ lane: Lane, jobs: Int, bytes limit: Int) -> [Ticket] {
        var batch: [Ticket] = []
        var size = 0
        while batch.count < jobs, size < limit, let next = first(lane) {
            if next.isSuspect, !batch.isEmpty { break }
            _ = lanes[lane].popFirst()
            counts[lane] -= 1
            places[next.message] = nil
            bytes -= next.bytes
            size += next.bytes
            batch.append(next)
            if next.isSuspect { break }
        }
        return batch
    }

    /// Returns the number of jobs at the front of a lane for which `holds` is true, up to a limit.
    func countFirst(_ lane: Lane, atMost limit: Int, that holds: (Ticket) -> Bool) -> Int {
        let lane = lanes[lane]
        var count = 0
        for place in lane.places {
            guard let ticket = lane[place] else { continue }
            guard count < limit, holds(ticket) else { break }
            count += 1
        }
        return count
    }

    /// Every job, in no order.
    var all: [Ticket] {
        Lane.allCases.flatMap { lane in lanes[lane].places.compactMap { lanes[lane][$0] } } + delayed.map(\.ticket)
    }

    private mutating func add(_ ticket: Ticket, at end: End) -> Ticket? {
        if let known = places[ticket.message] { return meet(known, ticket, at: end) }
        var ticket = ticket
        let older = delayed.isEmpty ? nil : takeDelayed(of: ticket.message)
        if let older {
            guard ticket.replaces(older.ticket) else {
                var stays = older.ticket
                stays.succeed(ticket)
                rest(stays, until: older.until)
                return ticket
            }
            ticket.succeed(older.ticket)
        }
        insert(ticket, at: end)
        bytes += ticket.bytes
        return older?.ticket
    }

    private mutating func insert(_ ticket: Ticket, at end: End) {
        let lane = ticket.urgency
        let place =
            switch end {
            case .front: lanes[lane].prepend(ticket)
            case .back: lanes[lane].append(ticket)
            }
        places[ticket.message] = Place(lane: lane, place: place)
        counts[lane] += 1
        tidy(lane)
    }

    /// Drops the places whose jobs have moved, where most of a lane are such. Readers may wait for the same messages
    /// again and again while nobody takes a job, and each time a job moves to a new place.
    private mutating func tidy(_ lane: Lane) {
        guard lanes[lane].count > 2 * counts[lane] + 64 else { return }
        let old = lanes[lane]
        var whole = RingBuffer<Ticket?>()
        for place in old.places {
            guard let ticket = old[place] else { continue }
            places[ticket.message] = Place(lane: lane, place: whole.append(ticket))
        }
        lanes[lane] = whole
    }

    private mutating func takeDelayed(of message: MessageNumber) -> Delayed? {
        guard let place = delayed.firstIndex(where: { $0.ticket.message == message }) else { return nil }
        bytes -= delayed[place].ticket.bytes
        return delayed.remove(at: place)
    }

    /// Keeps one of two jobs, as urgent as the more urgent one was, and no later than either would come.
    private mutating func meet(_ known: Place, _ ticket: Ticket, at end: End) -> Ticket? {
        let lane = known.lane
        guard let waiting = lanes[lane][known.place] else { return nil }
        let isNewer = ticket.replaces(waiting)
        var stays = isNewer ? ticket : waiting
        let goes = isNewer ? waiting : ticket
        stays.succeed(goes)
        bytes += stays.bytes - waiting.bytes
        if end == .back, stays.urgency == lane {
            lanes[lane][known.place] = stays
        } else {
            lanes[lane][known.place] = nil
            counts[lane] -= 1
            insert(stays, at: end)
        }
        return goes
    }
}

extension Ticket {
    /// Takes over the time, the urgency, the doubt and the place on the shelf of another job of its message.
    fileprivate mutating func succeed(_ older: Ticket) {
        since = min(older.since, since)
        urgency = min(older.urgency, urgency)
        if older.isDoubted { isDoubted = true }
        replayOf = replayOf ?? older.replayOf
    }
}
