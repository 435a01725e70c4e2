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
    /// Keys of tokens are looked at often enough that one that is revoked ends its streams within a second.
    package var rest: Duration {
        let rest = min(server.rest, desk.rest ?? .seconds(60))
        return desk.troubles == nil ? rest : min(rest, .milliseconds(250))
    }
    package var port: UInt16 { server.port }

    /// Takes no more, and finishes what is under way; done when `isQuiet`.
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
        for stream in ended {
            desk.streams.leave(stream, at: now)
            desk.listStreams.leave(stream)
        }
        desk.refresh(at: times) {
            server.send($0, $1)
        } _: {
            server.end($0)
        }
        settleStreams(at: now)
    }

    /// What of the keys of tokens cannot be read; nil where nobody is asked for one.
    package var troubles: [SecretsError]? { desk.troubles }

    /// Why a certificate that was replaced is not shown.
    package var certificateTrouble: HTTPError? { server.certificateTrouble }

    /// Answers requests whose turn it is, and those whose answers took long to write.
    private mutating func answerInTurn() {
        for (request, answer) in desk.answersInTurn() + desk.answersWritten() { give(answer, to: request) }
    }

    /// Become readable when a long answer is written; none until there was one.
    package var written: [Source] { desk.written }

    /// What became of events that were passed on.
    package func answerEvents() throws {
        for (request, response) in try desk.events?.answers(at: .now) ?? [] { server.answer(request, response) }
    }

    /// Answers those who have waited for a conversation.
    package mutating func take(_ outcome: OpeningOutcome) {
        for (request, answer) in desk.answers(after: outcome) { give(answer, to: request) }
    }

    /// Answers a request for a preview.
    package mutating func take(_ word: ToldWord) {
        if let (request, answer) = desk.take(word) { give(answer, to: request) }
    }

    /// Figures of the gateway, with what is known of the coordinator.
    func metrics(_ health: Health) -> Metrics { desk.metrics(health) }

    private mutating func give(_ answer: Answer, to request: Request.ID) {
        desk.noteAnswer(to: request)
        switch answer {
        case .response(let response): server.answer(request, response)
        case .stream(let head): if !server.stream(request, head) { desk.streams.leave(request, at: .now) }
        // Who asks for what is known does not wait.
        case .prepared, .later: break
        }
    }

    /// Events can be passed on; nil where they are not taken.
    package var passesEvents: Bool? { desk.events?.isConnected }
    /// Becomes readable when there are answers; nil where events are not taken.
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

    /// Says something to those to whom nothing is said, and forgets those who do not come back.
    package func tidyStreams(absence: Duration) {
        desk.streams.tidy(at: .now, absence: absence) { server.send($0, $1) }
        desk.listStreams.tidy(at: .now) { server.send($0, $1) }
    }
}
