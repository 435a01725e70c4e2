import Glibc
package import HTTP
import Operations
package import Secrets
package import Storage
package import Transport

private let log = Log("gateway")

/// The settings of a gateway that speaks HTTP.
package struct WebSettings {
    package var server: ServerOptions
    /// The keys of tokens; nil where nobody is asked for a token.
    package var tokens: TokenKeyFolder?
    package var origins: Set<String>
    package var fonts: [ServedFont]
    /// The folder of slices that are made of them; nil where none are.
    package var webfonts: WebfontFolder?
    /// The access for passing events on; nil where they are not taken.
    package var calling: Access?
    /// Whether this machine alone is answered, and pages in its browsers are to be kept out.
    package var isOpenHouse: Bool
    package var mayWriteWithoutToken: Bool
    /// Whether requests come from the addresses of their senders, and not from a proxy.
    package var knowsAddresses: Bool
    package var tokenLife: Duration
    package var streamsPerSubject: Int
    package var pages: ShownPages

    package init(
        server: ServerOptions, tokens: TokenKeyFolder? = nil, origins: Set<String> = [], fonts: [ServedFont] = [],
        webfonts: WebfontFolder? = nil, calling: Access? = nil, isOpenHouse: Bool = true,
        mayWriteWithoutToken: Bool = true,
        knowsAddresses: Bool = true, tokenLife: Duration = TokenVerifier.standardLife, streamsPerSubject: Int = 64,
        pages: ShownPages = .none
    ) {
        (self.server, self.tokens, self.origins) = (server, tokens, origins)
        (self.fonts, self.webfonts, self.calling) = (fonts, webfonts, calling)
        (self.isOpenHouse, self.mayWriteWithoutToken) = (isOpenHouse, mayWriteWithoutToken)
        (self.knowsAddresses, self.tokenLife) = (knowsAddresses, tokenLife)
        (self.streamsPerSubject, self.pages) = (streamsPerSubject, pages)
    }
}

/// The HTTP side of a loop, which may do without.
final class WebGate {
    private var front: HTTPFront
    private let desk: WindowDesk
    private let start = ContinuousClock.now
    /// The faults of the keys of tokens at the last look.
    private var troubles: [SecretsError] = []
    private var certificateTrouble: HTTPError?

    init(_ settings: WebSettings, _ desk: WindowDesk, events endpoint: String) throws {
        let events = try settings.calling.map { try EventForwarder(to: endpoint, $0) }
        let access = try TokenAccess(
            settings.tokens, longestLife: settings.tokenLife, knowsAddresses: settings.knowsAddresses,
            mayWrite: settings.mayWriteWithoutToken)
        let origins = CrossOrigin(origins: settings.origins, exposing: [WindowStreams.nameField])
        let fonts = FontFiles(settings.fonts, made: settings.webfonts)
        front = try HTTPFront(
            settings.server,
            HTTPDesk(
                access: access, origins: origins, isOpenHouse: settings.isOpenHouse, fonts: fonts, windows: desk,
                events: events, streamsPerSubject: settings.streamsPerSubject, pages: settings.pages))
        self.desk = desk
        log.info("listening", ["http_port": .number(Int(front.port))])
    }

    var sources: [Source] { [front.source] + [front.events].compactMap(\.self) + front.written }

    /// The longest time until the next turn: streams are looked after each second.
    var rest: Duration { min(front.rest, .seconds(1)) }

    /// Takes no connection and no request any more, ends streams, and finishes what is under way; done when `isQuiet`.
    func quiesce() { front.quiesce() }
    var isQuiet: Bool { front.isQuiet }

    /// - Parameter line: the line to the coordinator; nil where there is none.
    func turn(_ line: CoordinatorLine?) throws {
        let times = TokenAccess.Times(
            calendar: .now, steady: ContinuousClock.now - start)
        front.turn(health(line), at: times)
        report(front.troubles ?? [])
        if let trouble = front.certificateTrouble, trouble != certificateTrouble {
            log.error("the certificate that was replaced is not shown", ["reason": "\(trouble)"])
        }
        certificateTrouble = front.certificateTrouble
        try front.answerEvents()
        front.tidyStreams(absence: desk.limits.absence)
    }

    func metrics(_ line: CoordinatorLine?) -> Metrics { front.metrics(health(line)) }

    var turnedAway: TurnedAwayAddresses { front.turnedAway }

    func health(_ line: CoordinatorLine?) -> Health {
        var health = Health(of: desk, line, passesEvents: front.passesEvents)
        if let troubles = front.troubles {
            let isOneKey = troubles.contains { $0.blindness == nil }
            health.checks += [
                .init("revocations", troubles.lazy.compactMap(\.blindness).first),
                .init("keys", isOneKey ? "a key of tokens cannot be read" : nil, isOnlyTold: true),
            ]
        }
        return health
    }

    /// Logs each fault once, for as long as it lasts.
    private func report(_ found: [SecretsError]) {
        for error in found where !troubles.contains(error) {
            log.error("a file of the keys of tokens cannot be used", ["reason": "\(error)"])
        }
        if found.isEmpty, !troubles.isEmpty { log.info("all keys of tokens can be read again") }
        troubles = found
    }

    /// Has requests that have waited for it answered in their turns, or refuses them.
    func take(_ outcome: OpeningOutcome) { front.take(outcome) }

    /// Takes a word for a client that asks once.
    func take(_ word: ToldWord) { front.take(word) }

    func deliver(_ word: ToldWord, to stream: StreamName, isAnswer: Bool) -> WordSent {
        front.deliver(word, to: stream, isAnswer: isAnswer)
    }
}

extension SecretsError {
    /// The reason why some revocations may be unknown here; nil where all are known.
    var blindness: String? {
        switch self {
        case .unreadableList: "the list of revoked tokens cannot be read by this user, so no token is accepted"
        case .damagedList: "the list of revoked tokens has lines that say nothing"
        case .unreadable(let path, _) where !path.hasSuffix(".public"):
            "the folder of the keys of tokens cannot be read by this user"
        case .unreadable, .unwritable, .exposed, .damaged, .noKeys, .hasKeys, .unknownKey: nil
        }
    }
}
