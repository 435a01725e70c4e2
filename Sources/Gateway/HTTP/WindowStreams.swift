import HTTP
import Names
import Operations
import Secrets
import Transport
import Wire

private let log = Log("gateway")

/// Windows that are told in streams: first the window, then every change of it, and what its reader asks meanwhile.
///
/// What arrives is named by its stream and by the moment that it leads to. Who comes back with the last such name is told what
/// followed, as long as the gateway knows; else the window comes again, whole.
final class WindowStreams {
    private let desk: WindowDesk
    private var streams: [StreamName: Stream] = [:]
    private var requests: [Request.ID: StreamName] = [:]
    /// Answers that are to be told, and streams that are to end, when the server has done its turn.
    private var said: [(StreamName, ToldWord)] = []
    private var over: [Request.ID] = []
    private var tidiedAt: ContinuousClock.Instant?
    /// Streams by who holds the token that opened them, the oldest first, and how many one may have.
    private var held: [TokenVerifier.Holder: [StreamName]] = [:]
    private let limit: Int
    /// Where long words are written as JSON; nil until there is one.
    private var lane: WritingLane<Page, Written>?
    private var drafts: [ObjectIdentifier: Draft] = [:]

    private struct Page: Sendable {
        let id: ObjectIdentifier
        let word: GatewayWord
    }

    private struct Written: Sendable {
        let id: ObjectIdentifier
        let event: [UInt8]
    }

    /// A word that is being written, and whom it is for.
    private struct Draft {
        let word: ToldWord
        var readers: [(stream: StreamName, request: Request.ID)]
    }

    private struct Stream {
        /// Nil while its reader is away.
        var request: Request.ID?
        /// A word for it is being written: what follows waits.
        var isWaiting = false
        /// What it is told first, while it was not told.
        var first: ToldWord?
        let form: StreamForm
        let conversation: ConversationID
        /// What its reader may do, and as whom it came.
        let bearer: Grant
        var heardAt: ContinuousClock.Instant
        /// Whether anything was told after its first window: only then is there something to come back to.
        var wasTold: Bool
    }

    /// How often something is said where nothing happens, so that nobody takes the connection for dead.
    private static let pause: Duration = .seconds(15)
    /// Of a stream there is one.
    static let window = WindowID(1)
    /// Answers that wait for what is being written.
    private static let mostSaid = 1024

    /// - Parameter limit: of one holder of tokens.
    init(_ desk: WindowDesk, perHolder limit: Int = 64) {
        self.desk = desk
        self.limit = limit
    }

    /// Readers who are there.
    var count: Int { requests.count }
    /// Of readers who are there, or may come back.
    var names: [StreamName] { Array(streams.keys) }

    /// The head of a stream, with what is told first; or why there is none.
    func open(
        _ opening: WindowOpening, for bearer: Grant, _ request: Request, at now: ContinuousClock.Instant
    ) -> Answer {
        if let mark = request.headers["Last-Event-ID"].flatMap({ EventMark($0) }),
            let word = takeUp(mark, opening, for: bearer, at: now)
        {
            return begin(mark.stream, [word], opening, for: bearer, request, at: now, isBack: true)
        }
        let name = StreamName()
        let words = desk.answer(.open(opening), from: .stream(name), at: now)
        guard let first = words.first, case .window = first else {
            return .response(words.first.map { WindowPages.response($0, to: request) } ?? .notFound)
        }
        return begin(name, words, opening, for: bearer, request, at: now)
    }

    /// What its reader missed; nil where the stream is not known, or is not this window any more.
    private func takeUp(
        _ mark: EventMark, _ opening: WindowOpening, for bearer: Grant, at now: ContinuousClock.Instant
    ) -> GatewayWord? {
        // Who names the stream of another is as good as somebody new.
        guard let stream = streams[mark.stream], stream.bearer.subject == bearer.subject else { return nil }
        if let old = stream.request {
            // Its reader has gone, and nobody here has noticed.
            requests[old] = nil
            over.append(old)
        }
        // What its words did is in what it is told now.
        said.removeAll { $0.0 == mark.stream }
        if let word = desk.followers.takeUp(opening, of: .stream(mark.stream), since: mark.cursor, at: now) {
            return word
        }
        forget(mark.stream)
        return nil
    }

    private func begin(
        _ name: StreamName, _ words: [GatewayWord], _ opening: WindowOpening, for bearer: Grant, _ request: Request,
        at now: ContinuousClock.Instant, isBack: Bool = false
    ) -> Answer {
        let form = StreamForm(request)
        if streams[name] != nil { forget(name, window: false) }
        // A long one, and what follows on it, are told when the head is on its way.
        let short = words.prefix { form == .frames || !$0.isLong }.map { ToldWord($0) }
        let long = words.dropFirst(short.count).map { ToldWord($0) }
        said += long.map { (name, $0) }
        streams[name] = Stream(
            request: request.id, first: long.first, form: form, conversation: opening.conversation, bearer: bearer,
            heardAt: now, wasTold: isBack)
        requests[request.id] = name
        if let holder = bearer.token?.holder {
            held[holder, default: []].append(name)
            makeRoom(for: holder)
        }
        return .stream(
            Response(
                200,
                headers: [
                    "Content-Type": form.type, "Cache-Control": "no-store", "Vary": "Accept", Self.nameField: name.text,
                ],
                body: .bytes(short.flatMap { form.pieces($0, to: name) }.flatMap(\.self))))
    }

