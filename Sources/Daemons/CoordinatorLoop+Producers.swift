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
    var answers: [EventAnswer]
}

extension CoordinatorLoop {
    /// Frames that a producer's socket may put before its request: an empty one (REQ), or marks of its own.
    private static let envelopeFrames = 4

    mutating func hearProducers() throws {
        for _ in 0..<Self.framesPerTurn {
            guard var parts = try events.receive() else { return }
            let payload = parts.count > 1 ? parts.removeLast() : []
            guard parts.count <= 1 + Self.envelopeFrames else {
                log.warning("a request has too many frames", ["frames": .number(parts.count)])
                continue
            }
            do throws(JSONError) {
                let request = try IngestRequest(parsing: payload, eventLimit: keeper.limits.eventsPerRequest)
                watch.lap(.receive)
                try take(request, from: parts)
                watch.lap(.decide)
            } catch {
                try answer(EventAnswer.json(error: "\(error)"), to: parts)
            }
        }
    }

    private mutating func take(_ request: IngestRequest, from envelope: [[UInt8]]) throws(JSONError) {
        let peer = Peer(route: envelope[0])
        var taken: [EventAnswer]
        do {
            taken = try keeper.take(request, from: peer, in: &journal)
        } catch {
            // The journal cannot be read, and nobody can say what is known.
            log.error("the journal cannot be read", ["reason": "\(error)"])
            taken = request.events.map { _ in .busy(retryAfter: Self.afterTrouble) }
        }
        watch.times.count += UInt64(taken.count)
        answers.append(PendingAnswer(envelope: envelope, answers: taken))
    }

    /// Milliseconds until a producer should try again when the disk does not do its work.
    static let afterTrouble = 1000

    mutating func unkeepAnswers() {
        for index in answers.indices {
            answers[index].answers = answers[index].answers.map { $0.unkept(retryAfter: Self.afterTrouble) }
        }
    }

    mutating func sendAnswers() throws {
        for pending in answers { try answer(EventAnswer.json(pending.answers), to: pending.envelope) }
        answers.removeAll(keepingCapacity: true)
    }

    private func answer(_ bytes: [UInt8], to envelope: [[UInt8]]) throws {
        // A producer that is gone, or takes no answers, asks again when it is back.
        _ = try events.send(parts: envelope + [bytes])
    }
}
