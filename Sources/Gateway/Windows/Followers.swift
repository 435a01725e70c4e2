import Conversation
import MessageLayout
import Names
import Operations
import Pool
import Storage
import Wire

private let log = Log("gateway")

/// Clients and their windows, as each of them was told. It follows the shards that clients look at, and tells every
/// client of the changes that concern it. Clients that take no more are told later.
final class Followers {
    let limits: WindowLimits
    private let shelf: TimelineShelf
    let answers: Answers
    private(set) var editions: EditionWatch
    /// The edition that was served when timelines last heard of one, and the one that filled it.
    private var noticed: (served: EditionID?, filler: EditionID?)
    /// The edition that was hurried when it was last said which rows readers look at.
    private var hurried: EditionID?
    private(set) var seats: [WindowClient: [WindowID: Seat]] = [:]
    /// The number of windows that are open.
    private(set) var count = 0
    /// Windows whose clients took no more, and are told later.
    private var behind: [ObjectIdentifier: Seat] = [:]
    /// Windows whose clients were told that messages are pending, until these have a row or get none; and when that
    /// was looked at.
    private var awaiting: [ObjectIdentifier: Seat] = [:]
    private var awaitedAt: ContinuousClock.Instant?
    /// Clients that are still to be told something in this round, and when it began.
    private var unprobed: [WindowClient] = []
    private var probedAt: ContinuousClock.Instant?
    private var followedAt: ContinuousClock.Instant?
    /// Shards that are still to be followed in this round.
    private var unfollowed: [ShardFeed] = []
    /// Windows that were behind when this round began and are still to be told, and clients that took nothing in it.
    private var untold: [Seat] = []
    private var full: Set<WindowClient> = []
    /// Refusals of windows that were closed while their clients took no more: told later, as nothing else says so.
    private var unheard: [WaitingRoom.SeatPlace: ToldWord] = [:]
    /// Whether something is to be followed at the next tick.
    var isHinted = false

    typealias Deliver = WindowDesk.Deliver

    private static let awaitedPause: Duration = .seconds(1)
    private static let probesAtOnce = 64

    init(in folder: DataFolder, _ shelf: TimelineShelf, _ answers: Answers, _ limits: WindowLimits) {
        (self.shelf, self.answers, self.limits) = (shelf, answers, limits)
        editions = EditionWatch(folder)
    }

    /// Lets go of shards, timelines and windows, which hold each other.
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

    /// The edition that lists are made of now, and the number of its shards.
    var listedNow: (edition: EditionID?, shards: Int) {
        _ = isServing
        return (editions.whole, editions.shardCount)
    }

    /// Whether the client has a window.
    func knows(_ client: WindowClient) -> Bool { seats[client] != nil }

    /// Whether a client that opens the conversation now is shown this.
    func isShown(_ shared: SharedTimeline) -> Bool {
        isShown(shared.key) && !shared.timeline.isOld
    }

    /// Whether its edition is served before it is complete.
    private func isFilledFromBehind(_ feed: ShardFeed) -> Bool {
        feed.filler.map { $0.edition == editions.whole } ?? false
    }

    private func isShown(_ key: SharedTimeline.Key) -> Bool { isShown(key.edition, filledFrom: key.filler) }

    private func isShown(_ edition: EditionID, filledFrom filler: EditionID?) -> Bool {
        edition == editions.served && filler == editions.filler
    }

    func seat(_ window: WindowID, of client: WindowClient) throws(WindowRefusal) -> Seat {
        guard let seat = seats[client]?[window] else { throw .unknownWindow }
        return seat
    }

    /// Makes room for a window, in place of one that its client had under the same name.
    func makeRoom(for window: WindowID, of client: WindowClient) throws(WindowRefusal) {
        close(window, of: client)
        guard hasRoom(for: window, of: client) else { throw .busy }
    }

    /// Whether there is room for a window. One that the client has under the same name leaves its place.
    func hasRoom(for window: WindowID, of client: WindowClient) -> Bool {
        let own = seats[client]
        if own?[window] != nil { return true }
        return count < limits.windows && (own?.count ?? 0) < limits.windows(of: client)
    }

    /// Takes a window in, in place of the one of the same name.
    func take(_ seat: Seat) -> Seat {
        unheard[WaitingRoom.SeatPlace(client: seat.client, window: seat.window.id)] = nil
        if let old = seats[seat.client, default: [:]].updateValue(seat, forKey: seat.window.id) { leave(old) }
        count += 1
        seat.shared.add(seat)
        return seat
    }

