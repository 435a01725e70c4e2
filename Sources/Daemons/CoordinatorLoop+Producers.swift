import JSON
import Operations
import Pool
import Transport
import Wire

private let log = Log("coordinator")

/// What will be told to who asked, once the turn is in the journal.
struct PendingAnswer {
    /// Who asked, and whatever frames stood before the request: they stand before the answer, too.
    var envelope: [[UInt8]]
    var answers: [Judgement]
}

extension CoordinatorLoop {
    /// Frames that a producer's socket may put before its request: an empty one (REQ), or marks of its own.
    private static let envelopeFrames = 4
    /// Some twenty milliseconds.
    private static let eventsPerTurn = 2048

    mutating func hearProducers() throws {
        let limits = keeper.limits.request
        // libzmq takes from one connection after another. A turn ends before many large requests of one have made all others wait.
        var left = Self.eventsPerTurn
        for _ in 0..<Self.framesPerTurn where left > 0 {
            guard let message = try sockets.events.receiveMessage() else { return }
            var parts = message.parts
            let payload = parts.count > 1 ? parts.removeLast() : []
            guard parts.count <= 1 + Self.envelopeFrames else {
                log.warning("a request has too many frames", ["frames": .number(parts.count)])
                continue
            }
            // They would be kept until the producer reads its answer.
            let envelope = parts.dropFirst().reduce(0) { $0 + $1.count }
            guard message.refused != nil || envelope <= Limits.envelope else {
                let reason = "frames before a request come back with its answer: expected \(Limits.envelope) bytes at "
                let fault = RequestFault(reason: reason + "most, found \(envelope)", limits: limits)
                try answer(EventAnswer.json(fault), to: [parts[0]])
                continue
            }
            if let length = message.refused {
                log.warning("a request is longer than one may be", ["bytes": .number(length)])
                let front = envelope <= Limits.envelope ? parts : [parts[0]]
                try answer(EventAnswer.json(RequestFault.tooLong(length, limits)), to: front)
                continue
            }
            do throws(JSONError) {
                let request = try IngestRequest(parsing: payload, eventLimit: limits.events)
                watch.lap(.receive)
                left -= request.events.count
                try take(request, from: parts, of: message.sender.map { .key($0.name) })
                watch.lap(.decide)
            } catch {
                try answer(EventAnswer.json(RequestFault(reason: "\(error)", limits: limits)), to: parts)
            }
        }
    }

    private mutating func take(
        _ request: IngestRequest, from envelope: [[UInt8]], of payer: Bookkeeper.Payer?
    ) throws(JSONError) {
        shares.count(request.events, at: clock.now)
        let peer = Peer(route: envelope[0])
        var taken: [Judgement]
        do {
            taken = try keeper.take(request, from: peer, of: payer, in: &journal)
        } catch {
            // What was judged before is in the turn. Of the rest nobody can say what is known.
            log.error("the journal cannot be read", ["reason": "\(error.failure)"])
            let unread = Judgement(.busy(retryAfter: Self.afterTrouble, reason: .disk))
            taken = error.judgements
            taken += Array(repeating: unread, count: request.events.count - taken.count)
        }
        watch.times.count += UInt64(taken.count)
        answers.append(PendingAnswer(envelope: envelope, answers: taken))
    }

    /// Milliseconds until a producer should try again when the disk does not do its work.
    static let afterTrouble = 1000

    mutating func unkeepAnswers() {
        for index in answers.indices {
            answers[index].answers = answers[index].answers.map { Judgement($0.unkept(retryAfter: Self.afterTrouble)) }
        }
    }

    /// - Parameter start: of the turn in which they were read.
    mutating func sendAnswers(since start: Moment) throws {
        let limits = keeper.limits.request
        for pending in answers {
            var warnings: [Int: String] = [:]
            for (place, answer) in pending.answers.enumerated() { warnings[place] = answer.warning }
            let json = EventAnswer.json(pending.answers.lazy.map(\.answer), warnings: warnings, limits: limits)
            try answer(json, to: pending.envelope)
            figures.note(pending.answers, after: clock.now.sinceStart - start.sinceStart)
        }
        answers.removeAll(keepingCapacity: true)
    }

    private func answer(_ bytes: [UInt8], to envelope: [[UInt8]]) throws {
        // A producer that is gone, or takes no answers, asks again when it is back.
        _ = try sockets.events.send(parts: envelope + [bytes])
    }
}
