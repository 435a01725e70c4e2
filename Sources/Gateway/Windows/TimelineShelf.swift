import Conversation
import MessageLayout
import Names
import Operations
import Pool
import Rows
import Storage
import Wire

private let log = Log("gateway")

/// The conversations that are open in memory, and the shards that they follow. Readers that see the same share a
/// timeline.
final class TimelineShelf {
    private let folder: DataFolder
    private let limits: WindowLimits
    private(set) var feeds: [FeedPlace: ShardFeed] = [:]
    private var known: [SharedTimeline.Key: SharedTimeline] = [:]
    /// Conversations that come into memory, each a little in each turn, of one asker after another; costs are in
    /// microseconds.
    private var turns: FairQueue<Subject, TimelineOpening>
    /// All of them, by key.
    private var opening: [SharedTimeline.Key: TimelineOpening] = [:]
    private let sum = SharedTimeline.ByteSum()
    /// The bytes of memory that all timelines take, about.
    var bytes: Int { sum.bytes }
    /// The bytes of the list of conversations, which takes its room from them.
    var listBytes = 0
    /// The bytes that timelines may take: however long the list is, half of their share is left to them.
    private var limit: Int { max(limits.bytes / 2, limits.bytes - listBytes) }
    /// The bytes that were left when room was made last.
    private var bytesLeft = 0
    /// Conversations that were there when they were asked for, and those that had to be opened.
    private(set) var tally = CacheTally()

    struct FeedPlace: Hashable {
        var edition: EditionID
        var shard: Shard
        var filler: EditionID?
    }

    /// Thrown where a conversation is not in memory yet. Its asker waits; nobody else does.
    struct Opening: Error {
        let key: SharedTimeline.Key
    }

    private var sources: EditionSources

    init(_ folder: DataFolder, _ sources: EditionSources, _ limits: WindowLimits) {
        (self.folder, self.sources, self.limits) = (folder, sources, limits)
        turns = FairQueue(quantum: 1000, mostOfOne: limits.openingsOfOne, most: limits.openings)
    }

    /// Whether conversations come into memory.
    var isOpening: Bool { !turns.isEmpty }

    /// The number of conversations in memory, for each screen and reader.
    var count: Int { known.count }

    /// Returns a timeline that is there, or that can be made at once from the cache; begins to make any other, and
    /// throws `Opening`.
    /// - Parameters:
    ///   - subject: the asker, to whom the time is charged.
    ///   - atOnce: whether it is made within this call, where that takes no longer than its asker would wait.
    func timeline(
        _ key: SharedTimeline.Key, among shards: Int, style: DecorationStyle, for subject: Subject, atOnce: Bool = true,
        at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        if let known = known[key] {
            known.lastUse = now
            do { try known.feed.wake(known) } catch {
                remove(known)
                throw error
            }
            guard known.isUnprepared else {
                tally.count(isHit: true)
                return known
            }
            // It lacks a row: the rows that are read anew say whether it can be shown by now.
            remove(known)
        }
        if key.reader.unreadFrom != nil {
            var other = key
            other.reader.unreadFrom = nil
            let shared = try timeline(other, among: shards, style: style, for: subject, atOnce: atOnce, at: now)
            return timeline(of: shared, readFrom: key.reader.unreadFrom, at: now)
        }
        guard opening[key] == nil else { throw Opening(key: key) }
        // An asker that opens many conversations does not keep others from opening theirs.
        guard turns.count < limits.openings, turns.count(of: subject) < limits.openingsOfOne else {
            throw WindowRefusal.busy
        }
        let feed = try feed(of: key, among: shards, style: style, at: now)
        tally.count(isHit: false)
        let opening = TimelineOpening(key, feed, from: fillerRows(of: key), at: now)
        // A short conversation is there in less time than it would wait.
        if atOnce {
            repeat {
                if let shared = try proceed(opening) {
                    shared.lastUse = now
                    return shared
                }
            } while .now < now + limits.slice
        }
        guard turns.add(opening, of: subject) else { throw WindowRefusal.busy }
        self.opening[key] = opening
        throw Opening(key: key)
    }

    /// The rows of the edition that fills a timeline, from a timeline in memory.
    private func fillerRows(of key: SharedTimeline.Key) -> FillerRows? {
        guard let filler = key.filler else { return nil }
        var before = key
        (before.edition, before.filler) = (filler, nil)
        let mixed = { [known] in
            known.values.first { other in
                var own = other.key
                own.edition = key.edition
                return own == key
            }
        }
        guard let shared = known[before] ?? mixed(), holds(shared.feed) else { return nil }
        // A timeline that rested has to take up what it missed; where it cannot, rows are read.
        guard case .success = Result(catching: { try shared.feed.wake(shared) }), !shared.isUnprepared else {
            return nil
        }
        return FillerRows(shared, of: filler)
    }

    /// Goes on with a conversation that comes into memory.
    /// - Returns: the conversation that came, or cannot come, and the reason.
    func proceed() -> (key: SharedTimeline.Key, failure: (any Error)?)? {
        guard let (subject, next) = turns.next() else { return nil }
        let start = ContinuousClock.now
        defer { turns.charge(subject, Int((ContinuousClock.now - start) / .microseconds(1))) }
        do {
            // The shard may have been lost meanwhile.
            guard holds(next.feed) else { throw WindowRefusal.busy }
            if try proceed(next) != nil {
                opening[next.key] = nil
                return (next.key, nil)
            }
            // There was room for it before.
            precondition(turns.add(next, of: subject))
            return nil
        } catch {
            opening[next.key] = nil
            return (next.key, error)
        }
    }

