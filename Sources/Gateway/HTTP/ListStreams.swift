import Conversation
import HTTP
import JSON
import Names
import Secrets
import Wire

/// Lists of conversations that are told in streams: first a page, then the line of each conversation that changes.
///
/// A reader that comes back begins with the first page: nothing is kept for it while it is away. A reader that is
/// behind is told later, each conversation once, as it is then.
final class ListStreams {
    private let pages: ConversationPages
    private var streams: [Request.ID: Stream] = [:]
    /// Streams that have something to be told, the next one first; each is told a part before the others have their
    /// turn again.
    private var turn: [Request.ID] = []
    /// Streams by the holder of the token that opened them, the oldest first, and the most that one holder may have.
    private var held: [TokenVerifier.Holder: [Request.ID]] = [:]
    private let limit: Int
    private var tidiedAt: ContinuousClock.Instant?

    private struct Stream {
        let bearer: Grant
        let scope: ConversationIndex.Scope
        let reader: SenderID?
        var heardAt: ContinuousClock.Instant
        /// Conversations whose lines are still to be told.
        var news: Set<ConversationID> = []
    }

    /// Conversations that are told at once.
    private static let linesAtOnce = 32
    /// The most conversations of which a reader may be behind.
    private let mostNews: Int
    /// The time of a turn of the loop for telling.
    private static let slice: Duration = .milliseconds(1)
    /// The time after which a sign of life is sent in a silent stream.
    private static let pause: Duration = .seconds(15)

    /// - Parameter limit: the most streams of one holder of tokens.
    init(_ pages: ConversationPages, perHolder limit: Int, mostNews: Int = 1 << 16) {
        (self.pages, self.limit, self.mostNews) = (pages, limit, mostNews)
    }

    var count: Int { streams.count }

    /// Opens a stream: returns its head and the first page, or the reason why there is none.
    func open(_ request: Request, for bearer: Grant, at now: ContinuousClock.Instant) throws(QueryFault) -> Answer {
        pages.desk.isFollowed = true
        defer { pages.desk.isFollowed = !streams.isEmpty }
        let (first, reader) = try pages.page(request, for: bearer, at: now)
        guard first.status == 200, case .bytes(let page) = first.body, let scope = bearer.listScope else {
            return .response(first)
        }
        streams[request.id] = Stream(bearer: bearer, scope: scope, reader: reader, heardAt: now)
        if let holder = bearer.token?.holder { held[holder, default: []].append(request.id) }
        return .stream(
            Response(
                200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
                body: .bytes(Self.event("conversations", page))))
    }

    private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    private static func refusal(_ because: String) -> [UInt8] {
        event("refused", Array(#"{"refused":{"because":"\#(because)"}}"#.utf8))
    }

    /// Tells changes, for about a millisecond; and ends the oldest of too many streams of one holder.
    func proceed(
        at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent, _ end: (Request.ID) -> Void
    ) {
        guard !streams.isEmpty else { return }
        for own in held.values where own.count > limit {
            for request in own.dropLast(limit) {
                _ = send(request, Self.refusal("busy"))
                leave(request)
                end(request)
            }
        }
        func beginAnew(_ request: Request.ID) {
            _ = send(request, Self.refusal("resync"))
            leave(request)
            end(request)
        }
        guard !pages.desk.takeLoss() else {
            // A change was missed, so every stream begins anew.
            for request in Array(streams.keys) { beginAnew(request) }
            return
        }
        let touched = pages.desk.takeNews()
        if !touched.isEmpty {
            for (request, stream) in streams {
                let own = touched.filter { stream.scope.covers($0) }
                guard !own.isEmpty else { continue }
                guard stream.news.count + own.count <= mostNews else {
                    beginAnew(request)
                    continue
                }
                if stream.news.isEmpty { turn.append(request) }
                streams[request]?.news.formUnion(own)
            }
        }
        let deadline = ContinuousClock.now + Self.slice
        while !turn.isEmpty, .now < deadline { tell(turn.removeFirst(), at: now, send) }
    }

    /// Whether there is something left to tell.
    var isTelling: Bool { !turn.isEmpty }

    private func tell(_ request: Request.ID, at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent) {
        guard let stream = streams[request] else { return }
        let some = Array(stream.news.prefix(Self.linesAtOnce))
        guard let lines = pages.lines(of: some, for: stream.reader, at: now) else {
            // The list is being read anew: the line is told later.
            return turn.append(request)
        }
        var json = JSONWriter()
        json.object { json in
            json.key("conversations")
            json.array { json in for line in lines { line.write(to: &json) } }
        }
        guard send(request, Self.event("changed", json.bytes)) == .done else { return leave(request) }
        streams[request]?.heardAt = now
        streams[request]?.news.subtract(some)
        if stream.news.count > some.count { turn.append(request) }
    }

    /// Forgets a stream whose reader is gone.
    func leave(_ request: Request.ID) {
        guard let stream = streams.removeValue(forKey: request) else { return }
        turn.removeAll { $0 == request }
        pages.desk.isFollowed = !streams.isEmpty
        guard let holder = stream.bearer.token?.holder else { return }
        held[holder]?.removeAll { $0 == request }
        if held[holder]?.isEmpty ?? false { held[holder] = nil }
    }

    /// Ends streams whose readers may not hear them any more, and says why.
    func expel(
        unless mayStay: (Grant) -> Bool, _ send: (Request.ID, [UInt8]) -> Sent, _ end: (Request.ID) -> Void
    ) {
        for (request, stream) in streams where !mayStay(stream.bearer) {
            _ = send(request, Self.refusal("unauthorized"))
            leave(request)
            end(request)
        }
    }

    /// Sends a sign of life in silent streams.
    func tidy(at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent) {
        if let tidiedAt, now < tidiedAt + .seconds(1) { return }
        tidiedAt = now
        for (request, stream) in streams where now - stream.heardAt >= Self.pause {
            streams[request]?.heardAt = now
            if send(request, Array(": nothing new\n\n".utf8)) != .done { leave(request) }
        }
    }
}

extension ConversationIndex.Scope {
    func covers(_ name: ConversationID) -> Bool {
        switch self {
        case .all: true
        case .one(let other): name == other
        case .prefix(let start): name.text.utf8.starts(with: start.utf8)
        }
    }
}