    /// One that nobody hears ends first, then the oldest.
    private func makeRoom(for holder: TokenVerifier.Holder) {
        guard let own = held[holder], own.count > limit else { return }
        let name = own.first { streams[$0]?.request == nil } ?? own[0]
        guard streams[name]?.request != nil else { return forget(name) }
        // It is told why, and ends as it has no window any more.
        desk.forget(.stream(name))
        held[holder]?.removeAll { $0 == name }
        said.append((name, ToldWord(.refused(Self.window, .busy))))
    }

    /// - Parameter window: whether its window is forgotten, too.
    private func forget(_ name: StreamName, window: Bool = true) {
        guard let stream = streams.removeValue(forKey: name) else { return }
        if let request = stream.request { requests[request] = nil }
        if window { desk.forget(.stream(name)) }
        guard let holder = stream.bearer.token?.holder else { return }
        held[holder]?.removeAll { $0 == name }
        if held[holder]?.isEmpty ?? false { held[holder] = nil }
    }

    /// The field of a head that names the stream.
    static let nameField = "Forme-Stream"

    /// Hears what the reader of a stream says about its window; the answer is told in the stream.
    ///
    /// Where there is no such stream, or it is another's, the answer is that there is none.
    func hear(
        _ request: Request, on text: String, of conversation: ConversationID, for bearer: Grant,
        at now: ContinuousClock.Instant
    ) -> Response {
        guard let name = StreamName(text), let stream = streams[name], stream.conversation == conversation,
            stream.bearer.subject == bearer.subject
        else { return .notFound }
        guard stream.request != nil else { return .problem(409, "Nobody hears the stream; take it up first") }
        guard said.count < Self.mostSaid else { return .unavailable }
        let spoken: SpokenWord
        do throws(QueryFault) {
            spoken = try SpokenWord(request)
            try spoken.check(of: stream.conversation)
        } catch {
            return error.response
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
        let words = said
        said = []
        // In their order: what follows on a word that is being written waits for it.
        for (name, word) in words where deliver(word, to: name, at: now, send) == .full { said.append((name, word)) }
        for request in over { end(request) }
        over = []
    }

    /// - Parameter send: to a reader who is there.
    func deliver(
        _ word: ToldWord, to name: StreamName, at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        guard let stream = streams[name], let request = stream.request else { return .away }
        guard !stream.isWaiting, !said.contains(where: { $0.0 == name }) else { return .full }
        if stream.form == .events, word.takesLong, let lane = openLane() {
            return write(word, for: name, request, of: stream.bearer.payer, on: lane)
        }
        return tell(word, to: name, stream, request, at: now, send)
    }

    private func write(
        _ word: ToldWord, for name: StreamName, _ request: Request.ID, of payer: Subject,
        on lane: WritingLane<Page, Written>
    ) -> WordSent {
        let id = ObjectIdentifier(word)
        if drafts[id] == nil {
            guard lane.write(Page(id: id, word: word.word), of: payer) else { return .full }
            drafts[id] = Draft(word: word, readers: [])
        }
        drafts[id]?.readers.append((name, request))
        streams[name]?.isWaiting = true
        return .done
    }

    private func openLane() -> WritingLane<Page, Written>? {
        if let lane { return lane }
        do throws(TransportError) {
            lane = try WritingLane { page, _ in Written(id: page.id, event: page.word.event) }
        } catch {
            log.warning("long answers hold others up, as there are no handles left", ["reason": "\(error)"])
        }
        return lane
    }

    /// Whether something is being written, or waits for that.
    var isWriting: Bool { !drafts.isEmpty || !said.isEmpty }
    /// Becomes readable when something is written; nil until something long was told.
    var source: Source? { lane?.source }

    /// Tells what was written since to those who are still there.
    func tellWritten(at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent) {
        for written in lane?.take() ?? [] {
            guard let draft = drafts.removeValue(forKey: written.id) else { continue }
            draft.word.take(written.event)
            for (name, request) in draft.readers {
                guard let stream = streams[name], stream.request == request else { continue }
                streams[name]?.isWaiting = false
                _ = tell(draft.word, to: name, stream, request, at: now, send)
            }
        }
    }

    private func tell(
        _ word: ToldWord, to name: StreamName, _ stream: Stream, _ request: Request.ID,
        at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        for piece in stream.form.pieces(word, to: name) where send(request, piece) != .done {
            leave(request, at: now)
            return .away
        }
        streams[name]?.heardAt = now
        streams[name]?.wasTold = stream.wasTold || stream.first !== word
        streams[name]?.first = nil
        if !desk.followers.knows(.stream(name)) {
            // Its window is no more. Who comes back begins anew.
            forget(name)
            over.append(request)
        }
        return .done
    }

    /// Ends streams of those who may not hear them any more, and says why. Who comes back within a minute, as the same subject
    /// and with a token that holds, goes on where it was.
    func expel(
        at now: ContinuousClock.Instant, unless mayStay: (Grant) -> Bool, _ send: (Request.ID, [UInt8]) -> Sent
    ) {
        for (name, stream) in streams {
            guard let request = stream.request, !mayStay(stream.bearer) else { continue }
            let word = ToldWord(.refused(Self.window, .unauthorized))
            for piece in stream.form.pieces(word, to: name) where send(request, piece) != .done { break }
            streams[name]?.wasTold = true
            leave(request, at: now)
            over.append(request)
        }
    }

    /// Readers who are gone. They may come back, for a while, if anything was told that they could go on from.
    func leave(_ request: Request.ID, at now: ContinuousClock.Instant) {
        guard let name = requests.removeValue(forKey: request) else { return }
        guard streams[name]?.wasTold ?? false else { return forget(name) }
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
                forget(name)
            }
        }
    }
}
