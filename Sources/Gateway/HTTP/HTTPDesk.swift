import Bytes
package import HTTP
import Names
import Pool
package import Secrets
import Transport
import Wire

/// The desk that answers requests over HTTP: it finds the route of each, checks whether its sender may, and answers
/// it.
package struct HTTPDesk: ~Copyable {
    private var reception: Reception
    /// Whether the last request that was looked at had a valid token.
    private(set) var isBearerKnown = false
    private let origins: CrossOrigin
    private var fonts: FontFiles
    private let windows: WindowDesk
    private var pages: WindowPages
    private var previews: PreviewCalls
    /// Requests that wait for the turn of their readers; costs are in microseconds.
    private var turns = FairQueue<Subject, Asked>(quantum: 1000, mostOfOne: 64, most: 2048)
    /// The time spent on requests that were answered at once, in this turn of the loop.
    private var spent = Duration.zero
    /// The time of the last look at the keys of tokens; nil before the first.
    private var lookedAt: TokenAccess.Times?
    /// Times of answers, and the start of each request whose answer is still to come.
    private var times = Latencies()
    private var askedAt: [Request.ID: ContinuousClock.Instant] = [:]
    /// Requests that wait for a conversation to come into memory.
    private var waiting: [SharedTimeline.Key: [WindowRequest]] = [:]
    let streams: WindowStreams
    private let lists: ConversationPages
    let listStreams: ListStreams
    /// The forwarder of events; nil where events are not taken.
    let events: EventForwarder?
    private let compressor = Compressor()
    private let shownPages: ShownPages
    private let description = HTTPDesk.makeDescription()

    package init(
        access: TokenAccess, origins: CrossOrigin = CrossOrigin(), isOpenHouse: Bool = true, fonts: FontFiles,
        windows: WindowDesk, events: EventForwarder? = nil, streamsPerSubject: Int = 64,
        pages shownPages: ShownPages = .none
    ) {
        self.shownPages = shownPages
        reception = Reception(access, origins, isOpenHouse: isOpenHouse)
        self.origins = origins
        self.fonts = fonts
        self.events = events
        self.windows = windows
        windows.answers.fonts.take(fonts.fonts)
        pages = WindowPages(windows, origins)
        previews = PreviewCalls(windows)
        streams = WindowStreams(windows, perHolder: streamsPerSubject)
        lists = ConversationPages(windows)
        listStreams = ListStreams(lists, perHolder: streamsPerSubject)
    }

    /// A request that is answered in its asker's turn.
    private enum Asked {
        case window(WindowRequest)
        case word(Request, Grant, on: String, of: ConversationID)
        case list(Request, Grant)
        case listStream(Request, Grant)

        var request: Request {
            switch self {
            case .window(let asked): asked.request
            case .word(let request, _, _, _), .list(let request, _), .listStream(let request, _): request
            }
        }

        var bearer: Grant {
            switch self {
            case .window(let asked): asked.bearer
            case .word(_, let bearer, _, _), .list(_, let bearer), .listStream(_, let bearer): bearer
            }
        }
    }

    /// Takes up slices that were made and keys that changed, ends streams whose tokens are not valid any more, and
    /// gives back memory that others need.
    mutating func refresh(
        at times: TokenAccess.Times, _ send: (Request.ID, [UInt8]) -> Sent, _ end: (Request.ID) -> Void
    ) {
        lookedAt = times
        fonts.refresh(at: .now)
        windows.answers.fonts.take(fonts.fonts)
        pages.makeRoom()
        guard reception.refresh(at: times) else { return }
        listStreams.expel(unless: { reception.holds($0, at: times) }, send, end)
        streams.expel(at: .now, unless: { reception.holds($0, at: times) }, send)
    }

    /// The faults of the keys of tokens; nil where nobody is asked for a token.
    package var troubles: [SecretsError]? { reception.troubles }

    /// Decides about the head of a request that has a body, before any of that is taken.
    mutating func admit(_ request: Request, at times: TokenAccess.Times) -> Admission {
        switch decide(request, isCounted: true, at: times) {
        case .answered(let response): .refused(finished(response, request))
        case .welcome(let route, _, _): .body(atMost: route.bodyLimit)
        }
    }

    package mutating func answer(_ request: Request, _ health: Health, at times: TokenAccess.Times) -> Answer {
        let start = ContinuousClock.now
        // A request with a body was counted when its head came. Its admission is decided again, as time has passed.
        switch decide(request, isCounted: request.body.isEmpty, at: times) {
        case .answered(let response): return .response(finished(response, request))
        case .welcome(let route, let parameters, let bearer):
            let answer = finished(answer(request, route, parameters, health, for: bearer), request)
            if route.endpoint == .window { note(answer, to: request.id, askedAt: start) }
            return answer
        }
    }

    private mutating func note(_ answer: Answer, to request: Request.ID, askedAt start: ContinuousClock.Instant) {
        if case .later = answer { askedAt[request] = start } else { times.record(.now - start) }
    }

    /// Notes the answer to a request that was not answered at once.
    mutating func noteAnswer(to request: Request.ID) {
        if let start = askedAt.removeValue(forKey: request) { times.record(.now - start) }
    }

    private mutating func decide(
        _ request: Request, isCounted: Bool, at times: TokenAccess.Times
    ) -> Reception.Decision {
        let decision = reception.decide(request, isCounted: isCounted, at: times)
        isBearerKnown = if case .welcome(_, _, let bearer) = decision { bearer.token != nil } else { false }
        return decision
    }

    private mutating func answer(
        _ request: Request, _ route: HTTPRoute, _ parameters: PathParameters, _ health: Health, for bearer: Grant
    ) -> Answer {
        do throws(QueryFault) {
            return try answered(request, route, parameters, health, for: bearer)
        } catch {
            return .response(error.response)
        }
    }

    private mutating func answered(
        _ request: Request, _ route: HTTPRoute, _ parameters: PathParameters, _ health: Health, for bearer: Grant
    ) throws(QueryFault) -> Answer {
        // A request that was answered before was checked then.
        if route.endpoint == .window, let known = pages.windowAgain(request, for: bearer) { return known }
        try route.check(request.target.query)
        switch route.endpoint {
        case .live: return .response(Health.liveness)
        case .ready:
            return .response(try health.readiness(for: request.target.value("for"), isReasoned: false))
        case .description: return .response(description)
        case .fonts: return .response(own(fonts.list))
        case .font: return .response(own(fonts.response(parameters["hash"] ?? "")))
        case .licence: return .response(own(fonts.licence(parameters["hash"] ?? "")))
        case .script: return .response(WebFiles.standard.newest("forme.js", for: request))
        case .rowScript: return .response(WebFiles.standard.newest("forme-rows.js", for: request))
        case .scriptFile:
            return .response(WebFiles.standard.kept("/v1/forme/\(parameters["part"] ?? "")", for: request))
        case .page, .proof, .pageFile, .folderFile, .folderChanges:
            return .response(page(route.endpoint, parameters, for: request))
        case .conversations: return meet(.list(request, bearer))
        case .listChanges: return meet(.listStream(request, bearer))
        case .events, .words, .window, .heights, .place, .changes, .preview, .ranges:
            // The name says which conversation, and is compared by its bytes alone.
            let text = parameters["conversation"] ?? ""
            guard let conversation = ConversationID(named: text) else {
                throw .field("conversation", found: text, expected: "1 to \(Limits.name) bytes")
            }
            return try answer(request, route, of: conversation, parameters, for: bearer)
        }
    }

    /// A page for people, or a file of one, where these are sent.
    private func page(_ endpoint: HTTPEndpoint, _ parameters: PathParameters, for request: Request) -> Response {
        let part = parameters["part"] ?? ""
        switch (endpoint, shownPages) {
        case (.page, .embedded): return WebFiles.standard.newest("demo.html", for: request)
        case (.proof, .embedded): return WebFiles.standard.newest("proof.html", for: request)
        case (.page, .watched): return WebFiles.watched.newest("demo.html", for: request)
        case (.proof, .watched): return WebFiles.watched.newest("proof.html", for: request)
        case (.pageFile, .watched) where part == "dev.js": return WebFiles.watched.newest(part, for: request)
        case (.pageFile, .watched): return WebFiles.watched.kept("/pages/\(part)", for: request)
        case (.folderChanges, .watched): return WorkAtHand.response(pages: nil, in: windows.folder)
        case (.pageFile, .embedded): return WebFiles.standard.kept("/pages/\(part)", for: request)
        case (.page, .folder): return WebFolder.page("demo")
        case (.proof, .folder): return WebFolder.page("proof")
        case (.folderFile, .folder(let path)): return WebFolder(path: path).file(parameters["folder"] ?? "", part)
        case (.folderChanges, .folder(let path)):
            return WorkAtHand.response(pages: WebFolder(path: path), in: windows.folder)
        case (_, .none), (_, .embedded), (_, .watched), (_, .folder): return .notFound
        }
    }

    private mutating func answer(
        _ request: Request, _ route: HTTPRoute, of conversation: ConversationID, _ parameters: PathParameters,
        for bearer: Grant
    ) throws(QueryFault) -> Answer {
        switch route.endpoint {
        case .events: return forwarded(request, conversation, for: bearer)
        case .words: return meet(.word(request, bearer, on: parameters["stream"] ?? "", of: conversation))
        case .window, .heights, .place, .changes, .preview, .ranges:
            let query = try WindowQuery(request, conversation: conversation, subject: bearer.subject)
            guard !query.opening.wantsRuns || route.endpoint == .window && !request.wantsFrames else {
                throw .field(
                    "with", found: "runs", expected: "said here; runs come in windows in JSON, and not in streams")
            }
            return meet(.window(WindowRequest(request, route.endpoint, query, bearer)))
        case .live, .ready, .description, .fonts, .font, .licence, .conversations, .listChanges, .script,
            .rowScript, .scriptFile, .page, .proof, .pageFile, .folderFile, .folderChanges:
            return .response(.notFound)
        }
    }

    /// The time of a turn of the loop for answering requests.
    private static let slice: Duration = .milliseconds(2)

    /// Answers at once, while nobody waits and this turn has time; else in the asker's turn.
    private mutating func meet(_ asked: Asked) -> Answer {
        guard turns.isEmpty, spent < Self.slice else {
            return turns.add(asked, of: asked.bearer.payer) ? .later : .response(.unavailable)
        }
        let start = ContinuousClock.now
        defer { spent += ContinuousClock.now - start }
        return answerNow(asked)
    }

    /// Answers requests whose turn it is, for a while.
    package mutating func answersInTurn() -> [(Request.ID, Answer)] {
        spent = .zero
        var answers: [(Request.ID, Answer)] = []
        var now = ContinuousClock.now
        let deadline = now + Self.slice
        while now < deadline, let (subject, asked) = turns.next() {
            let answer = holds(asked.bearer) ? answerNow(asked) : .response(.unauthorized)
            if case .later = answer {} else { answers.append((asked.request.id, finished(answer, asked.request))) }
            let end = ContinuousClock.now
            turns.charge(subject, Int((end - now) / .microseconds(1)))
            now = end
        }
        return answers
    }

    /// Whether the token of a request that has waited still holds.
    private func holds(_ bearer: Grant) -> Bool {
        guard let lookedAt else { return true }
        return reception.holds(bearer, at: lookedAt)
    }

    /// Goes on with the list of conversations, and tells its followers, for about a millisecond each.
    package func proceedWithLists(
        at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent = { _, _ in .gone },
        _ end: (Request.ID) -> Void = { _ in }
    ) {
        lists.desk.proceed(served: windows.followers.listedNow, at: now)
        windows.shelf.listBytes = lists.desk.bytes
        listStreams.proceed(at: now, send, end)
    }

    /// Long answers that were written meanwhile.
    mutating func answersWritten() -> [(Request.ID, Answer)] {
        pages.written().map { ($0.request.id, finished(.response($0.response), $0.request)) }
    }

    /// The answer to a request for a preview; nil for a word that no request asked for.
    mutating func take(_ word: ToldWord) -> (Request.ID, Answer)? {
        previews.take(word).map { ($0.request.id, finished(.response($0.response), $0.request)) }
    }

    /// The time until it has to go on by itself; nil where it has not.
    var rest: Duration? {
        guard turns.isEmpty, !lists.desk.isLoading, !listStreams.isTelling else { return .zero }
        if pages.isWriting || streams.isWriting { return .milliseconds(5) }
        return listStreams.count > 0 ? .milliseconds(50) : nil
    }
    /// The sources that become readable when a long answer is written.
    var written: [Source] { [pages.source, streams.source].compactMap(\.self) }

    private mutating func answer(_ asked: Asked) throws(QueryFault) -> Answer {
        switch asked {
        case .window(let asked): return try answer(asked)
        case .word(let request, let bearer, let stream, let conversation):
            return .response(streams.hear(request, on: stream, of: conversation, for: bearer, at: .now))
        case .list(let request, let bearer):
            return .response(try lists.page(request, for: bearer, at: .now).response)
        case .listStream(let request, let bearer): return try listStreams.open(request, for: bearer, at: .now)
        }
    }

    private mutating func answer(_ asked: WindowRequest) throws(QueryFault) -> Answer {
        windows.asking = asked.bearer.asker(in: asked.query.opening.conversation)
        if let key = windows.openings.prepare(asked.query.opening, at: .now) {
            waiting[key, default: []].append(asked)
            return .later
        }
        let (request, query) = (asked.request, asked.query)
        switch asked.endpoint {
        case .window: return pages.window(asked, compressor)
        case .heights:
            let from = try request.target.integer("from", Int64.min ... .max, or: nil)
            let to = try request.target.integer("to", Int64.min ... .max, or: nil)
            return pages.heights(asked, min(from, to)..<max(from, to))
        case .place: return .response(try pages.place(query, request))
        case .preview: return previews.ask(asked)
        case .ranges: return .response(try pages.ranges(query, request))
        case .changes: return streams.open(query.opening, for: asked.bearer, request, at: .now)
        case .live, .ready, .description, .fonts, .font, .licence, .events, .words, .conversations,
            .listChanges, .script, .rowScript, .scriptFile, .page, .proof, .pageFile, .folderFile, .folderChanges:
            return .response(.notFound)
        }
    }

    /// Refuses requests that have waited for a conversation which cannot come. The others wait for the turns of their
    /// askers, so that however many there are, nobody else waits for them.
    mutating func answers(after outcome: OpeningOutcome) -> [(Request.ID, Answer)] {
        var answers: [(Request.ID, Answer)] = []
        for asked in waiting.removeValue(forKey: outcome.key) ?? [] {
            if outcome.refusal == nil, turns.add(.window(asked), of: asked.bearer.payer) { continue }
            let refusal = outcome.refusal.map { WindowPages.response($0) } ?? .unavailable
            answers.append((asked.request.id, finished(.response(refusal), asked.request)))
        }
        return answers
    }

    private mutating func answerNow(_ asked: Asked) -> Answer {
        do throws(QueryFault) { return try answer(asked) } catch { return .response(error.response) }
    }

    private func forwarded(_ request: Request, _ conversation: ConversationID, for bearer: Grant) -> Answer {
        guard let events else { return .response(.notFound) }
        do {
            return try events.forward(request, of: conversation, for: bearer, at: .now).map { .response($0) } ?? .later
        } catch {
            return .response(.unavailable)
        }
    }

    private func finished(_ response: Response, _ request: Request) -> Response {
        origins.opened(response.negotiated(for: request, compressor), to: request)
    }

    /// The answer in the form that the client asked for, open to the pages that may read it.
    private func finished(_ answer: Answer, _ request: Request) -> Answer {
        switch answer {
        case .response(let response): .response(finished(response, request))
        case .stream(let head): .stream(origins.opened(head, to: request))
        // A prepared answer was made for requests like this one.
        case .prepared, .later: answer
        }
    }

    /// The same answer, kept by its client's cache alone where requests need a token.
    private func own(_ response: Response) -> Response {
        guard reception.asksForTokens, let kept = response.headers["Cache-Control"] else { return response }
        var response = response
        response.headers["Cache-Control"] = kept.replacing("public", with: "private")
        return response
    }

    func metrics(_ health: Health) -> Metrics {
        var metrics = Metrics(windows, pool: health.pool)
        (metrics.http, metrics.httpTimes) = (pages.tally, times)
        metrics.rememberedBytes += pages.rememberedBytes
        (metrics.streams, metrics.refusals) = (streams.count, reception.refusals)
        metrics.unusableKeyFiles = reception.troubles?.count ?? 0
        return metrics
    }

    /// The addresses whose requests were turned away.
    var turnedAway: TurnedAwayAddresses { reception.turnedAway }

    private static func makeDescription() -> Response {
        let bytes = OpenAPI.description(of: HTTPRoute.described)
        var response = Response(200, "application/json", bytes)
        response.tag = EntityTag(of: bytes)
        response.headers["Cache-Control"] = "no-cache"
        return response
    }
}

extension Name {
    /// Nil for a text that can be no name.
    init?(named text: String) {
        do throws(ByteError) { try self.init(text) } catch { return nil }
    }
}

extension EntityTag {
    /// The tag of some bytes; equal bytes have equal tags.
    init(of bytes: [UInt8]) { self.init(Fingerprint.of(bytes).short) }
}

extension [UInt8] {
    /// The first eight bytes of a hash, in hexadecimal.
    var short: String { prefix(8).map { String($0, radix: 16) }.joined() }
}
