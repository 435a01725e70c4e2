package import MessageLayout
import Operations
package import Storage
package import Transport
package import Wire

private let log = Log("gateway")

/// The read side: answers readers from the cache, tells them what changes, and writes nothing.
package struct GatewayLoop: ~Copyable {
    private let socket: Socket
    /// Hears what is new. What it does not hear, the desk finds out by looking.
    private let hints: HintListener?
    /// Says which messages are waited for.
    private let line: CoordinatorLine?
    private var readers: ShardReaders
    private let desk: WindowDesk
    /// Nil where HTTP is not spoken.
    private let web: WebGate?

    /// Frames in one turn, so that nobody who asks keeps others from hearing what happens.
    private static let framesPerTurn = 256

    /// - Parameters:
    ///   - style: how rows are dressed; nil where windows are not offered.
    ///   - source: what rows are laid out with for screens that nobody foresaw; nil where these are refused.
    ///   - calling: what hints are heard with, and wishes told; nil where they are not.
    ///   - web: what HTTP is spoken with; nil where it is not.
    package init(
        in folder: DataFolder, at endpoints: Endpoints, access: Access = Access(), calling: Access? = Access(),
        style: DecorationStyle?, source: LayoutSource? = nil, limits: WindowLimits = WindowLimits(),
        web: WebSettings? = nil
    ) throws {
        let context = try Context()
        let socket = try Socket(
            .router, in: context, frameLimit: Limits.frame,
            security: access.listening(at: endpoints.fetch, admits: [.reader, .operator]))
        try socket.bind(endpoints.fetch)
        let hints = try calling.map { try HintListener(at: endpoints.ready, $0) }
        let line = try calling.map { try CoordinatorLine(to: endpoints.operators, $0) }
        let desk = WindowDesk(in: folder, style: style, source: source, limits: limits)
        let gate = try web.map { try WebGate($0, desk, events: endpoints.events) }
        readers = ShardReaders(folder)
        self.socket = socket
        self.hints = hints
        self.line = line
        self.desk = desk
        self.web = gate
    }

    package mutating func run(until stop: [Source]) throws {
        while true {
            ServiceManager.current.isAlive()
            let ours = [socket.source] + [hints?.source].compactMap(\.self) + (web?.sources ?? [])
            let awake = try wait(for: ours + stop, atMost: min(desk.rest(at: .now), web?.rest ?? .seconds(5)))
            if awake.dropFirst(ours.count).contains(true) { return }
            for ready in try hints?.receive() ?? [] { desk.hear(ready) }
            for _ in 0..<Self.framesPerTurn {
                guard let parts = try socket.receive() else { break }
                try answer(parts)
            }
            try web?.turn()
            try line?.urge(desk.takeWishes())
            try line?.want(desk.takeWantedScreens(at: .now))
            try tell()
        }
    }

    /// What comes unasked, and what comes later.
    private func tell() throws {
        var failure: (any Error)?
        if let outcome = desk.proceed(at: .now, { send($1, to: $0, &failure) }) { web?.take(outcome) }
        if desk.isToFollow(at: .now) { desk.follow(at: .now) { send($1, to: $0, &failure) } }
        if let failure { throw failure }
    }

    private func send(_ word: ToldWord, to client: WindowClient, _ failure: inout (any Error)?) -> WordSent {
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
        case .stream(let stream): return web?.deliver(word, to: stream) ?? .gone
        case .visitor: return .gone
        }
    }

    private mutating func answer(_ parts: [[UInt8]]) throws {
        let frame = parts.count == 2 ? parts[1] : []
        guard frame.count > Framed<ClientWord>.familyPlace,
            frame[Framed<ClientWord>.familyPlace] == ClientWord.family
        else {
            // A client that is gone asks again when it is back.
            _ = try socket.send(parts[0], answer(to: frame).encoded())
            return
        }
        let client = WindowClient.peer(parts[0])
        guard let answers = desk.answer(frame: frame, from: client, at: .now) else {
            _ = try socket.send(parts[0], Framed(PageWord.refused(.malformed)).encoded())
            return
        }
        for answer in answers {
            guard try socket.send(parts[0], answer) != .done else { continue }
            // It has not heard what it asked for, and its windows are not what it has: it opens afresh.
            desk.forget(client)
        }
    }

    private mutating func answer(to bytes: [UInt8]) -> Framed<PageWord> {
        do throws(WireError) {
            let framed = try Framed<ReaderWord>(decoding: bytes)
            switch framed.word {
            case .fetch(let query): return Framed(answer(to: query), request: framed.request)
            }
        } catch {
            return Framed(.refused(.malformed))
        }
    }

    private mutating func answer(to query: Query) -> PageWord {
        do throws(StorageError) {
            guard let page = try readers.page(query) else { return .refused(.unprepared) }
            return .page(page)
        } catch {
            log.error("the cache could not be read", ["reason": "\(error)"])
            return .refused(.unavailable)
        }
    }
}
