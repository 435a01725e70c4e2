import Bytes
import Conversation
import MessageLayout
import Pool
package import Rows
package import Storage
package import Wire

/// The desk that answers clients about their windows, and tells them of changes.
///
/// It reads files and keeps conversations in memory; sockets, threads and clocks are its owner's. A reply never waits
/// for a worker: a row that is not laid out is said to be pending.
///
///     let answers = desk.answer(word, from: client, at: .now)
///     desk.proceed(at: .now) { client, word in … }
///     desk.follow(at: .now) { client, word in … }
package final class WindowDesk {
    let folder: DataFolder
    private(set) var limits: WindowLimits
    let shelf: TimelineShelf
    let answers: Answers
    let followers: Followers
    let openings: Openings
    /// Drafts that are laid out, and answers to them that are still to be told.
    var previews = Previews()
    var untold: [(client: WindowClient, word: ToldWord)] = []

    /// - Parameters:
    ///   - source: the source of rows for screens that nobody foresaw; nil where these are refused.
    ///   - sources: the same for rows of another edition, as the folder keeps it.
    package init(
        in folder: DataFolder, style: DecorationStyle?, source: LayoutSource? = nil,
        sources: @escaping (EditionID) -> LayoutSource? = { _ in nil }, limits: WindowLimits = WindowLimits()
    ) {
        (self.folder, self.limits) = (folder, limits)
        shelf = TimelineShelf(folder, EditionSources(own: source, load: sources), limits)
        answers = Answers(in: folder, shelf, limits)
        followers = Followers(in: folder, shelf, answers, limits)
        openings = Openings(in: folder, style: style, source: source, shelf, answers, followers, limits)
    }

    /// The asker to whom the present answers are charged.
    package var asking: Asker {
        get { openings.asking }
        set { openings.asking = newValue }
    }

    /// The number of windows that are open.
    package var count: Int { followers.count }
    package var tally: AnswerTally { answers.memory.tally }
    package var rememberedBytes: Int { answers.memory.bytes }
    /// The times of answers at the socket.
    var times = Latencies()

    /// Takes up new limits of drafts. All other limits stay as they were at the start: parts of the desk are made with
    /// them.
    func takeUp(drafts: IngestLimits) { limits.drafts = drafts }

    /// Answers at once: with nothing where the conversation is not in memory yet. Then the answer comes in `proceed`.
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
                guard try !openings.line(up: visit) else { return [] }
                return try reply(to: word, from: client, request: request, at: now)
            } catch let opening as TimelineShelf.Opening {
                try openings.wait(visit, for: opening.key)
                return []
            }
        } catch {
            return [.refused(word.window, WindowRefusal(for: error))]
        }
    }

    private func reply(
        to word: ClientWord, from client: WindowClient, request: RequestID, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        switch word {
        case .open(let opening): return try openings.open(opening, for: client, at: now)
        case .prewarm(let conversation, let targets):
            try openings.prewarm(conversation, targets, for: client, at: now)
            return [.done(word.window)]
        case .close(let window):
            followers.close(window, of: client)
            return [.done(window)]
        case .preview(let window, let draft): return try preview(draft, in: window, for: client, request: request)
        case .changes(let window, let cursor):
            return [try followers.changes(of: followers.seat(window, of: client), since: cursor)]
        case .page, .heights, .rows, .lines, .locate, .position, .resize, .adjust, .hold, .busy, .read, .ranges:
            let seat = try followers.seat(word.window, of: client)
            // The answer would be of another moment than the client's.
            guard !seat.isBehind else { throw WindowRefusal.busy }
            seat.shared.lastUse = now
            let (window, shared) = (seat.window, seat.shared)
            do {
                return try reply(to: word, at: seat, now)
            } catch let error as StorageError {
                // Its client has not heard of other rows, so the window has none. It cannot go back to a timeline
                // that it left, which may not be there any more.
                let refusal = WindowRefusal(for: error)
                seat.window = window
                guard seat.shared !== shared else { throw refusal }
                followers.close(seat)
                throw WindowRefusal.resync
            }
        }
    }

    private func reply(
        to word: ClientWord, at seat: Seat, _ now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        let timeline = seat.shared.timeline
        switch word {
        case .page(_, let side, let count):
            let reply = try answers.page(side, count: count, at: seat)
            if !reply.rows.isEmpty { seat.reshape() }
            return [.window(try answers.filled(reply, at: seat))]
        case .heights(let window, let range): return [.heights(timeline.heights(range, of: window))]
        case .rows(let window, let numbers):
            var rows = timeline.rows(numbers).map(\.row)
            let kept = try answers.fill(&rows, at: seat)
            return [.rows(window, Array(rows.prefix(kept)))]
        case .lines(let window, let wanted): return [.rows(window, try answers.row(with: wanted, at: seat))]
        case .locate(let window, let y):
            guard timeline.tree.count > 0, let place = timeline.place(at: timeline.tree.rank(atY: y), of: window) else {
                throw WindowRefusal.unknownMessage
            }
            return [.place(place)]
        case .position(let window, let message):
            switch try answers.find(message, on: seat.shared) {
            case .none(let order, let isAwaited):
                return [followers.word(message, order: order, isAwaited: isAwaited, at: seat)]
            case .row(let number):
                guard let rank = timeline.tree.rank(of: number), let place = timeline.place(at: rank, of: window) else {
                    throw WindowRefusal.unknownMessage
                }
                return [.place(place)]
            }
        case .resize(_, let target, let screen, let anchor):
            return [.window(try openings.resize(seat, to: target, screen, anchor, now))]
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
            return [try openings.read(seat, from: order, now) ?? .refused(window, .resync)]
        case .ranges(_, let question): return [try ranges(question, at: seat)]
        case .open, .prewarm, .close, .changes, .preview: preconditionFailure("answered before")
        }
    }
}