    func close(_ window: WindowID, of client: WindowClient) {
        guard let seat = seats[client]?.removeValue(forKey: window) else { return }
        if seats[client]?.isEmpty ?? false { seats[client] = nil }
        leave(seat)
    }

    func close(_ seat: Seat) { close(seat.window.id, of: seat.client) }

    /// - Parameter isAway: whether the client is away, and is told nothing until it is back.
    func note(_ seat: Seat, isBehind: Bool, isAway: Bool = false) {
        seat.isBehind = isBehind
        behind[ObjectIdentifier(seat)] = isBehind && !isAway ? seat : nil
    }

    /// Has a client that is back told what it missed.
    func resume(_ client: WindowClient) {
        for seat in (seats[client] ?? [:]).values where seat.isBehind { note(seat, isBehind: true) }
        isHinted = true
    }

    private func leave(_ seat: Seat) {
        seat.shared.remove(seat)
        if seat.isBehind { note(seat, isBehind: false) }
        if !seat.awaited.isEmpty { awaiting[ObjectIdentifier(seat)] = nil }
        count -= 1
    }

    func move(_ seat: Seat, to shared: SharedTimeline) {
        seat.shared.remove(seat)
        seat.shared = shared
        shared.add(seat)
    }

    /// Closes all windows of a client that is gone.
    func forget(_ client: WindowClient) {
        for seat in seats.removeValue(forKey: client)?.values ?? [:].values { leave(seat) }
        if !unheard.isEmpty { unheard = unheard.filter { $0.key.client != client } }
    }

    /// The word for a message that has no row. While one is on its way, the client is told later if it gets none.
    func word(_ message: MessageID, order: Int64, isAwaited: Bool, at seat: Seat) -> GatewayWord {
        if isAwaited {
            seat.await(message)
            if !seat.awaited.isEmpty { awaiting[ObjectIdentifier(seat)] = seat }
        }
        return seat.word(message, order: order, isAwaited: isAwaited)
    }
}

// Changes, told to the clients that look.
extension Followers {
    /// Takes a hint that something is new. It may be lost.
    func hear(_ ready: ReadyWord) {
        let fillers = [nil] + (editions.filler.map { [$0] } ?? [])
        for row in ready.rows {
            for filler in fillers {
                let place = TimelineShelf.FeedPlace(edition: ready.edition, shard: row.shard, filler: filler)
                // New messages are hinted by the edition that fills it, too, and its own hints are very many.
                guard let feed = shelf.feeds[place], !isFilledFromBehind(feed) else { continue }
                isHinted = feed.hint(row.stamp) || isHinted
            }
            // The hurried edition may be served at any moment.
            if ready.edition == editions.hurried { isHinted = true }
            if ready.edition == editions.filler, let served = editions.served,
                let feed = shelf.feeds[.init(edition: served, shard: row.shard, filler: ready.edition)]
            {
                isHinted = feed.hintOfFiller(row.stamp) || isHinted
            }
        }
    }

    /// The time until something has to be followed. While nobody looks, nothing is.
    func rest(at now: ContinuousClock.Instant) -> Duration {
        guard isRoundDone else { return .zero }
        guard isHeard else { return .seconds(5) }
        return max(.zero, nextFollowing - now)
    }

    func isToFollow(at now: ContinuousClock.Instant) -> Bool {
        !isRoundDone || isHeard && nextFollowing <= now
    }

    /// Whether somebody is told what happens.
    private var isHeard: Bool { count > 0 || !unheard.isEmpty }

    private var isRoundDone: Bool { unfollowed.isEmpty && untold.isEmpty }

    private var nextFollowing: ContinuousClock.Instant {
        guard let followedAt else { return .now }
        return followedAt + (isHinted ? limits.tick : min(limits.watch, editions.pause))
    }

