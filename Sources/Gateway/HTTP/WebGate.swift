import Glibc
package import HTTP
import Operations
package import Secrets
package import Transport

private let log = Log("gateway")

/// How a gateway speaks HTTP.
package struct WebSettings {
    package var server: ServerOptions
    /// Nil where nobody is asked for a token.
    package var tokens: TokenKeyFolder?
    package var origins: Set<String>
    package var fonts: [ServedFont]
    /// What events are passed on with; nil where they are not taken.
    package var calling: Access?

    package init(
        server: ServerOptions, tokens: TokenKeyFolder? = nil, origins: Set<String> = [], fonts: [ServedFont] = [],
        calling: Access? = nil
    ) {
        (self.server, self.tokens, self.origins) = (server, tokens, origins)
        (self.fonts, self.calling) = (fonts, calling)
    }
}

/// HTTP for a loop that may do without.
final class WebGate {
    private var front: HTTPFront
    private let desk: WindowDesk
    private let start = ContinuousClock.now
    /// Why keys of tokens could not be read at the last look.
    private var trouble: SecretsError?

    init(_ settings: WebSettings, _ desk: WindowDesk, events endpoint: String) throws {
        let events = try settings.calling.map { try EventForwarder(to: endpoint, $0) }
        let access = try TokenAccess(settings.tokens)
        let origins = CrossOrigin(origins: settings.origins, exposing: [WindowStreams.nameField])
        let fonts = FontFiles(settings.fonts)
        front = try HTTPFront(
            settings.server,
            HTTPDesk(access: access, origins: origins, fonts: fonts, windows: desk, events: events))
        self.desk = desk
        log.info("listening", ["http_port": .number(Int(front.port))])
    }

    var sources: [Source] { [front.source] + [front.events].compactMap(\.self) }

    /// Streams are looked after each second.
    var rest: Duration { min(front.rest, .seconds(1)) }

    func turn() throws {
        let times = TokenAccess.Times(
            calendar: TokenTime(seconds: UInt32(clamping: time(nil))), steady: ContinuousClock.now - start)
        do throws(SecretsError) {
            try front.turn(Health([("cache", desk.isServing)]), at: times)
            trouble = nil
        } catch {
            if trouble != error { log.error("the keys of tokens could not be read", ["reason": "\(error)"]) }
            trouble = error
        }
        try front.answerEvents()
        front.tidyStreams(absence: desk.limits.absence)
    }

    /// Answers those who have waited for it.
    func take(_ outcome: OpeningOutcome) { front.take(outcome) }

    func deliver(_ word: ToldWord, to stream: StreamName) -> WordSent { front.deliver(word, to: stream) }
}
