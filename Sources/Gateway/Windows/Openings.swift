import Conversation
import MessageLayout
import Names
import Pool
import Rows
import Storage
import Wire

/// Conversations that are opened: they come into memory, and meanwhile words about them wait; then there is a window,
/// on the timeline of its reader and screen.
final class Openings {
    private let shelf: TimelineShelf
    private let answers: Answers
    private let followers: Followers
    private let limits: WindowLimits
    private var styles: EditionStyles
    private var screens: ScreenTally
    /// Words about conversations that come into memory.
    private(set) var room: WaitingRoom
    /// Whether answers to words that waited are next, before a conversation comes on.
    private var isCallingNext = false
    /// The asker to whom the present answers are charged.
    var asking = Asker.anybody

    init(
        in folder: DataFolder, style: DecorationStyle?, source: LayoutSource?, _ shelf: TimelineShelf,
        _ answers: Answers, _ followers: Followers, _ limits: WindowLimits
    ) {
        (self.shelf, self.answers, self.followers, self.limits) = (shelf, answers, followers, limits)
        styles = EditionStyles(folder, own: style, of: source?.edition)
        room = WaitingRoom(limits)
        screens = ScreenTally(prepared: source?.style.targets)
    }

    func open(
        _ opening: WindowOpening, for client: WindowClient, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        let isFurther = followers.knows(client) || room.holdsAny(of: client)
        try followers.makeRoom(for: opening.window, of: client)
        let shared: SharedTimeline
        do {
            shared = try timeline(opening.conversation, opening.target, opening.reader, at: now)
        } catch WindowRefusal.unknownConversation {
            throw try absence(ofShardOf: opening.conversation, for: client)
        }
        answers.makeRoom()
        countScreen(opening.target, for: opening.reader)
        var place = RowPlace.newest
        var missing: (message: MessageID, order: Int64, isAwaited: Bool)?
        switch opening.place {
        case .newest: break
        case .unread: place = .unread
        case .date(let time): place = .date(time)
        case .y(let y): place = .y(y)
        case .message(let message):
            switch try answers.find(message, on: shared) {
            case .row(let number): place = .row(number)
            case .none(let order, let isAwaited):
                let tree = shared.timeline.tree
                place = tree.count == 0 ? .newest : .y(tree.y(ofRank: min(tree.rank(ofOrder: order), tree.count - 1)))
                missing = (message, order, isAwaited)
            }
        }
        guard
            let (window, reply) = Window.open(
                opening.window, on: answers.timeline(of: shared, around: place, count: opening.count), around: place,
                count: opening.count, screen: opening.screen)
        else { throw try answers.isLaidOutAgain(shared) ? WindowRefusal.busy : .unknownMessage }
        // There is no row at all, where there may have been some.
        if shared.timeline.tree.count == 0, try answers.isLaidOutAgain(shared) { throw WindowRefusal.busy }
        let seat = followers.take(
            Seat(
                client, window, on: shared, wantsBodies: opening.wantsBodies, wantsMessages: opening.wantsMessages,
                wantsRuns: opening.wantsRuns, wantsFonts: opening.wantsFonts,
                wantsEditions: opening.wantsEditions, wantsUnavailable: opening.wantsUnavailable,
                rowVersion: opening.rowVersion))
        // Where the answer is lost, a moment that the client names may be one of a window before it under the same
        // number.
        if isFurther { seat.reshape() }
        let answer: GatewayWord
        do throws(StorageError) { answer = .window(try answers.filled(reply, at: seat)) } catch {
            // Its client is told that there is no window.
            followers.close(seat)
            throw error
        }
        guard let missing else { return [answer] }
        return [answer, followers.word(missing.message, order: missing.order, isAwaited: missing.isAwaited, at: seat)]
    }