    /// Reads changes, and tells every client of those that concern it. To be called once a tick, and again until it
    /// is done.
    /// - Parameter time: the time after which the rest of the round is left for the next call; without it, a round
    ///   begins and is done.
    func follow(at now: ContinuousClock.Instant, atMost time: Duration? = nil, _ deliver: Deliver) {
        if isRoundDone || time == nil {
            (followedAt, isHinted) = (now, false)
            noticeEdition(at: now, deliver)
            closeFiles()
            unfollowed = shelf.feeds.values.filter { feed in
                // Rows that a reader has scrolled to lately come sooner.
                let isBehind = isFilledFromBehind(feed) && !feed.isAwaited(at: now, within: limits.behind)
                return feed.isDue(at: now, after: isBehind ? limits.behind : limits.watch)
            }
            (untold, full) = (Array(behind.values), [])
        }
        let end = time.map { ContinuousClock.now + $0 }
        while let feed = unfollowed.popLast() {
            // The feed may not be open any more.
            if shelf.holds(feed) { follow(feed, at: now, deliver) }
            if let end, end <= .now, !unfollowed.isEmpty { return }
        }
        shelf.makeRoom()
        tellBehind(until: end, deliver)
        guard untold.isEmpty else { return }
        for (place, refusal) in unheard where !full.contains(place.client) { tell(refusal, of: place, deliver) }
        tellUnavailable(at: now, deliver)
        probe(at: now, deliver)
    }

    /// Tells windows that are behind what they missed, and those that hold the same rows the same. Where a client still
    /// takes nothing, its other windows wait for the next round, as words for them would be made for nothing.
    private func tellBehind(until end: ContinuousClock.Instant?, _ deliver: Deliver) {
        var memories: [ObjectIdentifier: ToldMemory] = [:]
        while let seat = untold.popLast() {
            // It may have been told since, or closed.
            guard behind[ObjectIdentifier(seat)] != nil, !full.contains(seat.client) else { continue }
            tell(seat, &memories[ObjectIdentifier(seat.shared), default: ToldMemory()]) { client, word in
                let sent = deliver(client, word)
                if sent == .full { full.insert(client) }
                return sent
            }
            if let end, end <= .now { return }
        }
    }

    /// Tells clients that a message which they wait for gets no row. Once a second, and a few at a time, as each is
    /// looked up in the journal.
    private func tellUnavailable(at now: ContinuousClock.Instant, _ deliver: Deliver) {
        guard !awaiting.isEmpty, awaitedAt.map({ now - $0 >= Self.awaitedPause }) ?? true else { return }
        awaitedAt = now
        for (place, seat) in awaiting.shuffled().prefix(Self.probesAtOnce) {
            // The client is told earlier changes first.
            guard !seat.isBehind else { continue }
            for message in seat.awaited {
                switch Result(catching: { try answers.find(message, on: seat.shared) }) {
                case .success(.none(_, isAwaited: true)): continue
                case .success(.none(let order, isAwaited: false)):
                    let word = seat.word(message, order: order, isAwaited: false)
                    switch deliver(seat.client, ToldWord(word)) {
                    case .done: break
                    case .full, .away: continue
                    case .gone: forget(seat.client)
                    }
                case .success(.row), .failure(WindowRefusal.unknownMessage): break
                // The message is looked up again.
                case .failure: continue
                }
                seat.cease(awaiting: message)
            }
            if seat.awaited.isEmpty { awaiting[place] = nil }
        }
    }

    /// Tells every client something now and then, a few at a time, so that nobody else waits for them.
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

    /// Changes timelines that are awake, and returns those that have changed.
    private func collect(
        _ notes: [ShardChangeNote], from feed: ShardFeed, at now: ContinuousClock.Instant
    ) throws -> [SharedTimeline] {
        let conversations = Dictionary(grouping: notes, by: \.conversation)
        let awake = conversations.keys.flatMap { feed.awake($0, at: now) }
        let seen = Set(awake.map(\.key.conversation))
        let rows = try feed.workshop.rows(
            notes.filter { seen.contains($0.conversation) }, of: feed, for: Set(awake.map(\.key.target)))
        let changed = awake.filter { shared in
            shared.take(conversations[shared.key.conversation] ?? [], rows, upTo: feed.moment.stamp)
        }
        for (conversation, notes) in conversations {
            for shared in feed.rest(conversation, missing: notes, at: now) { shelf.remove(shared) }
        }
        return changed
    }

    /// Tells all windows on a timeline. Those that hold the same rows are told the same, which is made once.
    private func tellAll(_ shared: SharedTimeline, _ deliver: Deliver) {
        var memory = ToldMemory()
        for seat in shared.watchers where !seat.isBehind { tell(seat, &memory, deliver) }
    }

    private func tell(_ seat: Seat, _ deliver: Deliver) {
        var memory = ToldMemory()
        tell(seat, &memory, deliver)
    }

