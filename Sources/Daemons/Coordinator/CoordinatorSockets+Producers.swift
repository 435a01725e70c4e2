import JSON
import Operations
import Pool
import Transport
import Wire

private let log = Log("coordinator")

extension CoordinatorSockets {
    /// The most frames that a producer's socket may put before its request: an empty one (REQ), or marks of its own.
    private static let envelopeFrames = 4
    /// The most events of one turn: some twenty milliseconds.
    private static let eventsPerTurn = 2048

    /// The requests that are here, at most as many as a turn takes. Faulty ones are answered at once.
    func readRequests(within limits: RequestLimits) throws -> [HeardRequest] {
        var heard: [HeardRequest] = []
        // libzmq takes from one connection after another. A turn ends before many large requests of one have made all
        // others wait.
        var left = Self.eventsPerTurn
        for _ in 0..<CoordinatorLoop.framesPerTurn where left > 0 {
            guard let message = try events.receiveMessage() else { break }
            var parts = message.parts
            let payload = parts.count > 1 ? parts.removeLast() : []
            guard parts.count <= 1 + Self.envelopeFrames else {
                log.warning("a request has too many frames", ["frames": .number(parts.count)])
                continue
            }
            // The frames before a request are kept until the producer reads its answer.
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
                left -= request.events.count
                let payer = message.sender.map { Bookkeeper.Payer.key($0.name) }
                heard.append(HeardRequest(request: request, envelope: parts, payer: payer, bytes: payload))
            } catch {
                try answer(EventAnswer.json(RequestFault(reason: "\(error)", limits: limits)), to: parts)
            }
        }
        return heard
    }

    /// - Parameter envelope: the route of the asker, and the frames that stood before the request.
    func answer(_ bytes: [UInt8], to envelope: [[UInt8]]) throws {
        // A producer that is gone, or takes no answers, asks again when it is back.
        _ = try events.send(parts: envelope + [bytes])
    }
}
