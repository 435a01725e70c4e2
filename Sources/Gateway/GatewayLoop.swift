import Bytes
import MessageLayout
import Names
import Operations
package import Pool
package import Rows
package import Storage
package import Transport
package import Wire

private let log = Log("gateway")

/// The read side: a loop that answers readers from the cache, tells them of changes, and writes nothing.
package struct GatewayLoop: ~Copyable {
    private let socket: Socket
    /// The listener to hints. A change without a hint is found by looking.
    private let hints: HintListener?
    /// The line that tells the coordinator which messages are waited for.
    private let line: CoordinatorLine?
    private let desk: WindowDesk
    /// The side that speaks HTTP; nil where HTTP is not spoken.
    private let web: WebGate?
    /// The port for operators; nil where there is none.
    private let operators: OperatorPort?
    /// New limits of drafts; nil where they stay as they are.
    private let changes: Mailbox<IngestLimits>?
    private var memory: MemoryGuard
    /// Shards that were found damaged, noted here as this process may write nothing into the folder.
    private let suspicions: Suspicions
    private var nextSuspicions = ContinuousClock.now

    /// Words of clients that are not answered yet; costs are in microseconds.
    private var asked = FairQueue<Subject, Asked>(quantum: 1000, mostOfOne: 256, most: 4096)

    private struct Asked {
        let parts: [[UInt8]]
        let asker: Asker
        let heard = ContinuousClock.now
    }

    /// The most frames taken in one turn, so that askers do not keep others from hearing of changes.
    private static let framesPerTurn = 256
    /// The time of a turn for words that were not answered before: as long as has passed since the last answers, with
    /// all the work meanwhile; at least `slice`, and at most `longestSlice`, which others do not notice.
    private static let slice: Duration = .milliseconds(2)
    private static let longestSlice: Duration = .milliseconds(10)
    /// The end of the last such time.
    private var answeredAt = ContinuousClock.now
    /// The time of a turn for telling clients of changes.
    private static let followingSlice: Duration = .milliseconds(1)
    /// Whether the turn before was one for that.
    private var hasFollowed = false
    /// The most bytes of a frame that waits for its turn: those of a draft, with its head. A longer frame is no word,
    /// so it is refused at once, and not kept.
    private static let longestWord = Limits.draft + 1024

    /// - Parameters:
    ///   - style: the style of rows' decoration; nil where windows are not offered.
    ///   - source: the source of rows for screens that nobody foresaw; nil where these are refused.
    ///   - sources: the same for rows of another edition, as the folder keeps it.
    ///   - calling: the access for hearing hints and telling wishes; nil where neither is done.
    ///   - changes: new limits of drafts, which a running gateway takes up; nil where they stay.
    ///   - memoryCeiling: the memory limit of this process, in bytes.
    ///   - web: the settings of HTTP; nil where it is not spoken.
    ///   - metrics: the address at which operators are answered over HTTP; nil where there is none.
    package init(
        in folder: DataFolder, at endpoints: Endpoints, access: Access = Access(), calling: Access? = Access(),
        style: DecorationStyle?, source: LayoutSource? = nil,
        sources: @escaping (EditionID) -> LayoutSource? = { _ in nil }, limits: WindowLimits = WindowLimits(),
        changes: Mailbox<IngestLimits>? = nil, memoryCeiling: Int = 1 << 30, web: WebSettings? = nil,
        metrics: String? = nil
    ) throws {
        let suspicions = Suspicions()
        let folder = DataFolder(folder.path, suspicions: suspicions)
        let context = try Context()
        let socket = try Socket(
            .router, in: context, frameLimit: Limits.frame,
            security: access.listening(at: endpoints.fetch, admits: [.reader, .operator]))
        try socket.bind(endpoints.fetch)
        let hints = try calling.map { try HintListener(at: endpoints.ready, $0) }
        let line = try calling.map { try CoordinatorLine(to: endpoints.operators, $0) }
        let desk = WindowDesk(in: folder, style: style, source: source, sources: sources, limits: limits)
        let gate = try web.map { try WebGate($0, desk, events: endpoints.events) }
        let operators = try metrics.map { try OperatorPort(at: $0) }
        self.socket = socket
        self.hints = hints
        self.line = line
        self.desk = desk
        self.web = gate
        self.operators = operators
        self.changes = changes
        self.suspicions = suspicions
        memory = MemoryGuard(ceiling: memoryCeiling) { ProcessFacts.memory() ?? 0 }
    }

    /// Runs until told to stop; then no connection or request is taken over HTTP any more, streams end, and requests
    /// under way get `patience` to be answered.
    package mutating func run(until stop: [Source], patience: Duration = .seconds(1)) throws {
        var stop = stop
        var deadline: ContinuousClock.Instant?
        while true {
            ServiceManager.current.isAlive()
            let ours =
                [socket.source]
                + [hints?.source, line?.source, operators?.source, desk.drafts, changes?.source].compactMap(\.self)
                + (web?.sources ?? [])
            let awake = try wait(for: ours + stop, atMost: rest(until: deadline))
            if awake.dropFirst(ours.count).contains(true) {
                guard let web else { return }
                stop = []
                deadline = ContinuousClock.now + patience
                ServiceManager.current.stopping("answering what was asked over HTTP")
                web.quiesce()
            }
            if let latest = changes?.takeAll().last { desk.takeUp(drafts: latest) }
            try guardMemory()
            for ready in try hints?.receive() ?? [] { hear(ready) }
            for _ in 0..<Self.framesPerTurn {
                guard let message = try socket.receiveMessage() else { break }
                try take(message)
            }
            try answerInTurn()
            try web?.turn(line)
            operators?.turn(desk, web, line)
            try line?.turn(at: .now)
            try line?.urge(desk.takeWishes())
            try line?.want(desk.takeWantedScreens(at: .now))
            try tellSuspicions(at: .now)
            try tell()
            if let deadline, web?.isQuiet ?? true || ContinuousClock.now >= deadline { return }
        }
    }

    private mutating func hear(_ ready: ReadyWord) {
        let start = Traces.start
        desk.hear(ready)
        guard Traces.areOn else { return }
        for row in ready.rows {
            guard let revision = row.revision,
                let message = Traces.message(row.conversation.text, row.message.text, revision.number)
            else { continue }
            Traces.note("heard", of: message, from: start)
        }
    }

    /// Tells the coordinator of damaged shards: once a second at most, as readers find the same damage until it is
    /// mended.
    private mutating func tellSuspicions(at now: ContinuousClock.Instant) throws {
        guard now >= nextSuspicions else { return }
        let shards = suspicions.take(atMost: OperatorRequest.mostSuspected)
        guard !shards.isEmpty else { return }
        nextSuspicions = now + .seconds(1)
        let names = LogValue.text(shards.map(\.text).joined(separator: " "))
        if try line?.suspect(shards) ?? false {
            log.warning("files of shards are damaged; the coordinator is told", ["shards": names])
        } else {
            // Kept for later: rows that are left out of memory are not met again.
            for shard in shards { suspicions.add(shard) }
            log.warning(
                "files of shards are damaged, and the coordinator is not there to be told; it is told later, or run forme check",
                ["shards": names])
        }
    }

    private var rest: Duration {
        guard asked.isEmpty else { return .zero }
        return min(
            desk.rest(at: .now), web?.rest ?? .seconds(1), operators?.rest ?? .seconds(1), MemoryGuard.pause * 2)
    }

    /// The time until the next turn, which is none later than the deadline of a stop.
    private func rest(until deadline: ContinuousClock.Instant?) -> Duration {
        guard let deadline else { return rest }
        return min(rest, max(.zero, deadline - ContinuousClock.now))
    }

    private mutating func guardMemory() throws {
        var cut: [CutPeer] = []
        // A copy for the moment, as the closure looks at the socket.
        var memory = memory
        defer { self.memory = memory }
        try memory.look { least in cut = socket.cutBusiest(atLeast: least) }
        for peer in cut {
            log.warning(
                "cut a peer off",
                [
                    "address": "\(peer.address)", "key": "\(peer.key.map { "\($0)" } ?? "unknown")",
                    "reason": "\(peer.reason)",
                ])
        }
    }

    /// Sends words that come unasked, and answers that come later: the one in one turn and the other in the next, as
    /// askers wait for the turn to end.
    private mutating func tell() throws {
        var failure: (any Error)?
        hasFollowed = desk.isToFollow(at: .now) && !(hasFollowed && desk.isComing)
        if hasFollowed {
            desk.follow(at: .now, atMost: Self.followingSlice) { send($1, to: $0, &failure) }
        } else if let outcome = desk.proceed(at: .now, { send($1, to: $0, isAnswer: true, &failure) }) {
            web?.take(outcome)
        }
        desk.tellPreviews { send($1, to: $0, &failure) }
        if let failure { throw failure }
    }

    private func send(
        _ word: ToldWord, to client: WindowClient, isAnswer: Bool = false, _ failure: inout (any Error)?
    ) -> WordSent {
        switch client {
        case .peer(let name):
            do {
                return switch try socket.send(name, word.frame) {
                case .done: .done
                case .full: .full
                case .gone: .gone
                }
            } catch {
                failure = error
                return .full
            }
        case .stream(let stream): return web?.deliver(word, to: stream, isAnswer: isAnswer) ?? .gone
        case .caller:
            web?.take(word)
            return .done
        case .visitor: return .gone
        }
    }

    /// Answers a word again at once if it was answered before, which costs less than letting it wait. Every other
    /// word waits for its asker's turn.
    private mutating func take(_ message: Socket.Message) throws {
        let parts = message.parts
        let subject = message.sender.map { Subject.key($0.name) } ?? .connection(parts[0])
        let frame = parts.count == 2 ? parts[1] : []
        let client = WindowClient.peer(parts[0])
        // A reader's key may only read.
        let asker = Asker(subject, writer: message.sender.map { $0.role == .operator } ?? true ? .backend : .nobody)
        desk.asking = asker
        guard frame.count <= Self.longestWord else { return try answer(parts) }
        if asked.isEmpty || asked.count(of: subject) == 0,
            let known = desk.answerAgain(frame: frame, from: client, at: .now)
        {
            desk.times.record(.zero)
            return try tell([known], to: client)
        }
        guard !asked.add(Asked(parts: parts, asker: asker), of: subject) else { return }
        // The subject has more words waiting than any may have.
        let refusal = desk.refuse(frame: frame, as: .busy) ?? [Framed(FrameRefusal.busy).encoded()]
        try tell(refusal, to: client)
    }

    private mutating func answerInTurn() throws {
        var now = ContinuousClock.now
        defer { answeredAt = .now }
        let deadline = now + min(max(Self.slice, now - answeredAt), Self.longestSlice)
        while now < deadline, let (subject, next) = asked.next() {
            desk.asking = next.asker
            try answer(next.parts)
            let end = ContinuousClock.now
            desk.times.record(end - next.heard)
            asked.charge(subject, Int((end - now) / .microseconds(1)))
            now = end
        }
    }

    private func tell(_ answers: [[UInt8]], to client: WindowClient) throws {
        guard case .peer(let name) = client else { return }
        for answer in answers {
            guard try socket.send(name, answer) != .done else { continue }
            // The client did not get its answer, so its windows are not what it has: it opens afresh.
            desk.forget(client)
        }
    }

    private mutating func answer(_ parts: [[UInt8]]) throws {
        let frame = parts.count == 2 ? parts[1] : []
        let client = WindowClient.peer(parts[0])
        guard let answers = desk.answer(frame: frame, from: client, at: .now) else {
            _ = try socket.send(parts[0], FrameRefusal.answer(to: frame).encoded())
            return
        }
        try tell(answers, to: client)
    }
}