    /// Tells a window everything since it was told last.
    private func tell(_ seat: Seat, _ memory: inout ToldMemory, _ deliver: Deliver) {
        let timeline = seat.shared.timeline
        let before = seat.window
        guard !seat.shared.isUnprepared else { return refuse(seat, .unprepared, deliver) }
        guard let steps = timeline.steps(since: before.cursor), let set = seat.window.follow(steps, on: timeline) else {
            return refuse(seat, .resync, deliver)
        }
        do throws(StorageError) {
            let told = try memory.word(for: seat, before) { () throws(StorageError) in
                try answers.filled(set, at: seat).map { .changes($0) }
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
                // To be tried again soon.
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

    /// Closes a window, and tells its client why.
    private func refuse(_ seat: Seat, _ refusal: WindowRefusal, _ deliver: Deliver) {
        close(seat)
        let place = WaitingRoom.SeatPlace(client: seat.client, window: seat.window.id)
        tell(ToldWord(.refused(place.window, refusal)), of: place, deliver)
    }

    private func tell(_ refusal: ToldWord, of place: WaitingRoom.SeatPlace, _ deliver: Deliver) {
        switch deliver(place.client, refusal) {
        case .done, .away: unheard[place] = nil
        case .full: (unheard[place], isHinted) = (refusal, true)
        case .gone: forget(place.client)
        }
    }

    /// Forgets a shard whose rows in memory are not right any more, or not known to be.
    private func startAnew(_ feed: ShardFeed, _ deliver: Deliver) {
        for shared in feed.all {
            for seat in shared.watchers { refuse(seat, .resync, deliver) }
        }
        shelf.remove(feed)
    }

    /// Closes files of editions that are not shown any more, when no conversation of theirs is open: a file that is
    /// removed has its room on the disk for as long as somebody has it open.
    private func closeFiles() {
        for feed in shelf.feeds.values where feed.isEmpty && !isShown(feed.edition, filledFrom: feed.filler?.edition) {
            if !shelf.isOpening(in: feed) { shelf.remove(feed) }
        }
    }

    /// Has open windows opened afresh where the served edition lacks rows from now on.
    private func noticeFiller(_ deliver: Deliver) {
        guard editions.filler != nil, noticed.filler != editions.filler else { return }
        // Windows on an edition that is served no more go on as they were.
        for feed in shelf.feeds.values
        where feed.edition == editions.served && feed.filler?.edition != editions.filler {
            startAnew(feed, deliver)
        }
    }

    /// Wishes for the rows that readers look at, before an edition is served that may have nothing else.
    private func noticeHurry() {
        guard hurried != editions.hurried else { return }
        hurried = editions.hurried
        guard hurried != nil else { return }
        for seat in seats.values.flatMap(\.values) {
            let (window, tree) = (seat.window, seat.shared.timeline.tree)
            let focus = window.anchors.first?.rank ?? window.range.upperBound
            let ranks = window.range.clamped(to: 0..<tree.count).sorted { abs($0 - focus) < abs($1 - focus) }
            for rank in ranks.prefix(Self.mostSeen) {
                answers.wish(for: MessageKey(seat.shared.key.conversation, tree.row(at: rank).message))
            }
        }
    }

    /// The most messages of one window that are urged: those nearest to the place that its reader looks at.
    private static let mostSeen = 64

    /// Tells windows with rows of editions that are not shown any more that those are old; they stay as long as their
    /// files do.
    private func noticeEdition(at now: ContinuousClock.Instant, _ deliver: Deliver) {
        do throws(StorageError) {
            _ = try editions.lookAround(at: now)
            noticeFiller(deliver)
            noticeHurry()
            guard noticed != (editions.served, editions.filler) else { return }
            noticed = (editions.served, editions.filler)
        } catch {
            return log.error("which edition is served could not be read", ["reason": "\(error)"])
        }
        for shared in shelf.feeds.values.flatMap(\.all) {
            let isOld = !isShown(shared.key)
            guard shared.timeline.isOld != isOld else { continue }
            shared.timeline.isOld = isOld
            tellAll(shared, deliver)
        }
    }

    /// Follows the timelines in memory, which were left where they were while nobody looked.
    func keepUp(at now: ContinuousClock.Instant) {
        guard !isHeard, isHinted || followedAt.map({ now - $0 >= limits.tick }) ?? true else { return }
        follow(at: now) { _, _ in .gone }
    }
}