    private func proceed(_ next: TimelineOpening) throws -> SharedTimeline? {
        let done = try next.proceed()
        let size = opening.values.reduce(opening[next.key] == nil ? next.bytes : 0) { $0 + $1.bytes }
        makeRoom(for: size)
        guard bytes + size <= limit || bytes == 0 else { throw WindowRefusal.busy }
        guard let shared = done else { return nil }
        put(shared)
        log.debug(
            "opened a conversation",
            [
                "conversation": .id(shared.key.conversation.text), "rows": .number(shared.timeline.tree.count),
                "bytes": .number(shared.bytes), "unsealed_blocks": .number(next.madeBlocks),
                "microseconds": .number(Int(next.time(at: .now) / .microseconds(1))),
            ])
        return shared
    }

    /// The same conversation for a reader that has read up to somewhere else.
    func timeline(
        of shared: SharedTimeline, readFrom order: Int64?, at now: ContinuousClock.Instant
    ) -> SharedTimeline {
        var key = shared.key
        key.reader.unreadFrom = order
        if key == shared.key { return shared }
        let fork = shared.fork(readFrom: order, at: now)
        // It is there when room is made: where the other has to go, what both share counts here.
        put(fork)
        makeRoom(for: 0, besides: fork)
        return fork
    }

    private func feed(
        of key: SharedTimeline.Key, among shards: Int, style: DecorationStyle, at now: ContinuousClock.Instant
    ) throws -> ShardFeed {
        let place = FeedPlace(
            edition: key.edition, shard: Shard(of: key.conversation, among: shards), filler: key.filler)
        if let feed = feeds[place] {
            try feed.begin()
            return feed
        }
        let workshop =
            workshop(of: place.edition, style) ?? TimelineWorkshop(style, sources.source(of: place.edition), limits)
        let filler = try place.filler.map { edition in
            let known = feeds.values.lazy.compactMap(\.filler).first { $0.edition == edition }?.workshop
            let workshop = known ?? TimelineWorkshop(style, sources.source(of: edition), limits)
            return try FeedFiller(place.shard, of: edition, in: folder, workshop)
        }
        let feed = try open(place, workshop, filler, at: now)
        feeds[place] = feed
        return feed
    }

    private func open(
        _ place: FeedPlace, _ workshop: TimelineWorkshop, _ filler: FeedFiller?, at now: ContinuousClock.Instant
    ) throws -> ShardFeed {
        do throws(StorageError) {
            return try ShardFeed(place.shard, of: place.edition, in: folder, workshop, filler: filler, at: now)
        } catch .absent {
            throw WindowRefusal.unknownConversation
        }
    }

    /// The workshop of an edition that dresses rows in such a style: feeds that another edition fills need the
    /// templates of both.
    private func workshop(of edition: EditionID, _ style: DecorationStyle) -> TimelineWorkshop? {
        feeds.values.first { $0.edition == edition && $0.workshop.style == style }?.workshop
    }

    private func put(_ shared: SharedTimeline) {
        // An older timeline of the same key, if there is one, goes when nobody looks at it any more.
        known[shared.key] = shared
        shared.feed.add(shared)
        shared.count(in: sum)
    }

    func remove(_ shared: SharedTimeline) {
        if known[shared.key] === shared { known[shared.key] = nil }
        shared.feed.remove(shared)
        shared.endMoment()
        shared.count(in: nil)
        // What forks of it share is in memory for as long as one of them is.
        if shared.isCountedWhole { shared.feed.fork(like: shared)?.countWhole() }
    }

    func remove(_ feed: ShardFeed) {
        for shared in feed.all { remove(shared) }
        feeds[place(of: feed)] = nil
    }

    /// Whether a conversation is being read from a feed.
    func isOpening(in feed: ShardFeed) -> Bool { opening.values.contains { $0.feed === feed } }

    /// Whether a feed is held: one that was removed, or replaced by another, is not.
    func holds(_ feed: ShardFeed) -> Bool { feeds[place(of: feed)] === feed }

    private func place(of feed: ShardFeed) -> FeedPlace {
        FeedPlace(edition: feed.edition, shard: feed.shard, filler: feed.filler?.edition)
    }

    /// Makes room for what timelines have grown by. Where somebody looks at all of them, it is not looked again before
    /// they have grown as much again as is made room for at a time.
    func makeRoom() {
        bytesLeft = min(bytesLeft, bytes)
        if bytes > max(limit, bytesLeft + limit / 16) { makeRoom(for: 0) }
    }

    /// Removes timelines that nobody looks at, the least lately used first; a few more than must go, as looking for
    /// them takes a while.
    /// - Parameter new: a timeline that somebody is about to look at.
    private func makeRoom(for size: Int, besides new: SharedTimeline? = nil) {
        guard bytes + size > limit else { return }
        defer { bytesLeft = bytes }
        let idle = feeds.values.flatMap(\.all).filter { !$0.isWatched && $0 !== new }.sorted { $0.lastUse < $1.lastUse }
        for shared in idle {
            guard bytes + size > limit - limit / 16 else { return }
            remove(shared)
        }
    }
}
