import Operations
import Pool
import Wire

extension CoordinatorLoop {
    /// Hears producers: all requests are read before the first is judged, each step with its code and data at hand.
    mutating func hearProducers() throws {
        let heard = try sockets.readRequests(within: keeper.limits.request)
        watch.lap(.receive)
        let claimed = try claimed(heard)
        guard !claimed.isEmpty else { return }
        for one in claimed { keeper.expect(one.request) }
        for one in claimed { take(one) }
        watch.lap(.decide)
    }

    private mutating func take(_ heard: HeardRequest) {
        let (request, envelope) = (heard.request, heard.envelope)
        shares.count(request.events, at: clock.now)
        let peer = Peer(ofProducer: envelope)
        var taken: [Judgement]
        do {
            taken = try keeper.take(request, from: peer, of: heard.payer, in: &journal)
        } catch {
            // Events that were judged before are in the turn. Of the rest it is not known whether they are kept.
            care.reading.tell(error.failure, at: clock.now)
            let unread = Judgement(.busy(retryAfter: Self.afterTrouble, reason: .disk))
            taken = error.judgements
            taken += Array(repeating: unread, count: request.events.count - taken.count)
        }
        watch.times.count += UInt64(taken.count)
        answers.append(PendingAnswer(envelope: envelope, answers: taken, partition: heard.partition))
    }

    /// Milliseconds until a producer should try again when the disk fails.
    static let afterTrouble = 1000

    /// Takes back the judgements of this turn, as it was not kept.
    mutating func unkeepAnswers(retryAfter: Int, reason: BusyReason) {
        for index in answers.indices { answers[index].unkeep(retryAfter: retryAfter, reason: reason) }
    }

    /// - Parameter start: the start of the turn in which they were read.
    mutating func send(_ answers: [PendingAnswer], since start: Moment) throws {
        let limits = keeper.limits.request
        // All are made before the first is sent: libzmq's thread is woken once for messages without a pause.
        let made = answers.map { $0.json(limits) }
        for (pending, json) in zip(answers, made) { try answer(json, to: pending.envelope) }
        let time = clock.now.sinceStart - start.sinceStart
        for pending in answers { figures.note(pending.answers, after: time) }
    }
}
