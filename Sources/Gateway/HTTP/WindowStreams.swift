import HTTP
import Names
import Operations
import Secrets
import Transport
import Wire

private let log = Log("gateway")

/// Windows that are told in streams: first the window, then every change of it, and answers to its reader meanwhile.
///
/// A stream begins with one window, and takes up others and lets them go as its reader says. Each event is named by
/// its stream and by the moments that its windows have reached. A reader that comes back with the last such name is
/// told what followed in each, as long as the gateway knows; else the window comes again, whole.
final class WindowStreams {
    private let desk: WindowDesk
    private var streams: [StreamName: WindowStream] = [:]
    private var requests: [Request.ID: StreamName] = [:]
    /// Answers that are to be told, and streams that are to end, when the server has done its turn.
    private var said: [(StreamName, ToldWord)] = []
    private var over: [Request.ID] = []
    private var tidiedAt: ContinuousClock.Instant?
    /// Streams by the holder of the token that opened them, the oldest first, and the most that one holder may have.
    private var held: [TokenVerifier.Holder: [StreamName]] = [:]
    private let limit: Int
    /// The lane on which long words are written as JSON; nil until there is one.
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

    /// A word that is being written, and the readers that it is for.
    private struct Draft {
        let word: ToldWord
        var readers: [(stream: StreamName, request: Request.ID)]
    }

    /// The time after which a sign of life is sent in a silent stream, so that nobody takes the connection for dead.
    private static let pause: Duration = .seconds(15)
    /// The window that a stream begins with, where its request does not name another.
    static let window = WindowID(1)
    /// The most answers that wait for words that are being written: of all subjects together, and of one.
    private static let mostSaid = 1024
    private static let mostSaidOfOne = 64

    /// - Parameter limit: the most streams of one holder of tokens.
    init(_ desk: WindowDesk, perHolder limit: Int = 64) {
        self.desk = desk
        self.limit = limit
    }

    /// The number of readers that are there.
    var count: Int { requests.count }
    /// The names of streams whose readers are there, or may come back.
    var names: [StreamName] { Array(streams.keys) }

    /// Opens a stream: returns its head with the first words, or the reason why there is none.
    func open(
        _ opening: WindowOpening, for bearer: Grant, _ request: Request, at now: ContinuousClock.Instant
    ) -> Answer {
        if let mark = request.headers["Last-Event-ID"].flatMap({ EventMark($0) }),
            let words = takeUp(mark, opening, for: bearer, at: now)
        {
            return begin(mark.stream, words, opening, for: bearer, request, after: mark, at: now)
        }
        let name = StreamName()
        let words = desk.answer(.open(opening), from: .stream(name), at: now)
        guard let first = words.first, case .window = first else {
            return .response(words.first.map { WindowPages.response($0, to: request) } ?? .notFound)
        }
        return begin(name, words, opening, for: bearer, request, after: nil, at: now)
    }

    /// Takes up a stream: returns the words that its reader missed; nil where the stream is not known, or has another
    /// window in the place of this one.
    private func takeUp(
        _ mark: EventMark, _ opening: WindowOpening, for bearer: Grant, at now: ContinuousClock.Instant
    ) -> [GatewayWord]? {
        // A reader that names the stream of another is as good as a new one.
        guard let stream = streams[mark.stream], stream.bearer.subject == bearer.subject else { return nil }
        if let old = stream.request {
            // Its reader has gone, and nobody here has noticed.
            requests[old] = nil
            over.append(old)
        }
        // The effects of its own words are in the words that it is told now.
        said.removeAll { $0.0 == mark.stream }
        let client = WindowClient.stream(mark.stream)
        // Where nothing was told after the first window, its reader may not have heard of that one either: the moment
        // that it names may be one of a window on another line.
        if !stream.wasTold { for seat in (desk.followers.seats[client] ?? [:]).values { seat.reshape() } }
        let own: [GatewayWord]
        if desk.followers.seats[client]?[opening.window] == nil {
            // The window was closed, or is the first that the reader wants under another number.
            own = desk.answer(.open(opening), from: client, at: now)
            // The mark may name a moment of a window before it under this number.
            desk.followers.seats[client]?[opening.window]?.reshape()
        } else {
            let word = desk.followers.takeUp(opening, of: client, since: mark.cursors[opening.window], at: now)
            own = word.map { [$0] } ?? []
        }
        switch own.first {
        case .window, .changes: return own + others(than: opening.window, of: client, since: mark, for: bearer, at: now)
        case nil, .heights, .rows, .place, .adjusted, .done, .refused, .pending, .unavailable, .preview, .rejected,
            .ranges, .unreadable:
            forget(mark.stream)
            return nil
        }
    }

