import HTTP
import JSON
import Wire

/// Windows that are told as Server-Sent Events: first the window, then every change of it.
///
/// An event is named by its stream and by the moment that it leads to. Who comes back with the name of the last event that
/// arrived is told what followed, as long as the gateway knows; else the window comes again, whole.
final class WindowStreams {
    private let desk: WindowDesk
    private var streams: [UInt64: Stream] = [:]
    private var names: [Request.ID: UInt64] = [:]

    private struct Stream {
        /// Nil while its reader is away.
        var request: Request.ID?
        var opening: WindowOpening
        var heardAt: ContinuousClock.Instant
    }

    /// How often something is said where nothing happens, so that nobody takes the connection for dead.
    private static let pause: Duration = .seconds(15)

    init(_ desk: WindowDesk) { self.desk = desk }

    var count: Int { names.count }

    /// The head of a stream, with its first events; or why there is none.
    func open(_ opening: WindowOpening, _ request: Request, at now: ContinuousClock.Instant) -> Answer {
        if let mark = request.headers["Last-Event-ID"].flatMap({ EventMark($0) }),
            let events = takeUp(mark, opening, request, at: now)
        {
            return .stream(head(events))
        }
        let name = UInt64.random(in: 1 ... .max)
        let said = desk.answer(.open(opening), from: .stream(name), at: now)
        guard let first = said.first, case .window = first else {
            return .response(said.first.map { WindowPages.response($0, to: request) } ?? .notFound)
        }
        streams[name] = Stream(request: request.id, opening: opening, heardAt: now)
        names[request.id] = name
        return .stream(head(said.flatMap { event($0, of: name) }))
    }

    /// What its reader missed; nil where that is not known.
    private func takeUp(
        _ mark: EventMark, _ opening: WindowOpening, _ request: Request, at now: ContinuousClock.Instant
    ) -> [UInt8]? {
        // Who names the stream of another is as good as somebody new.
        guard let stream = streams[mark.stream], stream.opening == opening else { return nil }
        if let old = stream.request { names[old] = nil }
        let said = desk.answer(
            .changes(opening.window, since: mark.cursor), from: .stream(mark.stream), at: now)
        guard let first = said.first, case .changes = first else {
            desk.forget(.stream(mark.stream))
            streams[mark.stream] = nil
            return nil
        }
        streams[mark.stream] = Stream(request: request.id, opening: opening, heardAt: now)
        names[request.id] = mark.stream
        desk.resume(.stream(mark.stream))
        return event(first, of: mark.stream)
    }

    private func head(_ events: [UInt8]) -> Response {
        Response(
            200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"], body: .bytes(events))
    }

    /// - Parameter send: to a reader who is there.
    func deliver(
        _ word: ToldWord, to name: UInt64, at now: ContinuousClock.Instant, _ send: (Request.ID, [UInt8]) -> Sent
    ) -> WordSent {
        guard let request = streams[name]?.request else { return .away }
        switch send(request, event(word.word, of: name)) {
        case .done:
            streams[name]?.heardAt = now
            return .done
        case .slow, .gone:
            leave(request, at: now)
            return .away
        }
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
        for (name, stream) in streams {
            if let request = stream.request {
                guard now - stream.heardAt >= Self.pause else { continue }
                streams[name]?.heardAt = now
                if send(request, Array(": nothing new\n\n".utf8)) != .done { leave(request, at: now) }
            } else if now - stream.heardAt >= absence {
                streams[name] = nil
                desk.forget(.stream(name))
            }
        }
    }

    /// A word as JSON on one line, under the name of the moment that it leads to.
    private func event(_ word: GatewayWord, of name: UInt64) -> [UInt8] {
        let data: [UInt8]
        do throws(WireError) { data = try word.json() } catch {
            return Array("event: broken\ndata: {}\n\n".utf8)
        }
        var text = Array("event: \(word.name)\n".utf8)
        if let cursor = word.cursor { text += Array("id: \(EventMark(stream: name, cursor: cursor).text)\n".utf8) }
        return text + Array("data: ".utf8) + data + Array("\n\n".utf8)
    }
}

/// The name of an event.
struct EventMark: Equatable {
    var stream: UInt64
    var cursor: WindowCursor

    var text: String {
        "\(String(stream, radix: 16)).\(cursor.epoch.number).\(cursor.stamp.number).\(cursor.turn)"
    }

    init(stream: UInt64, cursor: WindowCursor) { (self.stream, self.cursor) = (stream, cursor) }

    /// Nil for what is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let stream = UInt64(parts[0], radix: 16), let epoch = UInt64(parts[1]),
            let stamp = UInt64(parts[2]), let turn = UInt32(parts[3])
        else { return nil }
        self.init(stream: stream, cursor: WindowCursor(epoch: LeaseEpoch(epoch), stamp: Stamp(stamp), turn: turn))
    }
}

extension GatewayWord {
    fileprivate var name: String {
        switch self {
        case .window: "window"
        case .heights: "heights"
        case .rows: "rows"
        case .place: "place"
        case .changes: "changes"
        case .adjusted: "adjusted"
        case .done: "done"
        case .refused: "refused"
        case .pending: "pending"
        }
    }

    /// The moment that a client has reached with it.
    fileprivate var cursor: WindowCursor? {
        switch self {
        case .window(let reply): reply.frame.cursor
        case .changes(let set): set.frame.cursor
        case .heights, .rows, .place, .adjusted, .done, .refused, .pending: nil
        }
    }
}
