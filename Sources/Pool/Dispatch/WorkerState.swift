import Wire

/// A worker, as the dispatcher knows it.
struct WorkerState: Equatable, Sendable {
    let peer: Peer
    let hello: WorkerHello
    let edition: EditionSlot
    private(set) var heard: Moment
    /// The number of jobs that it takes at once, by its own word.
    private(set) var credits = 0
    private(set) var mostCredits = 0
    /// The number of batches that it holds and that are not ours: of a coordinator before us, or of a lease that is
    /// broken.
    private(set) var foreign = 0
    /// The batches that were lent to it, in that order: it works on the first.
    private(set) var flights: [Flight] = []
    private(set) var lentJobs = 0
    /// The number of batches that it had, for the share of the later lanes.
    private(set) var turns = 0
    /// The file that was last served.
    var lastFile = FileNumber(0)
    private(set) var isLeaving = false
    private(set) var times = StageTimes()

    init(_ hello: WorkerHello, _ peer: Peer, of edition: EditionSlot, at now: Moment) {
        (self.hello, self.peer, self.edition, heard) = (hello, peer, edition, now)
    }

    /// Returns the number of jobs that it can still take.
    func room(_ limits: DispatchLimits) -> Int {
        guard !isLeaving, flights.count < limits.batchesPerWorker else { return 0 }
        return credits - lentJobs - foreign * limits.jobsPerBatch
    }

    /// Whether it takes jobs at all.
    var isWilling: Bool { credits > 0 && !isLeaving }

    /// The batch that it works on, or would work on next, when nothing more is to be expected of it.
    var inHand: Flight? { flights.first { $0.started != nil } ?? flights.first { !$0.tickets.isEmpty && !$0.isAway } }

    func flight(_ id: BatchID) -> Flight? { flights.first { $0.id == id } }

    mutating func hear(at now: Moment) { heard = now }
    mutating func dismiss() { isLeaving = true }

    mutating func hear(_ beat: WorkerBeat, at now: Moment) {
        credits = Int(beat.credits)
        mostCredits = max(mostCredits, credits)
        times = beat.times
        foreign = beat.held.count { id in !flights.contains { $0.id == id } }
        if beat.hasStarted, let first = beat.held.first, let place = flights.firstIndex(where: { $0.id == first }),
            flights[place].started == nil
        {
            flights[place].started = now
        }
    }

    /// Returns the files of batches that it does not know, after so long: the batches or their reports were lost on
    /// the way.
    func missing(_ beat: WorkerBeat, before moment: Moment) -> Set<FileNumber> {
        Set(flights.filter { $0.since < moment && !$0.isAway && !beat.held.contains($0.id) }.map(\.file))
    }

    mutating func take(_ flight: Flight) {
        if !flight.tickets.isEmpty { turns += 1 }
        lentJobs += flight.tickets.count
        flights.append(flight)
    }

    /// Keeps a batch back, as it is laid out elsewhere before it is sent.
    mutating func keepAway(_ id: BatchID) { flights[flights.firstIndex { $0.id == id }!].isAway = true }

    /// Sends a batch, with rows of a maker where there are some.
    mutating func send(_ id: BatchID, from maker: Peer?, at now: Moment) {
        let place = flights.firstIndex { $0.id == id }!
        (flights[place].isAway, flights[place].maker, flights[place].since) = (false, maker, now)
    }

    /// Ends a batch.
    mutating func land(_ id: BatchID) -> Flight {
        let flight = flights.remove(at: flights.firstIndex { $0.id == id }!)
        lentJobs -= flight.tickets.count
        return flight
    }

    /// Takes back the jobs that were lent to it for the file, in their order. The batches that it holds of them take
    /// room until it says otherwise.
    mutating func giveBack(_ file: FileNumber) -> [Ticket] {
        let back = flights.filter { $0.file == file }
        flights.removeAll { $0.file == file }
        lentJobs -= back.reduce(0) { $0 + $1.tickets.count }
        foreign += back.count
        return back.flatMap { flight in
            guard flight.maker != nil else { return flight.tickets }
            // Their rows may be stored, and no report has told the result of the check.
            return flight.tickets.map { ticket in
                var ticket = ticket
                ticket.isDoubted = true
                return ticket
            }
        }
    }

    /// Blames jobs that were in hand when their worker was lost: they travel alone from now on. One that did so
    /// before gets a strike if it had certainly begun, and else a doubt.
    mutating func blame(_ inHand: Flight, _ context: inout DispatchContext) {
        let place = flights.firstIndex { $0.id == inHand.id }!
        for index in inHand.tickets.indices {
            var ticket = inHand.tickets[index]
            ticket.isSuspect = true
            if inHand.isProbe {
                if inHand.started == nil { ticket.doubts += 1 } else { ticket.strikes += 1 }
                let job = ShelfPlace(edition: hello.edition, shard: ticket.shard, job: ticket.number)
                context.report(.suspected(job, strikes: ticket.strikes, doubts: ticket.doubts))
            }
            flights[place].tickets[index] = ticket
        }
    }

    /// Returns the reason why nothing more is to be expected of it; nil where there is none.
    func loss(_ context: DispatchContext) -> PoolNotice.Loss? {
        if heard + context.limits.silence < context.now { return .silent }
        let isStuck = flights.contains { $0.started.map { $0 + context.limits.work < context.now } ?? false }
        return isStuck ? .stuck : nil
    }

    /// Forgives the silence of a time in which nobody could be heard.
    mutating func forgiveSilence(at now: Moment) {
        heard = now
        for place in flights.indices {
            flights[place].since = now
            if flights[place].started != nil { flights[place].started = now }
        }
    }
}

/// A batch that is lent.
struct Flight: Equatable, Sendable {
    let id: BatchID
    let file: FileNumber
    var tickets: [Ticket]
    var since: Moment
    /// The time at which the worker said that it had begun.
    var started: Moment?
    /// Whether its one job was in hand before when a worker was lost.
    let isProbe: Bool
    /// Whether it is with a worker elsewhere, and its holder has not been sent it.
    var isAway = false
    /// The worker that made the rows that were sent with it.
    var maker: Peer?

    /// Whether all of it is stored, as it is nearly always.
    func isStored(_ results: [LayoutResult]) -> Bool {
        guard results.count == tickets.count else { return false }
        let span = tickets.span
        for (place, result) in results.enumerated() {
            guard result.outcome == .stored, result.job == span[place].number else { return false }
        }
        return true
    }

    /// Returns the outcome of a job. Results come in the order of the jobs; any other order is as good, and slower,
    /// but where two shards of the file gave their jobs the same number.
    func outcome(at place: Int, of results: [LayoutResult]) -> LayoutResult.Outcome? {
        let job = tickets[place].number
        if results.count == tickets.count, results[place].job == job { return results[place].outcome }
        guard tickets.count(where: { $0.number == job }) == 1 else { return nil }
        return results.first { $0.job == job }?.outcome
    }
}
