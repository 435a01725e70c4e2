import Conversation
import MessageLayout
import Names
import Pool
import Storage
package import Wire

// Opening, and what leads to another timeline.
extension WindowDesk {
    func open(
        _ opening: WindowOpening, for client: WindowClient, at now: ContinuousClock.Instant
    ) throws -> [GatewayWord] {
        try makeRoom(for: opening.window, of: client)
        let shared: SharedTimeline
        do {
            shared = try timeline(opening.conversation, opening.target, opening.reader, at: now)
        } catch WindowRefusal.unknownConversation {
            throw try absence(ofShardOf: opening.conversation, for: client)
        }
        memory.shrink(to: roomForAnswers - pageBytes)
        countScreen(opening.target, for: opening.reader)
        var place = RowPlace.newest
        var missing: (message: MessageID, order: Int64, isAwaited: Bool)?
        switch opening.place {
        case .newest: break
        case .unread: place = .unread
        case .date(let time): place = .date(time)
        case .y(let y): place = .y(y)
        case .message(let message):
            switch try find(message, on: shared) {
            case .row(let number): place = .row(number)
            case .none(let order, let isAwaited):
                let tree = shared.timeline.tree
                place = tree.count == 0 ? .newest : .y(tree.y(ofRank: min(tree.rank(ofOrder: order), tree.count - 1)))
                missing = (message, order, isAwaited)
            }
        }
        guard
            let (window, reply) = Window.open(
                opening.window, on: shared.timeline, around: place, count: opening.count, screen: opening.screen)
        else { throw try isLaidOutAgain(shared.feed) ? WindowRefusal.busy : .unknownMessage }
        // Nothing at all, where there may have been something.
        if shared.timeline.tree.count == 0, try isLaidOutAgain(shared.feed) { throw WindowRefusal.busy }
        let seat = take(
            Seat(
                client, window, on: shared, wantsBodies: opening.wantsBodies, wantsMessages: opening.wantsMessages,
                wantsEditions: opening.wantsEditions, wantsUnavailable: opening.wantsUnavailable,
                rowVersion: opening.rowVersion))
        let answer = GatewayWord.window(try filled(reply, at: seat))
        guard let missing else { return [answer] }
        return [answer, word(missing.message, order: missing.order, isAwaited: missing.isAwaited, at: seat)]
    }

    /// Whether rows of the shard may be missing that were there. Away from the coordinator nobody knows.
    private func isLaidOutAgain(_ feed: ShardFeed) throws(StorageError) -> Bool {
        guard try findJournal(), cards != nil else { return false }
        return try feed.isLaidOutAgain(by: cards!)
    }

    func timeline(
        _ conversation: ConversationID, _ target: Target, _ reader: WindowReader, at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        keepUp(at: now)
        guard let edition = editions.served else { throw WindowRefusal.busy }
        guard let style = try styles.style(of: edition, filledFrom: editions.filler) else {
            throw WindowRefusal.unprepared
        }
        let key = SharedTimeline.Key(edition: edition, conversation: conversation, target: target, reader: reader)
        return try shelf.timeline(key, among: editions.shardCount, style: style, for: asking.payer, at: now)
    }

    /// The conversation is one of which nothing was ever accepted. Where the journal is not at hand, nobody knows.
    func isUnknown(_ conversation: ConversationID) throws(StorageError) -> Bool {
        guard try findJournal(), cards != nil else { return false }
        return try !cards!.knows(conversation)
    }

    /// A shard's file comes with the first row of any of its conversations: a stream asks again until it is there.
    private func absence(ofShardOf conversation: ConversationID, for client: WindowClient) throws -> WindowRefusal {
        if case .stream = client { return .busy }
        return try findJournal() && !isUnknown(conversation) ? .busy : .unknownConversation
    }

    /// Why a visitor is told of no rows instead of an empty window; nil where there are some, or may be. Whoever stays is told of the
    /// first message when it comes, so his window opens empty.
    func absence(of conversation: ConversationID, for client: WindowClient, in window: WindowID) -> WindowRefusal? {
        guard let seat = seats[client]?[window], seat.shared.timeline.tree.count == 0 else { return nil }
        do throws(StorageError) {
            return try isUnknown(conversation) ? .unknownConversation : nil
        } catch {
            return refusal(for: error)
        }
    }