    func timeline(
        _ conversation: ConversationID, _ target: Target, _ reader: WindowReader, atOnce: Bool = true,
        at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        followers.keepUp(at: now)
        guard let edition = followers.editions.served else { throw WindowRefusal.busy }
        guard let style = try styles.style(of: edition, filledFrom: followers.editions.filler) else {
            throw WindowRefusal.unprepared
        }
        let key = SharedTimeline.Key(
            edition: edition, filler: followers.editions.filler, conversation: conversation, target: target,
            reader: reader)
        return try shelf.timeline(
            key, among: followers.editions.shardCount, style: style, for: asking.payer, atOnce: atOnce, at: now)
    }

    /// The refusal where a shard has no file, which comes with the first row of any of its conversations: a stream
    /// asks again until it is there.
    private func absence(ofShardOf conversation: ConversationID, for client: WindowClient) throws -> WindowRefusal {
        if case .stream = client { return .busy }
        return try answers.isKnown(conversation) ? .busy : .unknownConversation
    }

    /// The reason for which a visitor is told of no rows instead of an empty window; nil where there are some, or may
    /// be. A client that stays is told of the first message when it comes, so its window opens empty.
    func absence(of conversation: ConversationID, for client: WindowClient, in window: WindowID) -> WindowRefusal? {
        guard let seat = followers.seats[client]?[window], seat.shared.timeline.tree.count == 0 else { return nil }
        do throws(StorageError) {
            return try answers.isUnknown(conversation) ? .unknownConversation : nil
        } catch {
            return WindowRefusal(for: error)
        }
    }

    /// The place of a row now, for such a window; nil where it is not there.
    func y(of row: MessageNumber, for opening: WindowOpening, at now: ContinuousClock.Instant) -> Int64? {
        do {
            let shared = try timeline(opening.conversation, opening.target, opening.reader, at: now)
            return answers.rank(of: row, on: shared).map { shared.timeline.tree.y(ofRank: $0) }
        } catch {
            return nil
        }
    }

    func resize(
        _ seat: Seat, to target: Target, _ screen: Int32, _ anchor: WindowAnchor?, _ now: ContinuousClock.Instant
    ) throws -> WindowReply {
        let old = seat.shared
        let new = try timeline(old.key.conversation, target, old.key.reader, at: now)
        countScreen(target, for: old.key.reader)
        let y = anchor.flatMap { old.timeline.y(of: $0) } ?? 0
        let reply = seat.window.resize(
            on: new.timeline, from: old.timeline, screen: screen, anchor: anchor, y: y)
        followers.move(seat, to: new)
        seat.turnOver()
        return try answers.filled(reply, at: seat)
    }

    /// Moves the beginning of the unread messages; nil where the window cannot follow.
    func read(
        _ seat: Seat, from order: Int64?, _ now: ContinuousClock.Instant
    ) throws -> GatewayWord? {
        let old = seat.shared
        let new = shelf.timeline(of: old, readFrom: order, at: now)
        let before = seat.window
        let steps = new.timeline.steps(since: before.cursor)
        followers.move(seat, to: new)
        // A fork that nobody looks at holds memory, and costs nothing to make again.
        if old.isFork, !old.isWatched { shelf.remove(old) }
        guard let steps, let set = seat.window.follow(steps, on: new.timeline) else {
            followers.close(seat)
            return nil
        }
        guard let set = try answers.filled(set, at: seat) else {
            followers.close(seat)
            return nil
        }
        seat.remember(before, atMost: limits.past)
        return .changes(set)
    }

    /// Has a conversation in memory for other screens, for all readers that this client has of it.
    func prewarm(
        _ conversation: ConversationID, _ targets: [Target], for client: WindowClient,
        at now: ContinuousClock.Instant
    ) throws {
        let readers = Set(
            (followers.seats[client] ?? [:]).values.map(\.shared.key).filter { $0.conversation == conversation }.map(
                \.reader))
        for reader in readers.isEmpty ? [WindowReader()] : readers {
            // One after the other, in turns: very many short conversations take as long as one that waits.
            for target in targets { _ = try timeline(conversation, target, reader, atOnce: false, at: now) }
        }
        for target in targets {
            for reader in readers { countScreen(target, for: reader) }
        }
    }