// Changes, and openings under way.
extension WindowDesk {
    /// A function that sends a word and returns the outcome; a word that is not sent is told later.
    package typealias Deliver = (WindowClient, ToldWord) -> WordSent

    /// Takes a hint that something is new. It may be lost.
    package func hear(_ ready: ReadyWord) { followers.hear(ready) }

    /// The time until something has to be followed. While nobody looks, nothing is.
    package func rest(at now: ContinuousClock.Instant) -> Duration {
        isComing || previews.isTelling ? .zero : followers.rest(at: now)
    }

    package func isToFollow(at now: ContinuousClock.Instant) -> Bool { followers.isToFollow(at: now) }

    /// Reads changes, and tells every client of those that concern it: see `Followers.follow`.
    package func follow(at now: ContinuousClock.Instant, atMost time: Duration? = nil, _ deliver: Deliver) {
        followers.follow(at: now, atMost: time, deliver)
    }

    /// Tells a client that is back what it missed.
    package func resume(_ client: WindowClient) { followers.resume(client) }

    /// Closes all windows of a client that is gone.
    package func forget(_ client: WindowClient) { followers.forget(client) }

    /// Takes the messages that somebody waits for, since this was asked last.
    func takeWishes() -> [MessageKey] { answers.takeWishes() }

    /// Takes the screens that readers asked for and no style prepares, now and then.
    package func takeWantedScreens(at now: ContinuousClock.Instant) -> [WantedTarget] {
        openings.takeWantedScreens(at: now)
    }

    /// Whether conversations are on their way into memory, or are there and words about them wait for their answers.
    package var isComing: Bool { openings.isComing }

    /// Goes on for about a millisecond: with a conversation that comes into memory, or with answers to words that
    /// waited for one.
    /// - Returns: the conversation that has come, or the reason why it cannot, for requests that wait for it.
    package func proceed(at now: ContinuousClock.Instant, _ deliver: Deliver) -> OpeningOutcome? {
        openings.proceed { visit, refusal, now in answer(visit, refusal, at: now, deliver) }
    }

    /// - Returns: a conversation for which it waits again.
    private func answer(
        _ visit: WaitingRoom.Visit, _ refusal: WindowRefusal?, at now: ContinuousClock.Instant, _ deliver: Deliver
    ) -> SharedTimeline.Key? {
        let answers: [ToldWord]
        do {
            if let refusal { throw refusal }
            answers = try told(visit, at: now)
        } catch let opening as TimelineShelf.Opening {
            return opening.key
        } catch {
            answers = [ToldWord(.refused(visit.word.window, WindowRefusal(for: error)), request: visit.request)]
        }
        for answer in answers {
            switch deliver(visit.client, answer) {
            case .done, .away: break
            // The client did not get its answer: it opens afresh.
            case .full, .gone: followers.forget(visit.client)
            }
        }
        return nil
    }

    /// Answers a word that waited, from memory, too: a client that asks again and again before it is answered never
    /// finds its line empty.
    private func told(_ visit: WaitingRoom.Visit, at now: ContinuousClock.Instant) throws -> [ToldWord] {
        if let question = visit.question,
            let known = answerAgain(question, request: visit.request, from: visit.client, at: now)
        {
            return [ToldWord(frame: known)]
        }
        let answers = try reply(to: visit.word, from: visit.client, request: visit.request, at: now).map {
            ToldWord($0, request: visit.request)
        }
        if let question = visit.question, answers.count == 1, case .window = answers[0].word {
            keep(answers[0].frame, to: visit.word, from: visit.client, question)
        }
        return answers
    }
}

extension ClientWord {
    /// The window that is meant; 0 where none is.
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
    /// The place of its reader, as far as it is known: at an anchor, or at the end.
    fileprivate var focus: Double {
        guard let anchor = anchors.first, !range.isEmpty else { return 1 }
        return Double(anchor.rank - range.lowerBound) / Double(max(1, range.count - 1))
    }
}
