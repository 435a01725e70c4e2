package import Names
package import Wire

/// Decides what becomes of events: what is kept, what that does to the cards of messages, and what must be laid out for it.
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
///     for (request, peer) in requests { answers.append(try keeper.take(request, from: peer, in: &journal)) }
///     try journal.commit(keeper.close(with: …))
///
/// No answer is true before the commit. When that fails nothing was kept, and all of the turn is answered
/// `Judgement.unkept`.
package struct Bookkeeper: Equatable, Sendable {
    let shards: Int
    package var limits: IngestLimits
    /// What events are compared with; nil where nobody is warned.
    package var words: StyleWords?
    /// Events that were accepted with a warning, since the start.
    package private(set) var warned = 0
    private var connections = ConnectionMemory()
    private var room = IngestRoom(live: 0, backfill: 0, retryAfter: 0)
    /// Of the live events that were accepted lately.
    private var shares = FairShares<Payer>(halfLife: .seconds(1))
    /// Times of live events that were refused.
    private var appointments = Appointments<Payer>()

    /// Whose share events are of.
    package enum Payer: Hashable, Sendable {
        /// Everybody who has this key.
        case key(String)
        case connection(Peer)
        /// Who posts with a token of its own, through a gateway.
        case person(SenderID)
    }

    /// What the turn at hand will write.
    var draft = LogDraft()
    /// Of messages that persons post.
    var places = PlaceGiver()

    package init(shards: Int, limits: IngestLimits = IngestLimits()) {
        (self.shards, self.limits) = (shards, limits)
    }

    /// Begins a turn, in which as much may be accepted as there is room. What an earlier one did not close is forgotten.
    ///
    /// - Parameters:
    ///   - time: of the calendar.
    ///   - now: of the loop, by which shares are forgotten.
    package mutating func open(
        room: IngestRoom, at time: Timestamp = Timestamp(milliseconds: 0), turn now: Moment = .start
    ) {
        self.room = room
        places.time = time
        shares.pass(to: now)
        appointments.pass(to: now, pace: room.pace)
        draft.begin()
    }

    /// Ends the turn: what is to be committed. Its jobs are due when it is.
    /// - Parameter record: what the pool wants to be written with it.
    package mutating func close(with record: PoolRecord = PoolRecord()) -> JournalTurn {
        defer { draft.begin() }
        return JournalTurn(entries: draft.entries, notes: draft.notes, record: record)
    }

    /// A judgement of each event of the request, in their order.
    /// - Parameter payer: whose share they are of; a person's own, or the connection's, where there are no keys.
    /// - Throws: with the judgements of the events before the one for which the journal could not be read: these are in the turn.
    package mutating func take<Log: Journal & ~Copyable>(
        _ request: IngestRequest, from peer: Peer, of payer: Payer? = nil, in journal: inout Log
    ) throws(Interruption<Log.Failure>) -> [Judgement] {
        let payer = request.subject.map { .person($0) } ?? payer ?? .connection(peer)
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

    /// What is answered without a look at the journal.
    private mutating func refusal(
        of event: ChatEvent, _ request: IngestRequest, from peer: Peer, _ payer: Payer, place: Int
    ) -> EventAnswer? {
        guard place < limits.eventsPerRequest else {
            return .invalid(field: "events", reason: "expected at most \(limits.eventsPerRequest) in one request")
        }
        if let subject = request.subject, let fault = PersonalRules(subject).fault(in: event, request.lane) {
            return fault.answer
        }
        // The last of the room is for who has had less than others: a producer without measure fills it again and again.
        let isScarce = request.lane == .live && room.live <= room.reserve
        guard room.has(request.lane, isGreedy: isScarce && shares.isGreedy(payer)) else {
            let later = request.lane == .live ? appointments.next(for: payer, pace: room.pace) : 0
            return .busy(retryAfter: room.retryAfter + later, reason: room.reason)
        }
        if let fault = event.message.flatMap({ limits.fault(in: $0) }) { return fault.answer }
        guard connections.admits(event.conversation, from: peer, limits: limits) else {
            return .invalid(
                field: "conversation",
                reason: "expected at most \(limits.conversationsPerConnection) conversations from one connection")
        }
        return nil
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
            let jobs = try write(news, of: event, request.lane, in: &journal)
            if jobs > 0 { room.take(request.lane) }
            let warning = warning(of: event, news.card)
            if warning != nil { warned += 1 }
            return Judgement(.accepted, warning: warning, isOfWhatIsKept: true)
        }
    }

    private func warning(of event: MessageEvent, _ card: MessageCard) -> String? {
        guard let words else { return nil }
        let unknown = words.warning(of: event)
        guard event.body != nil, card.order == nil, card.deletion == nil else { return unknown }
        let missing = "order: is missing; the message is kept, and shown when it has one"
        return unknown.map { "\($0); \(missing)" } ?? missing
    }
}
