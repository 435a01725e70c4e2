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
///     let entries = keeper.close()
///     try journal.commit(JournalTurn(entries: entries, record: …))
///
/// No answer is true before the commit. When that fails nothing was kept, and all of the turn is answered
/// `EventAnswer.unkept`.
package struct Bookkeeper: Equatable, Sendable {
    let shards: Int
    package var limits: IngestLimits
    private var connections = ConnectionMemory()
    private var room = IngestRoom(live: 0, backfill: 0, retryAfter: 0)
    /// What the turn at hand will write.
    var draft = LogDraft()

    package init(shards: Int, limits: IngestLimits = IngestLimits()) {
        (self.shards, self.limits) = (shards, limits)
    }

    /// Begins a turn, in which as much may be accepted as there is room. What an earlier one did not close is forgotten.
    package mutating func open(room: IngestRoom) {
        self.room = room
        draft.begin()
    }

    /// Ends the turn: what is to be committed. Its jobs are due when it is.
    package mutating func close() -> [JournalEntry] {
        defer { draft.begin() }
        return draft.entries
    }

    /// An answer for each event of the request, in their order.
    package mutating func take<Log: Journal & ~Copyable>(
        _ request: IngestRequest, from peer: Peer, in journal: inout Log
    ) throws(Log.Failure) -> [EventAnswer] {
        var answers: [EventAnswer] = []
        answers.reserveCapacity(request.events.count)
        for event in request.events {
            switch event {
            case .failure(let fault): answers.append(fault.answer)
            case .success(let event):
                if let refusal = refusal(of: event, request.lane, from: peer, place: answers.count) {
                    answers.append(refusal)
                } else {
                    answers.append(try keep(event, request.lane, in: &journal))
                }
            }
        }
        return answers
    }

    /// What is answered without a look at the journal.
    private mutating func refusal(of event: MessageEvent, _ lane: Lane, from peer: Peer, place: Int) -> EventAnswer? {
        guard place < limits.eventsPerRequest else {
            return .invalid(field: "events", reason: "expected at most \(limits.eventsPerRequest) in one request")
        }
        guard room.has(lane) else { return .busy(retryAfter: room.retryAfter) }
        if let content = event.body?.content {
            guard content.count <= limits.messageBytes else {
                return .invalid(field: "body", reason: "expected at most \(limits.messageBytes) bytes")
            }
            guard content.count <= limits.textBytes || longestString(in: content) <= limits.textBytes else {
                return .invalid(field: "body", reason: "expected texts of at most \(limits.textBytes) bytes")
            }
        }
        guard connections.admits(event.conversation, from: peer, limits: limits) else {
            return .invalid(
                field: "conversation",
                reason: "expected at most \(limits.conversationsPerConnection) conversations from one connection")
        }
        return nil
    }

    private mutating func keep<Log: Journal & ~Copyable>(
        _ event: MessageEvent, _ lane: Lane, in journal: inout Log
    ) throws(Log.Failure) -> EventAnswer {
        switch try judge(event, in: &journal) {
        case .known(let answer): return answer
        case .news(let news):
            let jobs = try write(news, of: event, lane, in: &journal)
            if jobs > 0 { room.take(lane) }
            return .accepted
        }
    }
}

extension EventAnswer {
    /// What is true of an event that arrived in a turn that could not be committed.
    package func unkept(retryAfter: Int) -> EventAnswer {
        switch self {
        case .accepted, .duplicate, .superseded, .busy: .busy(retryAfter: retryAfter)
        case .invalid: self
        }
    }
}

/// Bytes of the longest string of a JSON text, as it is spelled.
private func longestString(in json: [UInt8]) -> Int {
    var (longest, start, isEscaped): (Int, Int?, Bool) = (0, nil, false)
    for (place, byte) in json.enumerated() {
        if isEscaped {
            isEscaped = false
        } else if byte == 0x5C {
            isEscaped = true
        } else if byte == 0x22 {
            if let open = start { longest = max(longest, place - open - 1) }
            start = start == nil ? place : nil
        }
    }
    return longest
}
