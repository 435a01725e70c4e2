package import Names
package import Wire

/// The judge of events: it decides which are kept, how they change the cards of messages, and which jobs they cause.
///
/// ```text
///                    same values: duplicate        complete and changed: a job `.layOut`
///  event ──▶ card ──▶ newer registers: an entry ──▶ deleted, and had a row: a job `.remove`
///                    only older ones: superseded   else: no job
///                    same revision, other value: refused
/// ```
///
/// One turn of the coordinator's loop, whole:
///
///     keeper.open(room: dispatcher.room)
///     for (request, _) in requests { keeper.expect(request) }
///     for (request, peer) in requests { answers.append(try keeper.take(request, from: peer, in: &journal)) }
///     try journal.commit(keeper.close(with: …))
///
/// No answer is true before the commit. When that fails nothing was kept, and all of the turn is answered
/// `Judgement.unkept`.
package struct Bookkeeper: Equatable, Sendable {
    let shards: Int
    package var limits: IngestLimits
    /// The words that events are compared with; nil where nobody is warned.
    package var words: StyleWords?
    /// The number of events that were accepted with a warning, since the start.
    package private(set) var warned = 0
    private var connections = ConnectionMemory()
    private var room = IngestRoom(live: 0, backfill: 0, retryAfter: 0)
    /// The shares of the live events that were accepted lately.
    private var shares = FairShares<Payer>(halfLife: .seconds(1))
    /// The times at which live events that were refused are to come again, and those of events that came at such a time
    /// and found no room: as the pool reports in batches, some turns have less than others. Their line is short.
    private var (appointments, further) = (Appointments<Payer>(), Appointments<Payer>())
    private var refused = RefusedEvents()
    /// The number of events of the turn at hand that were refused before and are still to be judged.
    private var returning = 0

    /// The payer of events, by whose share they are limited.
    package enum Payer: Hashable, Sendable {
        /// Everybody who has this key.
        case key(String)
        case connection(Peer)
        /// A person that posts with a token of its own, through a gateway.
        case person(SenderID)
    }

    /// The draft of the turn at hand.
    var draft = LogDraft()
    /// The giver of orders to messages that persons post.
    var places = PlaceGiver()

    package init(shards: Int, limits: IngestLimits = IngestLimits()) {
        (self.shards, self.limits) = (shards, limits)
    }

    /// Begins a turn, in which as much may be accepted as there is room. An earlier one that was not closed is
    /// forgotten.
    ///
    /// - Parameters:
    ///   - time: the time of the calendar.
    ///   - now: the time of the loop, by which shares are forgotten.
    package mutating func open(
        room: IngestRoom, at time: Timestamp = Timestamp(milliseconds: 0), turn now: Moment = .start
    ) {
        (self.room, returning) = (room, 0)
        places.time = time
        shares.pass(to: now)
        appointments.pass(to: now, pace: room.pace)
        further.pass(to: now, pace: room.pace)
        draft.begin()
    }

    /// Ends the turn, and returns it to be committed. Its jobs are due when it is.
    /// - Parameter record: the changes of the pool that are to be written with it.
    package mutating func close(with record: PoolRecord = PoolRecord()) -> JournalTurn {
        defer { draft.begin() }
        return JournalTurn(entries: draft.entries, notes: draft.notes, record: record)
    }

    /// Counts the events of a request that were refused before: in this turn they have room before those that come for
    /// the first time, of all payers that have been refused some. To be called for each request of the turn, before the
    /// first is taken; without it, the first to come has room.
    package mutating func expect(_ request: IngestRequest) {
        guard request.lane == .live, appointments.count + further.count > 0 else { return }
        for case .success(let event) in request.events where refused.contains(event) { returning += 1 }
    }

    /// Judges each event of the request, in their order.
    /// - Parameters:
    ///   - peer: the connection, whose conversations are counted; nil where another host has it.
    ///   - payer: the payer of events without a subject; nil where there are no keys, and the connection pays.
    /// - Throws: the failure of the journal, with the judgements of the events before it: these are in the turn.
    package mutating func take<Log: Journal & ~Copyable>(
        _ request: IngestRequest, from peer: Peer?, of payer: Payer? = nil, in journal: inout Log
    ) throws(Interruption<Log.Failure>) -> [Judgement] {
        let payer = request.subject.map { .person($0) } ?? payer ?? .connection(peer ?? Peer(route: []))
        var accepted = 0
        defer { if request.lane == .live, accepted > 0 { shares.take(accepted, by: payer) } }
        var judgements: [Judgement] = []
        judgements.reserveCapacity(request.events.count)
        for event in request.events {
            switch event {
            case .failure(let fault): judgements.append(Judgement(fault.answer))
            case .success(let event):
                if let refusal = refusal(of: event, request, from: peer, payer, place: judgements.count) {
                    judgements.append(Judgement(refusal))
                } else {
                    let judgement: Judgement
                    do throws(Log.Failure) { judgement = try keep(event, of: request, in: &journal) } catch {
                        throw Interruption(judgements: judgements, failure: error)
                    }
                    if judgement.answer == .accepted { accepted += 1 }
                    judgements.append(judgement)
                }
            }
        }
        return judgements
    }

    /// A request of which only the first events were judged.
    package struct Interruption<Failure: Error>: Error {
        package let judgements: [Judgement]
        package let failure: Failure
    }

    /// Returns the answer that takes no look at the journal; nil where there is none.
    private mutating func refusal(
        of event: ChatEvent, _ request: IngestRequest, from peer: Peer?, _ payer: Payer, place: Int
    ) -> EventAnswer? {
        let isReturning = request.lane == .live && returning > 0 && refused.contains(event)
        if isReturning { returning -= 1 }
        guard place < limits.eventsPerRequest else {
            return .invalid(field: "events", reason: "expected at most \(limits.eventsPerRequest) in one request")
        }
        if let subject = request.subject, let fault = PersonalRules(subject).fault(in: event, request.lane) {
            return fault.answer
        }
        // The last of the room is for payers that have had less than others: a producer without measure fills it
        // again and again.
        let isScarce = request.lane == .live && room.live <= room.reserve
        let isGreedy = isScarce && shares.isGreedy(payer)
        let givesWay = returning > 0 && !isReturning && appointments.areExpected(of: payer)
        guard room.has(request.lane, isGreedy: isGreedy, besides: givesWay ? returning : 0) else {
            return busy(event, request.lane, payer, isReturning: isReturning)
        }
        if let fault = event.message.flatMap({ limits.fault(in: $0) }) { return fault.answer }
        if let peer, !connections.admits(event.conversation, from: peer, limits: limits) {
            return .invalid(
                field: "conversation",
                reason: "expected at most \(limits.conversationsPerConnection) conversations from one connection")
        }
        return nil
    }

    /// Returns the answer to an event without room, which is told when to come again.
    private mutating func busy(
        _ event: ChatEvent, _ lane: Lane, _ payer: Payer, isReturning: Bool
    ) -> EventAnswer {
        guard lane == .live else { return .busy(retryAfter: room.retryAfter, reason: room.reason) }
        refused.insert(event)
        let pace = room.pace
        let later = isReturning ? further.next(for: payer, pace: pace) : appointments.next(for: payer, pace: pace)
        return .busy(retryAfter: room.retryAfter + later, reason: room.reason)
    }

    private mutating func keep<Log: Journal & ~Copyable>(
        _ event: ChatEvent, of request: IngestRequest, in journal: inout Log
    ) throws(Log.Failure) -> Judgement {
        switch event {
        case .message(let event): return try keep(event, of: request, in: &journal)
        case .conversation(let event):
            return Judgement(try judge(event, for: request.subject, in: &journal), isOfWhatIsKept: true)
        }
    }

    private mutating func keep<Log: Journal & ~Copyable>(
        _ event: MessageEvent, of request: IngestRequest, in journal: inout Log
    ) throws(Log.Failure) -> Judgement {
        switch try judge(event, for: request.subject, in: &journal) {
        case .known(let answer): return Judgement(answer, isOfWhatIsKept: true)
        case .news(let news):
            // An entry has no subject: the reader of a person's choices would be known to its card alone, among others.
            var event = event
            if event.react?.reader == nil { event.react?.reader = request.subject }
            let jobs = try write(news, of: event, request.lane, in: &journal)
            if jobs > 0 { room.take(request.lane) }
            let warning = warning(of: event, news.card)
            if warning != nil { warned += 1 }
            return Judgement(.accepted, warning: warning, isOfWhatIsKept: true)
        }
    }

    private func warning(of event: MessageEvent, _ card: MessageCard) -> String? {
        guard let words else { return nil }
        let (unknown, early) = (words.warning(of: event), event.body?.time.warning)
        let lacksOrder = event.body != nil && card.order == nil && card.deletion == nil
        let missing = lacksOrder ? "order: is missing; the message is kept, and shown when it has one" : nil
        guard unknown ?? early ?? missing != nil else { return nil }
        return [unknown, early, missing].compactMap(\.self).joined(separator: "; ")
    }
}

extension Timestamp {
    /// The warning about a time that somebody gave in seconds: any since 1973 is between these numbers, and as
    /// milliseconds before that, when nobody chatted. Smaller numbers are those of trials.
    fileprivate var warning: String? {
        guard 100_000_000..<100_000_000_000 ~= milliseconds else { return nil }
        let year = 1970 + milliseconds / 31_556_952_000
        return "time: \(milliseconds) is taken as milliseconds, a day of \(year); multiply seconds by 1000"
    }
}
