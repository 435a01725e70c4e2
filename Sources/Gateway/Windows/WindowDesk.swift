import Bytes
import Conversation
package import MessageLayout
import Operations
import Pool
package import Storage
package import Wire

private let log = Log("gateway")

/// Answers what clients ask about their windows, and tells them what happens.
///
/// It reads files and keeps conversations in memory; sockets, threads and clocks are its owner's. A reply never waits for a
/// worker: what is not laid out is said to be pending.
///
///     let answers = desk.answer(word, from: client, at: .now)
///     desk.proceed(at: .now) { client, word in … }
///     desk.follow(at: .now) { client, word in … }
package final class WindowDesk {
    let folder: DataFolder
    let limits: WindowLimits
    var styles: EditionStyles
    var editions: EditionWatch
    /// The edition that was served when timelines last heard of one.
    var noticed: EditionID?
    let shelf: TimelineShelf
    var memory: AnswerMemory<FramedWindow>
    var cutter: ContentCutter
    var cards: CardReader?
    var seats: [WindowClient: [WindowID: Seat]] = [:]
    var seatCount = 0
    /// Those who took no more, and are told later.
    var behind: [ObjectIdentifier: Seat] = [:]
    /// Those who were told that messages are pending, until these have a row or get none; and when that was looked at.
    var awaiting: [ObjectIdentifier: Seat] = [:]
    var awaitedAt: ContinuousClock.Instant?
    /// Clients that are still to be told something in this round, and when it began.
    var unprobed: [WindowClient] = []
    var probedAt: ContinuousClock.Instant?
    var followedAt: ContinuousClock.Instant?
    /// Shards that are still to be followed in this round.
    var unfollowed: [ShardFeed] = []
    /// Messages that somebody waits for.
    var wishes: Set<MessageKey> = []
    var screens: ScreenTally
    /// To whom what is answered just now is charged.
    package var asking = Asker.anybody
    /// Drafts that are laid out, and answers to them that are still to be told.
    var previews = Previews()
    var untold: [(client: WindowClient, word: ToldWord)] = []
    /// Something is to be followed at the next tick.
    var isHinted = false
    /// What was said about conversations that come into memory.
    var room: WaitingRoom
    /// Bytes that pages over HTTP take.
    var pageBytes = 0
    /// Answers to what waited are next, before a conversation comes on.
    var isCallingNext = false

    /// - Parameters:
    ///   - source: what rows are laid out with for screens that nobody foresaw; nil where these are refused.
    ///   - sources: the same for rows of another edition, as the folder keeps it.
    package init(
        in folder: DataFolder, style: DecorationStyle?, source: LayoutSource? = nil,
        sources: @escaping (EditionID) -> LayoutSource? = { _ in nil }, limits: WindowLimits = WindowLimits()
    ) {
        (self.folder, self.limits) = (folder, limits)
        styles = EditionStyles(folder, own: style, of: source?.edition)
        editions = EditionWatch(folder)
        shelf = TimelineShelf(folder, EditionSources(own: source, load: sources), limits)
        memory = AnswerMemory(least: limits.answers)
        cutter = ContentCutter(limit: limits.contents)
        room = WaitingRoom(limits)
        screens = ScreenTally(prepared: source?.style.targets)
    }

    /// Shards, their timelines and who looks at them hold each other.
    deinit {
        for client in Array(seats.keys) { forget(client) }
        for feed in Array(shelf.feeds.values) { shelf.remove(feed) }
    }

    /// Whether there is anything to read.
    var isServing: Bool {
        do throws(StorageError) {
            _ = try editions.lookAround()
            return editions.served != nil
        } catch {
            return false
        }
    }

    /// How many windows are open.
    package var count: Int { seatCount }
    package var tally: AnswerTally { memory.tally }
    package var rememberedBytes: Int { memory.bytes }

    /// Bytes that conversations and contents leave to answers at the socket and to pages over HTTP.
    var roomForAnswers: Int { limits.together - shelf.bytes - cutter.bytes }

    /// Whether the client has one.
    func knows(_ client: WindowClient) -> Bool { seats[client] != nil }

    /// What is answered at once: nothing, where the conversation is not in memory yet. Then the answer comes in `proceed`.
    package func answer(
        _ word: ClientWord, from client: WindowClient, request: RequestID = .none, at now: ContinuousClock.Instant
    ) -> [GatewayWord] {
        answer(word, from: client, request: request, question: nil, at: now)
    }

    func answer(
        _ word: ClientWord, from client: WindowClient, request: RequestID, question: AnswerQuestion?,
        at now: ContinuousClock.Instant
    ) -> [GatewayWord] {
        let visit = WaitingRoom.Visit(
            client: client, word: word, request: request, question: question, asker: asking)
        do {
            do {
                guard !room.holds(word.window, of: client) else {
                    try room.line(up: visit)
                    return []
                }
                return try reply(to: word, from: client, request: request, at: now)
            } catch let opening as TimelineShelf.Opening {
                try room.wait(visit, for: opening.key)
                return []
            }
        } catch {
            return [.refused(word.window, refusal(for: error))]
        }
    }

    func refusal(for error: any Error) -> WindowRefusal {
        switch error {
        case let refusal as WindowRefusal: return refusal
        case let error as StorageError: log.error("the cache could not be read", ["reason": "\(error)"])
        case let error as StoredMessageError:
            log.warning("a conversation cannot be laid out for a screen that nobody foresaw", ["reason": "\(error)"])
            return .unprepared
        case let error as ByteError: log.error("a sealed block could not be read", ["reason": "\(error)"])
        default: break
        }
        return .busy
    }

    /// The client is gone.
    package func forget(_ client: WindowClient) {
        for seat in seats.removeValue(forKey: client)?.values ?? [:].values { leave(seat) }
    }

    func reply(
        to word: ClientWord, from client: WindowClient, request: RequestID, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        switch word {
        case .open(let opening): return try open(opening, for: client, at: now)
        case .prewarm(let conversation, let targets):
            try prewarm(conversation, targets, for: client, at: now)
            return [.done(word.window)]
        case .close(let window):
            close(window, of: client)
            return [.done(window)]
        case .preview(let window, let draft): return try preview(draft, in: window, for: client, request: request)
        case .changes(let window, let cursor): return [try changes(of: seat(window, of: client), since: cursor)]
        case .page, .heights, .rows, .lines, .locate, .position, .resize, .adjust, .hold, .busy, .read, .ranges:
            let seat = try seat(word.window, of: client)
            // What comes next is told for another moment than the client's.
            guard !seat.isBehind else { throw WindowRefusal.busy }
            seat.shared.lastUse = now
            return try reply(to: word, at: seat, now)
        }
    }

    private func reply(
        to word: ClientWord, at seat: Seat, _ now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        let timeline = seat.shared.timeline
        switch word {
        case .page(_, let side, let count):
            let asked = seat.window.ranksAsked(at: side, count: count, on: timeline)
            let reply = seat.window.page(side, count: count, on: cutter.looks.timeline(of: seat.shared, at: asked))
            if !reply.rows.isEmpty { seat.reshape() }
            return [.window(try filled(reply, at: seat))]
        case .heights(let window, let range): return [.heights(timeline.heights(range, of: window))]
        case .rows(let window, let numbers):
            var rows = timeline.rows(numbers).map(\.row)
            let kept = try fill(&rows, at: seat)
            return [.rows(window, Array(rows.prefix(kept)))]
        case .lines(let window, let wanted): return [.rows(window, try row(with: wanted, at: seat))]
        case .locate(let window, let y):
            guard timeline.tree.count > 0, let place = timeline.place(at: timeline.tree.rank(atY: y), of: window) else {
                throw WindowRefusal.unknownMessage
            }
            return [.place(place)]
        case .position(let window, let message):
            switch try find(message, on: seat.shared) {
            case .none(let order, let isAwaited):
                return [self.word(message, order: order, isAwaited: isAwaited, at: seat)]
            case .row(let number):
                guard let rank = timeline.tree.rank(of: number), let place = timeline.place(at: rank, of: window) else {
                    throw WindowRefusal.unknownMessage
                }
                return [.place(place)]
            }
        case .resize(_, let target, let screen, let anchor):
            return [.window(try resize(seat, to: target, screen, anchor, now))]
        case .adjust(let window, let most, let focus):
            let set = seat.window.adjust(maxCount: most, focus: Double(focus) / 1000, on: timeline)
            if set != nil { seat.reshape() }
            return [.adjusted(window, set)]
        case .hold(let window, let anchors):
            seat.window.hold(anchors, on: timeline)
            return [.done(window)]
        case .busy(let window, let isBusy):
            seat.window.isBusy = isBusy
            guard let set = seat.window.settle(focus: seat.window.focus, on: timeline) else { return [.done(window)] }
            seat.reshape()
            return [.adjusted(window, set)]
        case .read(let window, let order):
            return [try read(seat, from: order, now) ?? .refused(window, .resync)]
        case .ranges(_, let question): return [try ranges(question, at: seat)]
        case .open, .prewarm, .close, .changes, .preview: preconditionFailure("answered before")
        }
    }
}

extension ClientWord {
    /// The one that is meant; 0 where none is.
    package var window: WindowID {
        switch self {
        case .open(let opening): opening.window
        case .page(let window, _, _), .heights(let window, _), .rows(let window, _), .lines(let window, _),
            .locate(let window, _),
            .position(let window, _), .changes(let window, _), .resize(let window, _, _, _),
            .adjust(let window, _, _), .hold(let window, _), .busy(let window, _), .read(let window, _),
            .close(let window), .preview(let window, _), .ranges(let window, _):
            window
        case .prewarm: WindowID(0)
        }
    }
}

extension Window {
    /// Where its reader is, as far as it is known: at what is anchored, or at the end.
    fileprivate var focus: Double {
        guard let anchor = anchors.first, !range.isEmpty else { return 1 }
        return Double(anchor.rank - range.lowerBound) / Double(range.count)
    }
}