    /// Counts a screen for its reader, by the name in the token; without tokens, and at the socket, by the name that
    /// the reader gives.
    func countScreen(_ target: Target, for reader: WindowReader) {
        switch asking.payer {
        case .reader(let name): screens.count(target, for: name)
        case .key, .connection, .address, .caller, .anybody: screens.count(target, for: reader.own)
        // A token that names nobody.
        case .token: break
        }
    }

    /// Takes the screens that readers asked for and no style prepares, now and then.
    func takeWantedScreens(at now: ContinuousClock.Instant) -> [WantedTarget] {
        screens.take(atMost: OperatorRequest.mostWanted, at: now)
    }
}

// Words that wait for conversations that come into memory.
extension Openings {
    /// Prepares an opening: nil where the window can be opened at once; else the conversation, which comes into
    /// memory meanwhile.
    func prepare(_ opening: WindowOpening, at now: ContinuousClock.Instant) -> SharedTimeline.Key? {
        do {
            _ = try timeline(opening.conversation, opening.target, opening.reader, at: now)
            return nil
        } catch let opening as TimelineShelf.Opening {
            return opening.key
        } catch {
            // The opening itself is refused with the reason.
            return nil
        }
    }

    /// Whether conversations are on their way into memory, or are there and words about them wait for their answers.
    var isComing: Bool { shelf.isOpening || room.isCalling }

    /// Has a word wait for a conversation that comes.
    func wait(_ visit: WaitingRoom.Visit, for key: SharedTimeline.Key) throws(WindowRefusal) {
        try room.wait(visit, for: key)
    }

    /// Has openings of a client that wait refused in their turn, but for those of conversations that it may read now.
    func refuseWaiting(of client: WindowClient, unless mayRead: (ConversationID) -> Bool) {
        room.refuse(openingsOf: client, unless: mayRead)
    }

    /// Has a word wait behind others about its window. False where none waits.
    func line(up visit: WaitingRoom.Visit) throws(WindowRefusal) -> Bool {
        guard room.holds(visit.word.window, of: visit.client) else { return false }
        try room.line(up: visit)
        return true
    }

    /// Goes on for about a millisecond: with a conversation that comes into memory, or with answers to words that
    /// waited for one.
    /// - Parameter answer: answers a word, or says why not; it returns a conversation for which the word waits again.
    /// - Returns: the conversation that has come, or the reason why it cannot, for requests that wait for it.
    func proceed(
        _ answer: (WaitingRoom.Visit, WindowRefusal?, ContinuousClock.Instant) -> SharedTimeline.Key?
    ) -> OpeningOutcome? {
        if room.isCalling, isCallingNext || !shelf.isOpening {
            isCallingNext = false
            answerWaiting(answer)
            return nil
        }
        isCallingNext = true
        let come = shelf.proceed().map {
            OpeningOutcome(key: $0.key, refusal: $0.failure.map { WindowRefusal(for: $0) })
        }
        if let come { room.call(come.key, come.refusal) }
        return come
    }

    private func answerWaiting(
        _ answer: (WaitingRoom.Visit, WindowRefusal?, ContinuousClock.Instant) -> SharedTimeline.Key?
    ) {
        var now = ContinuousClock.now
        let end = now + limits.slice
        repeat {
            guard let (visit, refusal) = room.next() else { return }
            asking = visit.asker
            let key = answer(visit, refusal, now)
            let start = now
            now = .now
            room.leave(visit, cost: Int((now - start) / .microseconds(1)), for: key)
        } while now < end
    }
}

/// The outcome of an opening: the conversation has come into memory, or cannot.
package struct OpeningOutcome {
    let key: SharedTimeline.Key
    let refusal: WindowRefusal?
}
