import Conversation
import MessageLayout
import Operations
import Pool
import Storage
package import Wire

private let log = Log("gateway")

// What happens, told to those who look.
extension WindowDesk {
    /// Says what became of a word; whatever is not sent is told later.
    package typealias Deliver = (WindowClient, ToldWord) -> WordSent

    /// A hint that something is new. It may be lost.
    package func hear(_ ready: ReadyWord) {
        for row in ready.rows {
            if let feed = shelf.feeds[.init(edition: ready.edition, shard: row.shard)] {
                isHinted = feed.hint(row.stamp) || isHinted
            }
            if ready.edition == editions.filler, let served = editions.served,
                let feed = shelf.feeds[.init(edition: served, shard: row.shard)]
            {
                isHinted = feed.hintOfFiller(row.stamp) || isHinted
            }
        }
    }

    /// How long nothing has to be followed. While nobody looks, nothing is.
    package func rest(at now: ContinuousClock.Instant) -> Duration {
        guard !isComing, unfollowed.isEmpty, !previews.isTelling else { return .zero }
        guard count > 0 else { return .seconds(5) }
        return max(.zero, nextFollowing - now)
    }

    package func isToFollow(at now: ContinuousClock.Instant) -> Bool {
        !unfollowed.isEmpty || count > 0 && nextFollowing <= now
    }

    private var nextFollowing: ContinuousClock.Instant {
        guard let followedAt else { return .now }
        return followedAt + (isHinted ? limits.tick : limits.watch)
    }

    /// Reads what is new, and tells everybody whom it concerns. To be called once a tick, and again as long as it was not done.
    /// - Parameter time: after which the rest of the round is left for the next call; without it, a round begins and is done.
    package func follow(at now: ContinuousClock.Instant, atMost time: Duration? = nil, _ deliver: Deliver) {
        if unfollowed.isEmpty || time == nil {
            (followedAt, isHinted) = (now, false)
            noticeEdition(at: now, deliver)
            unfollowed = shelf.feeds.values.filter { $0.isDue(at: now, limits) }
        }
        let end = time.map { ContinuousClock.now + $0 }
        while let feed = unfollowed.popLast() {
            // It may be none that is open any more.
            if shelf.holds(feed) { follow(feed, at: now, deliver) }
            if let end, end <= .now, !unfollowed.isEmpty { return }
        }
        for seat in behind.values { tell(seat, deliver) }
        tellUnavailable(at: now, deliver)
        probe(at: now, deliver)
    }

    /// Tells who waits for a message that it gets no row. Once a second, and a few at a time, as each is looked up in the journal.
    private func tellUnavailable(at now: ContinuousClock.Instant, _ deliver: Deliver) {
        guard !awaiting.isEmpty, awaitedAt.map({ now - $0 >= Self.awaitedPause }) ?? true else { return }
        awaitedAt = now
        for (place, seat) in awaiting.shuffled().prefix(Self.probesAtOnce) {
            // It is told what comes before, first.
            guard !seat.isBehind else { continue }
            for message in seat.awaited {
                switch Result(catching: { try find(message, on: seat.shared) }) {
                case .success(.none(_, isAwaited: true)): continue
                case .success(.none(let order, isAwaited: false)):
                    let word = seat.word(message, order: order, isAwaited: false)
                    switch deliver(seat.client, ToldWord(word)) {
                    case .done: break
                    case .full, .away: continue
                    case .gone: forget(seat.client)
                    }
                case .success(.row), .failure(WindowRefusal.unknownMessage): break
                // To be looked at again.
                case .failure: continue
                }
                seat.cease(awaiting: message)
            }
            if seat.awaited.isEmpty { awaiting[place] = nil }
        }
    }

    private static let awaitedPause: Duration = .seconds(1)

    /// A few clients at a time, so that nobody else waits for them.
    private func probe(at now: ContinuousClock.Instant, _ deliver: Deliver) {
        if unprobed.isEmpty, now >= (probedAt ?? now) + limits.probe {
            unprobed = Array(seats.keys)
            probedAt = now
        }
        if probedAt == nil { probedAt = now }
        for client in unprobed.suffix(Self.probesAtOnce) {
            if let seat = seats[client]?.values.first, !seat.isBehind { tell(seat, deliver) }
        }
        unprobed.removeLast(min(Self.probesAtOnce, unprobed.count))
    }

    private static let probesAtOnce = 64

