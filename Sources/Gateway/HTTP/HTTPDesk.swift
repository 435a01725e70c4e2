package import HTTP
package import Secrets
import Wire

/// Finds out what a request is for and whether whoever sent it may, and answers it.
package struct HTTPDesk: ~Copyable {
    private var access: TokenAccess
    private let origins: CrossOrigin
    private let fonts: FontFiles
    private let windows: WindowDesk
    private var pages: WindowPages
    /// Requests for conversations that come into memory.
    private var waiting: [SharedTimeline.Key: [WindowRequest]] = [:]
    let streams: WindowStreams
    /// Nil where events are not taken.
    let events: EventForwarder?
    private let compressor = Compressor()
    private let description = HTTPDesk.makeDescription()

    package init(
        access: TokenAccess, origins: CrossOrigin = CrossOrigin(), fonts: FontFiles, windows: WindowDesk,
        events: EventForwarder? = nil
    ) {
        self.access = access
        self.origins = origins
        self.fonts = fonts
        self.events = events
        self.windows = windows
        pages = WindowPages(windows, origins)
        streams = WindowStreams(windows)
    }

    /// See `TokenAccess.refresh(at:)`.
    package mutating func refresh(at times: TokenAccess.Times) throws(SecretsError) { try access.refresh(at: times) }

    package mutating func answer(_ request: Request, _ health: Health, at times: TokenAccess.Times) -> Answer {
        switch HTTPRoute.router.find(request.method, request.target.segments) {
        case .nothing: return finished(.response(.notFound), request)
        case .otherMethods(let methods):
            if let preflight = origins.preflight(request, methods: methods) { return .response(preflight) }
            return finished(
                .response(request.method == .options ? allowed(methods) : .notAllowed(methods)), request)
        case .endpoint(let route, let parameters):
            return finished(answer(request, route, parameters, health, times), request)
        }
    }

    private mutating func answer(
        _ request: Request, _ route: HTTPRoute, _ parameters: PathParameters, _ health: Health,
        _ times: TokenAccess.Times
    ) -> Answer {
        let conversation = parameters["conversation"] ?? ""
        var bearer = Grant.everything
        if case .token(let right) = route.need {
            switch access.grant(for: request, at: times) {
            case .refused(let refusal): return .response(refusal)
            case .grant(let grant):
                guard grant.allows(right, conversation) else { return .response(.forbidden) }
                bearer = grant
            }
        }
        switch route.endpoint {
        case .live: return .response(Health.liveness)
        case .ready: return .response(health.readiness)
        case .metrics: return .response(metrics.response)
        case .description: return .response(description)
        case .fonts: return .response(fonts.list)
        case .font: return .response(fonts.response(parameters["hash"] ?? ""))
        case .events: return forwarded(request, conversation)
        case .words:
            return .response(
                streams.hear(
                    request, on: parameters["stream"] ?? "", of: conversation, for: bearer.subject, at: .now))
        case .window, .heights, .place, .changes:
            if route.endpoint == .window, let known = pages.windowAgain(request, for: bearer.subject) { return known }
            guard let query = WindowQuery(request, conversation: conversation, subject: bearer.subject) else {
                return .response(.problem(400, "The request cannot be read"))
            }
            return answer(WindowRequest(request, route.endpoint, query, subject: bearer.subject))
        }
    }

    private mutating func answer(_ asked: WindowRequest) -> Answer {
        if let key = windows.prepare(asked.query.opening, at: .now) {
            waiting[key, default: []].append(asked)
            return .later
        }
        let (request, query) = (asked.request, asked.query)
        switch asked.endpoint {
        case .window: return .response(pages.window(asked, compressor))
        case .heights:
            guard let from = request.target.value("from").flatMap({ Int64($0) }),
                let to = request.target.value("to").flatMap({ Int64($0) })
            else { return .response(.problem(400, "The request cannot be read")) }
            return .response(pages.heights(query, min(from, to)..<max(from, to), request))
        case .place: return .response(pages.place(query, request))
        case .changes: return streams.open(query.opening, for: asked.subject, request, at: .now)
        case .live, .ready, .metrics, .description, .fonts, .font, .events, .words: return .response(.notFound)
        }
    }

    /// To requests that have waited for a conversation.
    mutating func answers(after outcome: OpeningOutcome) -> [(Request.ID, Answer)] {
        var answers: [(Request.ID, Answer)] = []
        for asked in waiting.removeValue(forKey: outcome.key) ?? [] {
            let refusal = outcome.refusal.map { Answer.response(WindowPages.response($0)) }
            answers.append((asked.request.id, finished(refusal ?? answer(asked), asked.request)))
        }
        return answers
    }

    private func forwarded(_ request: Request, _ conversation: String) -> Answer {
        guard let events else { return .response(.notFound) }
        do {
            return try events.forward(request, of: conversation, at: .now).map { .response($0) } ?? .later
        } catch {
            return .response(.unavailable)
        }
    }

    /// In the form that the client asked for, and open to the pages that may read it.
    private func finished(_ answer: Answer, _ request: Request) -> Answer {
        switch answer {
        case .response(let response):
            .response(origins.opened(response.negotiated(for: request, compressor), to: request))
        case .stream(let head): .stream(origins.opened(head, to: request))
        // It was made for requests like this one.
        case .prepared, .later: answer
        }
    }

    private var metrics: Metrics {
        Metrics(
            socket: windows.tally, http: pages.tally, rememberedBytes: windows.rememberedBytes + pages.rememberedBytes,
            windows: windows.count, streams: streams.count, conversations: windows.shelf.count,
            conversationBytes: windows.shelf.bytes)
    }

    private func allowed(_ methods: [Method]) -> Response {
        Response(204, headers: ["Allow": methods.map(\.name).joined(separator: ", ")])
    }

    private static func makeDescription() -> Response {
        let bytes = OpenAPI.description(of: HTTPRoute.all)
        var response = Response(200, "application/json", bytes)
        response.tag = EntityTag(of: bytes)
        response.headers["Cache-Control"] = "no-cache"
        return response
    }
}

extension EntityTag {
    /// Equal bytes have equal tags.
    init(of bytes: [UInt8]) { self.init(Fingerprint.of(bytes).prefix(8).map { String($0, radix: 16) }.joined()) }
}