    /// Returns the words that its reader missed about the other windows. A window that it may not see any more, or
    /// that is not known here, is refused; so is one that it may not see and that still waits for its conversation,
    /// when this has come.
    private func others(
        than own: WindowID, of client: WindowClient, since mark: EventMark, for bearer: Grant,
        at now: ContinuousClock.Instant
    ) -> [GatewayWord] {
        var words: [GatewayWord] = []
        desk.openings.refuseWaiting(of: client) { bearer.allows(.read, $0.text) }
        let seats = desk.followers.seats[client] ?? [:]
        for (window, seat) in seats.sorted(by: { $0.key < $1.key }) where window != own {
            if !bearer.allows(.read, seat.shared.key.conversation.text) {
                desk.followers.close(seat)
                words.append(.refused(window, .unauthorized))
            } else if let word = desk.followers.takeUp(seat, since: mark.cursors[window], at: now) {
                words.append(word)
            } else {
                desk.followers.close(seat)
                words.append(.refused(window, .resync))
            }
        }
        let known = Set(seats.keys).union(desk.openings.room.windows(of: client))
        return words + mark.cursors.keys.filter { !known.contains($0) }.sorted().map { .refused($0, .resync) }
    }

    private func begin(
        _ name: StreamName, _ words: [GatewayWord], _ opening: WindowOpening, for bearer: Grant, _ request: Request,
        after mark: EventMark?, at now: ContinuousClock.Instant
    ) -> Answer {
        if streams[name] != nil { forget(name, window: false) }
        var stream = WindowStream(name, opening, for: bearer, request, after: mark, at: now)
        // A long word, and those that follow on it, are told when the head is on its way.
        let short = words.prefix { stream.form == .frames || !$0.isLong }.map { ToldWord($0) }
        let long = words.dropFirst(short.count).map { ToldWord($0) }
        said += long.map { (name, $0) }
        stream.first = long.first
        let body = short.flatMap { stream.pieces($0) { isOpen($0, in: name) } }.flatMap(\.self)
        streams[name] = stream
        requests[request.id] = name
        if let holder = bearer.token?.holder {
            held[holder, default: []].append(name)
            makeRoom(for: holder)
        }
        return .stream(
            Response(
                200,
                headers: [
                    "Content-Type": stream.form.type, "Cache-Control": "no-store", "Vary": "Accept",
                    Self.nameField: name.text,
                ], body: .bytes(body)))
    }

    private func isOpen(_ window: WindowID, in name: StreamName) -> Bool {
        desk.followers.seats[.stream(name)]?[window] != nil
    }

    /// Ends one of too many streams: first one that nobody hears, then the oldest.
    private func makeRoom(for holder: TokenVerifier.Holder) {
        guard let own = held[holder], own.count > limit else { return }
        let name = own.first { streams[$0]?.request == nil } ?? own[0]
        guard let stream = streams[name], stream.request != nil else { return forget(name) }
        // Its reader is told why, and the stream ends, though words about further windows may wait.
        desk.forget(.stream(name))
        held[holder]?.removeAll { $0 == name }
        let word = ToldWord(.refused(stream.window, .busy))
        streams[name]?.last = word
        said.append((name, word))
    }

    /// - Parameter window: whether its windows are forgotten, too.
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

    /// Takes a word of a stream's reader about its windows; the answer is told in the stream.
    ///
    /// A stream of another subject is answered as none. Another conversation comes into the stream where both the
    /// stream's token and the word's cover it.
    func hear(
        _ request: Request, on text: String, of conversation: ConversationID, for bearer: Grant,
        at now: ContinuousClock.Instant
    ) -> Response {
        guard let name = StreamName(text), let stream = streams[name], stream.conversation == conversation,
            stream.bearer.subject == bearer.subject
        else { return .notFound }
        guard stream.request != nil else { return .problem(409, "Nobody hears the stream; take it up first") }
        guard hasRoom(for: stream.bearer.payer) else { return .unavailable }
        let spoken: SpokenWord
        do throws(QueryFault) { spoken = try SpokenWord(request) } catch { return error.response }
        let word = spoken.word(as: bearer.subject)
        if let other = spoken.conversation?.text {
            guard bearer.allows(.read, other), stream.bearer.allows(.read, other) else { return .forbidden }
        }
        for answer in answers(to: word, in: stream, for: bearer, request: spoken.request, at: now) {
            said.append((name, ToldWord(answer, request: spoken.request)))
        }
        return Response(202)
    }

    /// True where one more answer of a subject may wait. Where nothing is being written for it, an answer mostly waits
    /// for no longer than this turn of the loop.
    private func hasRoom(for payer: Subject) -> Bool {
        guard said.count < Self.mostSaid else { return false }
        return said.count(where: { streams[$0.0]?.bearer.payer == payer }) < Self.mostSaidOfOne
            || !streams.values.contains { $0.isWaiting && $0.bearer.payer == payer }
    }