    private func follow(_ feed: ShardFeed, at now: ContinuousClock.Instant, _ deliver: Deliver) {
        do {
            guard let notes = try feed.changes(at: now) else { return startAnew(feed, deliver) }
            guard !notes.isEmpty else { return }
            for shared in try collect(notes, from: feed, at: now) { tellAll(shared, deliver) }
        } catch {
            log.warning(
                "a shard could not be followed", ["shard": .number(Int(feed.shard.number)), "reason": "\(error)"])
            startAnew(feed, deliver)
        }
    }

    /// Changes timelines that are awake, and says which.
    private func collect(
        _ notes: [ShardChangeNote], from feed: ShardFeed, at now: ContinuousClock.Instant
    ) throws -> [SharedTimeline] {
        let conversations = Dictionary(grouping: notes, by: \.conversation)
        let awake = conversations.keys.flatMap { feed.awake($0, at: now) }
        let seen = Set(awake.map(\.key.conversation))
        let rows = try feed.workshop.rows(
            notes.filter { seen.contains($0.conversation) }, of: feed, for: Set(awake.map(\.key.target)))
        for shared in awake {
            shared.take(conversations[shared.key.conversation] ?? [], rows, upTo: feed.moment.stamp)
        }
        for (conversation, notes) in conversations {
            for shared in feed.rest(conversation, missing: notes, at: now) { shelf.remove(shared) }
        }
        return awake
    }

    /// Everybody who looks. Those who hold the same rows are told the same, which is made once.
    private func tellAll(_ shared: SharedTimeline, _ deliver: Deliver) {
        var memory = ToldMemory()
        for seat in shared.watchers where !seat.isBehind { tell(seat, &memory, deliver) }
    }

    private func tell(_ seat: Seat, _ deliver: Deliver) {
        var memory = ToldMemory()
        tell(seat, &memory, deliver)
    }

    /// Everything since the window was told last.
    private func tell(_ seat: Seat, _ memory: inout ToldMemory, _ deliver: Deliver) {
        let timeline = seat.shared.timeline
        let before = seat.window
        guard !seat.shared.isUnprepared else { return refuse(seat, .unprepared, deliver) }
        guard let steps = timeline.steps(since: before.cursor), let set = seat.window.follow(steps, on: timeline) else {
            return refuse(seat, .resync, deliver)
        }
        do throws(StorageError) {
            let told = try memory.word(for: seat, before) { () throws(StorageError) in
                try filled(set, at: seat).map { .changes($0) }
            }
            guard let word = told else {
                seat.window = before
                return refuse(seat, .resync, deliver)
            }
            switch deliver(seat.client, word) {
            case .done:
                seat.remember(before, atMost: limits.past)
                note(seat, isBehind: false)
            case .full:
                seat.window = before
                note(seat, isBehind: true)
                // Soon again.
                isHinted = true
            case .away:
                seat.window = before
                note(seat, isBehind: true, isAway: true)
            case .gone: forget(seat.client)
            }
        } catch {
            seat.window = before
            note(seat, isBehind: true)
        }
    }

    /// The window is no more, and its client is told why.
    private func refuse(_ seat: Seat, _ refusal: WindowRefusal, _ deliver: Deliver) {
        close(seat)
        if deliver(seat.client, ToldWord(.refused(seat.window.id, refusal))) == .gone { forget(seat.client) }
    }

    /// What was read of a shard is not so any more, or not known.
    private func startAnew(_ feed: ShardFeed, _ deliver: Deliver) {
        for shared in feed.all {
            for seat in shared.watchers { refuse(seat, .resync, deliver) }
        }
        shelf.remove(feed)
    }

    /// The served edition lacks rows from now on, or lacks none any more: what is open is opened afresh.
    private func noticeFiller(_ deliver: Deliver) {
        guard shelf.filler != editions.filler else { return }
        shelf.filler = editions.filler
        // What was open of an edition that is served no more goes on as it was.
        for feed in shelf.feeds.values
        where feed.edition == editions.served && feed.filler?.edition != editions.filler {
            startAnew(feed, deliver)
        }
    }

    /// Tells windows with rows of another edition that those are old; they stay as long as their files do.
    private func noticeEdition(at now: ContinuousClock.Instant, _ deliver: Deliver) {
        do throws(StorageError) {
            _ = try editions.lookAround(at: now)
            noticeFiller(deliver)
            guard noticed != editions.served else { return }
            noticed = editions.served
        } catch {
            return log.error("which edition is served could not be read", ["reason": "\(error)"])
        }
        for shared in shelf.feeds.values.flatMap(\.all) {
            shared.timeline.isOld = shared.key.edition != editions.served
            tellAll(shared, deliver)
        }
    }
}
