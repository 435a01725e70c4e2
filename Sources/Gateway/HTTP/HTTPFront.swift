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
    /// The longest time until the next turn. Keys of tokens are looked at often enough that a revocation ends streams
    /// within a second.
    package var rest: Duration {
        let rest = min(server.rest, desk.rest ?? .seconds(60))
        return desk.troubles == nil ? rest : min(rest, .milliseconds(250))
    }
    package var port: UInt16 { server.port }

    /// Stops taking requests, and finishes those under way; done when `isQuiet`.
    package func quiesce() { server.quiesce() }
    package var isQuiet: Bool { server.isQuiet }

    package mutating func turn(_ health: Health, at times: TokenAccess.Times) {
        let ended = server.turn { request in
            let admission = desk.admit(request, at: times)
            if desk.isBearerKnown { server.vouch() }
            return admission
        } _: { request in
            let answer = desk.answer(request, health, at: times)
            if desk.isBearerKnown { server.vouch() }
            return answer
        }
        answerInTurn()
        let now = ContinuousClock.now
        desk.proceedWithLists(at: now) {
            server.send($0, $1)
        } _: {
            server.end($0)
        }
        for stream in ended { leave(stream, at: now) }
        desk.refresh(at: times) {
            server.send($0, $1)
        } _: {
            server.end($0)
        }
        settleStreams(at: now)
    }

    /// The faults of the keys of tokens; nil where nobody is asked for a token.
    package var troubles: [SecretsError]? { desk.troubles }

    /// The error that keeps a renewed certificate from being shown; nil where there is none.
    package var certificateTrouble: HTTPError? { server.certificateTrouble }

    /// Answers requests whose turn it is, and those whose answers took long to write.
    private mutating func answerInTurn() {
        for (request, answer) in desk.answersInTurn() + desk.answersWritten() { give(answer, to: request) }
    }

    /// The sources that become readable when a long answer is written; none until there was one.
    package var written: [Source] { desk.written }

    /// Answers requests whose events were passed on.
    package func answerEvents() throws {
        for (request, response) in try desk.events?.answers(at: .now) ?? [] { server.answer(request, response) }
    }

    /// Has requests that have waited for a conversation answered in their turns, or refuses them.
    package mutating func take(_ outcome: OpeningOutcome) {
        for (request, answer) in desk.answers(after: outcome) { give(answer, to: request) }
    }

    /// Answers a request for a preview.
    package mutating func take(_ word: ToldWord) {
        if let (request, answer) = desk.take(word) { give(answer, to: request) }
    }

    /// Figures of the gateway, with what is known of the coordinator.
    func metrics(_ health: Health) -> Metrics { desk.metrics(health) }

    /// The addresses whose requests were turned away.
    var turnedAway: TurnedAwayAddresses { desk.turnedAway }

    /// Notes that the reader of a stream, of whichever kind, has gone.
    private func leave(_ stream: Request.ID, at now: ContinuousClock.Instant) {
        desk.streams.leave(stream, at: now)
        desk.listStreams.leave(stream)
    }

    private mutating func give(_ answer: Answer, to request: Request.ID) {
        desk.noteAnswer(to: request)
        switch answer {
        case .response(let response): server.answer(request, response)
        case .stream(let head): if !server.stream(request, head) { leave(request, at: .now) }
        // A prepared answer is given at once, and never after a wait.
        case .prepared, .later: break
        }
    }

    /// Whether events can be passed on; nil where they are not taken.
    package var passesEvents: Bool? { desk.events?.isConnected }
    /// The source that becomes readable when there are answers; nil where events are not taken.
    package var events: Source? { desk.events?.source }

    private func settleStreams(at now: ContinuousClock.Instant) {
        desk.streams.tellWritten(at: now) { server.send($0, $1) }
        desk.streams.settle(at: now) {
            server.send($0, $1)
        } _: {
            server.end($0)
        }
    }

    package func deliver(_ word: ToldWord, to stream: StreamName, isAnswer: Bool = false) -> WordSent {
        desk.streams.deliver(word, to: stream, isAnswer: isAnswer, at: .now) { server.send($0, $1) }
    }

    /// Sends a sign of life in silent streams, and forgets streams whose readers do not come back.
    package func tidyStreams(absence: Duration) {
        desk.streams.tidy(at: .now, absence: absence) { server.send($0, $1) }
        desk.listStreams.tidy(at: .now) { server.send($0, $1) }
    }
}