    /// What is in memory was left where it was while nobody looked.
    func keepUp(at now: ContinuousClock.Instant) {
        guard count == 0, isHinted || followedAt.map({ now - $0 >= limits.tick }) ?? true else { return }
        follow(at: now) { _, _ in .gone }
    }

    /// Where a row is now, for whoever opens such a window; nil where it is not there.
    func y(of row: MessageNumber, for opening: WindowOpening, at now: ContinuousClock.Instant) -> Int64? {
        do {
            let tree = try timeline(opening.conversation, opening.target, opening.reader, at: now).timeline.tree
            return tree.rank(of: row).map { tree.y(ofRank: $0) }
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
        move(seat, to: new)
        seat.turnOver()
        return try filled(reply, at: seat)
    }

    /// Nil where the window cannot follow.
    func read(
        _ seat: Seat, from order: Int64?, _ now: ContinuousClock.Instant
    ) throws -> GatewayWord? {
        let new = shelf.timeline(of: seat.shared, readFrom: order, at: now)
        let before = seat.window
        let steps = new.timeline.steps(since: before.cursor)
        move(seat, to: new)
        guard let steps, let set = seat.window.follow(steps, on: new.timeline) else {
            close(seat)
            return nil
        }
        guard let set = try filled(set, at: seat) else {
            close(seat)
            return nil
        }
        seat.remember(before, atMost: limits.past)
        return .changes(set)
    }

    /// For all who look at the conversation from here.
    func prewarm(
        _ conversation: ConversationID, _ targets: [Target], for client: WindowClient,
        at now: ContinuousClock.Instant
    ) throws {
        let readers = Set(
            (seats[client] ?? [:]).values.map(\.shared.key).filter { $0.conversation == conversation }.map(\.reader))
        for reader in readers.isEmpty ? [WindowReader()] : readers {
            for target in targets { _ = try timeline(conversation, target, reader, at: now) }
        }
        for target in targets {
            for reader in readers { countScreen(target, for: reader) }
        }
    }

    /// Counts a screen for its reader, by the name in the token; without tokens, and at the socket, by the name that the reader gives.
    func countScreen(_ target: Target, for reader: WindowReader) {
        switch asking.payer {
        case .reader(let name): screens.count(target, for: name)
        case .key, .connection, .address, .caller, .anybody: screens.count(target, for: reader.own)
        // Of a token that names nobody.
        case .token: break
        }
    }

    /// Screens that readers asked for and no style prepares, now and then.
    package func takeWantedScreens(at now: ContinuousClock.Instant) -> [WantedTarget] {
        screens.take(atMost: OperatorRequest.mostWanted, at: now)
    }

    enum Found {
        case row(MessageNumber)
        /// It is accepted and has no row; one is on its way, or none is.
        case none(order: Int64, isAwaited: Bool)
    }

    /// By the id that its sender or its backend gave a message.
    func find(_ message: MessageID, on shared: SharedTimeline) throws -> Found {
        let conversation = shared.key.conversation
        guard try findJournal() else {
            // What is pending is not known.
            guard let number = try shared.feed.number(of: message, in: conversation) else {
                throw WindowRefusal.unknownMessage
            }
            return .row(number)
        }
        guard let card = try cards?.message(MessageKey(conversation, message)), card.isComplete,
            let order = card.order
        else { throw WindowRefusal.unknownMessage }
        guard shared.timeline.tree.rank(of: card.number) == nil else { return .row(card.number) }
        let key = MessageKey(conversation, message)
        let isAwaited = try !isGone(key, from: shared.feed)
        if isAwaited { wish(key) }
        return .none(order: order.value, isAwaited: isAwaited)
    }

    /// Whether a message has no row in what readers are shown, and none is on its way.
    private func isGone(_ key: MessageKey, from feed: ShardFeed) throws(StorageError) -> Bool {
        guard let standing = try cards?.standing(of: key, in: feed.shard) else { return false }
        return try feed.lacks(standing.card, forGoodBy: standing.progress)
    }

    /// What a client is told of a message that has no row; while one is on its way it hears when none is any more.
    func word(_ message: MessageID, order: Int64, isAwaited: Bool, at seat: Seat) -> GatewayWord {
        if isAwaited {
            seat.await(message)
            if !seat.awaited.isEmpty { awaiting[ObjectIdentifier(seat)] = seat }
        }
        return seat.word(message, order: order, isAwaited: isAwaited)
    }
}
