package import HTTP
package import Secrets
package import Transport

/// The gateway's side of HTTP: a server, and the desk that answers its requests.
///
/// The loop waits for `source`, for at most `rest`, and calls `turn`.
package struct HTTPFront: ~Copyable {
    private let server: Server
    private var desk: HTTPDesk

    package init(_ options: ServerOptions, _ desk: consuming HTTPDesk) throws(HTTPError) {
        self.desk = desk
        server = try Server(options)
    }

    package var source: Source { Source(descriptor: server.descriptor, of: server.owner) }
    package var rest: Duration { server.rest }
    package var port: UInt16 { server.port }

    /// Takes no more, and finishes what is under way; done when `isQuiet`.
    package func quiesce() { server.quiesce() }
    package var isQuiet: Bool { server.isQuiet }

    /// - Throws: what keeps changed keys from being taken up. The turn is done all the same.
    package mutating func turn(_ health: Health, at times: TokenAccess.Times) throws(SecretsError) {
        let ended = server.turn { request in desk.answer(request, health, at: times) }
        let now = ContinuousClock.now
        for stream in ended { desk.streams.leave(stream, at: now) }
        settleStreams(at: now)
        try desk.refresh(at: times)
    }

    /// What became of events that were passed on.
    package func answerEvents() throws {
        for (request, response) in try desk.events?.answers(at: .now) ?? [] { server.answer(request, response) }
    }

    /// Answers those who have waited for a conversation.
    package mutating func take(_ outcome: OpeningOutcome) {
        for (request, answer) in desk.answers(after: outcome) {
            switch answer {
            case .response(let response): server.answer(request, response)
            case .stream(let head): if !server.stream(request, head) { desk.streams.leave(request, at: .now) }
            // Who asks for what is known does not wait.
            case .prepared, .later: break
            }
        }
    }

    /// Becomes readable when there are answers; nil where events are not taken.
    package var events: Source? { desk.events?.source }

    private func settleStreams(at now: ContinuousClock.Instant) {
        desk.streams.settle(at: now) {
            server.send($0, $1)
        } _: {
            server.end($0)
        }
    }

    package func deliver(_ word: ToldWord, to stream: StreamName) -> WordSent {
        desk.streams.deliver(word, to: stream, at: .now) { server.send($0, $1) }
    }

    /// Says something to those to whom nothing is said, and forgets those who do not come back.
    package func tidyStreams(absence: Duration) {
        desk.streams.tidy(at: .now, absence: absence) { server.send($0, $1) }
    }
}