    private func answers(
        to word: ClientWord, in stream: WindowStream, for bearer: Grant, request: RequestID,
        at now: ContinuousClock.Instant
    ) -> [GatewayWord] {
        let client = WindowClient.stream(stream.name)
        let seats = desk.followers.seats[client] ?? [:]
        let waiting = desk.openings.room.windows(of: client)
        var conversation = seats[word.window]?.shared.key.conversation ?? stream.conversation
        switch word {
        case .open(let opening):
            let others = Set(seats.keys).union(waiting).subtracting([word.window])
            guard others.count < desk.limits.windows(of: client) else { return [.refused(word.window, .busy)] }
            conversation = opening.conversation
        // Whether its bearer may write depends on the conversation, and that is not known while the window is opened.
        case .preview where waiting.contains(word.window): return [.refused(word.window, .busy)]
        case .page, .heights, .rows, .lines, .locate, .position, .changes, .resize, .adjust, .hold, .busy, .read,
            .preview, .ranges, .close, .prewarm:
            break
        }
        desk.asking = bearer.asker(in: conversation)
        let answers = desk.answer(word, from: client, request: request, at: now)
        // A mark may name a moment of a window before it under this number, also where no other window is open.
        if case .open = word { desk.followers.seats[client]?[word.window]?.reshape() }
        return answers
    }

    /// Tells answers and ends streams that have no window any more.
    func settle(
        at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent, _ end: (Request.ID) -> Void
    ) {
        let words = said
        said = []
        // In their order: words that follow on one that is being written wait for it.
        for (name, word) in words where deliver(word, to: name, at: now, send) == .full { said.append((name, word)) }
        for request in over { end(request) }
        over = []
    }

    /// - Parameters:
    ///   - isAnswer: whether the reader has asked for the word, and so is told it in any case, as it is now. A refusal
    ///     is told in any case, too.
    ///   - send: sends bytes to a reader that is there.
    func deliver(
        _ word: ToldWord, to name: StreamName, isAnswer: Bool = false, at now: ContinuousClock.Instant,
        _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        guard let stream = streams[name] else { return .gone }
        guard let request = stream.request else { return .away }
        var sent = WordSent.full
        if !stream.isWaiting, !said.contains(where: { $0.0 == name }) {
            if stream.form == .events, word.takesLong, let lane = openLane() {
                sent = write(word, for: name, request, of: stream.bearer.payer, on: lane)
            } else {
                sent = tell(word, to: name, request, at: now, send)
            }
        }
        // The window of a refusal is closed already, so nobody would tell it again.
        guard sent == .full, isAnswer || word.isRefusal else { return sent }
        said.append((name, word))
        return .done
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
    /// The source that becomes readable when a word is written; nil until a long one was told.
    var source: Source? { lane?.source }

    /// Tells words that were written since to readers that are still there.
    func tellWritten(at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent) {
        for written in lane?.take() ?? [] {
            guard let draft = drafts.removeValue(forKey: written.id) else { continue }
            draft.word.take(written.event)
            for (name, request) in draft.readers {
                guard let stream = streams[name], stream.request == request else { continue }
                streams[name]?.isWaiting = false
                _ = tell(draft.word, to: name, request, at: now, send)
            }
        }
    }

    private func tell(
        _ word: ToldWord, to name: StreamName, _ request: Request.ID, at now: ContinuousClock.Instant,
        _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        let pieces = streams[name]?.pieces(word) { isOpen($0, in: name) } ?? []
        for piece in pieces where send(request, piece) != .done {
            leave(request, at: now)
            return .away
        }
        streams[name]?.heardAt = now
        if streams[name]?.first !== word { streams[name]?.wasTold = true }
        streams[name]?.first = nil
        let client = WindowClient.stream(name)
        let isEmpty = !desk.followers.knows(client) && !desk.openings.room.holdsAny(of: client)
        if streams[name]?.last.map({ $0 === word }) ?? isEmpty {
            // The stream has no window any more. A reader that comes back begins anew.
            forget(name)
            over.append(request)
        }
        return .done
    }

    /// Ends streams whose readers may not hear them any more, and says why. A reader that comes back within a minute,
    /// as the same subject and with a valid token, goes on where it was.
    func expel(
        at now: ContinuousClock.Instant, unless mayStay: (Grant) -> Bool, _ send: (Request.ID, [UInt8]) -> Sent
    ) {
        for (name, stream) in streams {
            guard let request = stream.request, !mayStay(stream.bearer) else { continue }
            let word = ToldWord(.refused(stream.window, .unauthorized))
            for piece in stream.form.pieces(word, mark: nil) where send(request, piece) != .done { break }
            streams[name]?.wasTold = true
            leave(request, at: now)
            over.append(request)
        }
    }

    /// Notes that a reader is gone. It may come back, for a while, if it was told anything that it could go on from.
    func leave(_ request: Request.ID, at now: ContinuousClock.Instant) {
        guard let name = requests.removeValue(forKey: request) else { return }
        guard streams[name]?.wasTold ?? false else { return forget(name) }
        streams[name]?.request = nil
        streams[name]?.heardAt = now
    }

    /// Forgets streams whose readers do not come back, and sends a sign of life in silent ones.
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
