import HTTP
import Wire

/// Windows that are told in streams: first the window, then every change of it, and what its reader asks meanwhile.
///
/// What arrives is named by its stream and by the moment that it leads to. Who comes back with the last such name is told what
/// followed, as long as the gateway knows; else the window comes again, whole.
final class WindowStreams {
    private let desk: WindowDesk
    private var streams: [StreamName: Stream] = [:]
    private var names: [Request.ID: StreamName] = [:]
    /// Answers that are to be told, and streams that are to end, when the server has done its turn.
    private var said: [(StreamName, ToldWord)] = []
    private var over: [Request.ID] = []
    private var tidiedAt: ContinuousClock.Instant?

    private struct Stream {
        /// Nil while its reader is away.
        var request: Request.ID?
        let form: StreamForm
        let conversation: ConversationID
        /// As whom its reader came.
        let subject: String
        var heardAt: ContinuousClock.Instant
    }

    /// How often something is said where nothing happens, so that nobody takes the connection for dead.
    private static let pause: Duration = .seconds(15)
    /// Of a stream there is one.
    static let window = WindowID(1)

    init(_ desk: WindowDesk) { self.desk = desk }

    /// Readers who are there.
    var count: Int { names.count }

    /// The head of a stream, with what is told first; or why there is none.
    func open(
        _ opening: WindowOpening, for subject: String, _ request: Request, at now: ContinuousClock.Instant
    ) -> Answer {
        if let mark = request.headers["Last-Event-ID"].flatMap({ EventMark($0) }),
            let word = takeUp(mark, opening, for: subject, at: now)
        {
            return begin(mark.stream, [word], opening, for: subject, request, at: now)
        }
        let name = StreamName()
        let words = desk.answer(.open(opening), from: .stream(name), at: now)
        guard let first = words.first, case .window = first else {
            return .response(words.first.map { WindowPages.response($0, to: request) } ?? .notFound)
        }
        return begin(name, words, opening, for: subject, request, at: now)
    }

    /// What its reader missed; nil where the stream is not known, or is not this window any more.
    private func takeUp(
        _ mark: EventMark, _ opening: WindowOpening, for subject: String, at now: ContinuousClock.Instant
    ) -> GatewayWord? {
        // Who names the stream of another is as good as somebody new.
        guard let stream = streams[mark.stream], stream.subject == subject else { return nil }
        if let old = stream.request {
            // Its reader has gone, and nobody here has noticed.
            names[old] = nil
            over.append(old)
        }
        if let word = desk.takeUp(opening, of: .stream(mark.stream), since: mark.cursor, at: now) { return word }
        desk.forget(.stream(mark.stream))
        streams[mark.stream] = nil
        return nil
    }

    private func begin(
        _ name: StreamName, _ words: [GatewayWord], _ opening: WindowOpening, for subject: String, _ request: Request,
        at now: ContinuousClock.Instant
    ) -> Answer {
        let form = StreamForm(request)
        streams[name] = Stream(
            request: request.id, form: form, conversation: opening.conversation, subject: subject, heardAt: now)
        names[request.id] = name
        return .stream(
            Response(
                200,
                headers: [
                    "Content-Type": form.type, "Cache-Control": "no-store", "Vary": "Accept", Self.nameField: name.text,
                ],
                body: .bytes(words.flatMap { form.pieces(ToldWord($0), to: name) }.flatMap(\.self))))
    }

    /// The field of a head that names the stream.
    static let nameField = "Forme-Stream"

    /// Hears what the reader of a stream says about its window; the answer is told in the stream.
    ///
    /// Where there is no such stream, or it is another's, the answer is that there is none.
    func hear(
        _ request: Request, on text: String, of conversation: String, for subject: String,
        at now: ContinuousClock.Instant
    ) -> Response {
        guard let name = StreamName(text), let stream = streams[name], stream.conversation.text == conversation,
            stream.subject == subject
        else { return .notFound }
        guard stream.request != nil else { return .problem(409, "Nobody hears the stream; take it up first") }
        guard let spoken = SpokenWord(request) else { return .problem(400, "The word cannot be read") }
        guard spoken.isAboutWindow(of: stream.conversation) else {
            return .problem(400, "The word is not about the stream's window")
        }
        for word in desk.answer(spoken.word, from: .stream(name), request: spoken.request, at: now) {
            said.append((name, ToldWord(word, request: spoken.request)))
        }
        return Response(202)
    }

    /// Tells answers and ends streams that have no window any more.
    func settle(
        at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent, _ end: (Request.ID) -> Void
    ) {
        while !said.isEmpty {
            let words = said
            said = []
            for (name, word) in words { _ = deliver(word, to: name, at: now, send) }
        }
        for request in over { end(request) }
        over = []
    }

    /// - Parameter send: to a reader who is there.
    func deliver(
        _ word: ToldWord, to name: StreamName, at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        guard let stream = streams[name], let request = stream.request else { return .away }
        for piece in stream.form.pieces(word, to: name) where send(request, piece) != .done {
            leave(request, at: now)
            return .away
        }
        streams[name]?.heardAt = now
        if !desk.knows(.stream(name)) { finish(name, request) }
        return .done
    }

    /// Its window is no more. Who comes back begins anew.
    private func finish(_ name: StreamName, _ request: Request.ID) {
        streams[name] = nil
        names[request] = nil
        over.append(request)
    }

    /// Readers who are gone. They may come back, for a while.
    func leave(_ request: Request.ID, at now: ContinuousClock.Instant) {
        guard let name = names.removeValue(forKey: request) else { return }
        streams[name]?.request = nil
        streams[name]?.heardAt = now
    }

    /// Forgets who does not come back, and says something to those to whom nothing was said.
    func tidy(
        at now: ContinuousClock.Instant, absence: Duration, _ send: (Request.ID, [UInt8]) -> Sent
    ) {
        if let tidiedAt, now < tidiedAt + .seconds(1) { return }
        tidiedAt = now
        for (name, stream) in streams {
            if let request = stream.request {
                guard now - stream.heardAt >= Self.pause else { continue }
                streams[name]?.heardAt = now
                if send(request, stream.form.signOfLife) != .done { leave(request, at: now) }
            } else if now - stream.heardAt >= absence {
                streams[name] = nil
                desk.forget(.stream(name))
            }
        }
    }
}
