import Conversation
import MessageLayout
import Operations
import Storage
import Wire

private let log = Log("gateway")

/// The conversations that are open in memory, and the shards that they follow. Those who see the same share one.
struct TimelineShelf {
    private let folder: DataFolder
    private let limits: WindowLimits
    private(set) var feeds: [FeedPlace: ShardFeed] = [:]
    private var known: [SharedTimeline.Key: SharedTimeline] = [:]
    /// Those that come into memory, each a little in each turn; the first is the next.
    private(set) var openings: [TimelineOpening] = []
    private(set) var bytes = 0

    struct FeedPlace: Hashable {
        var edition: EditionID
        var shard: Shard
    }

    /// It is not there yet. Who asked for it waits; nobody else does.
    struct Opening: Error {
        let key: SharedTimeline.Key
    }

    private let source: LayoutSource?

    init(_ folder: DataFolder, _ source: LayoutSource?, _ limits: WindowLimits) {
        (self.folder, self.source, self.limits) = (folder, source, limits)
    }

    /// How many conversations are in memory, for each screen and reader.
    var count: Int { known.count }

    /// One that is there, or one that can be made at once from the cache; of any other the making begins.
    mutating func timeline(
        _ key: SharedTimeline.Key, among shards: Int, style: DecorationStyle, at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        if let known = known[key] {
            known.lastUse = now
            return known
        }
        guard !openings.contains(where: { $0.key == key }) else { throw Opening(key: key) }
        guard openings.count < limits.openings else { throw WindowRefusal.busy }
        let opening = TimelineOpening(key, try feed(of: key, among: shards, style: style, at: now), at: now)
        // A short one is there in less time than it would wait.
        repeat {
            if let shared = try proceed(opening) { return shared }
        } while .now < now + limits.slice
        openings.append(opening)
        throw Opening(key: key)
    }

    /// Goes on with one that comes into memory.
    /// - Returns: the one that came, or cannot come, and why.
    mutating func proceed() -> (key: SharedTimeline.Key, failure: (any Error)?)? {
        guard !openings.isEmpty else { return nil }
        let opening = openings.removeFirst()
        do {
            // The shard may have been lost meanwhile.
            guard feeds.values.contains(where: { $0 === opening.feed }) else { throw WindowRefusal.busy }
            if try proceed(opening) != nil { return (opening.key, nil) }
            openings.append(opening)
            return nil
        } catch {
            return (opening.key, error)
        }
    }

    private mutating func proceed(_ opening: TimelineOpening) throws -> SharedTimeline? {
        let done = try opening.proceed()
        let size = openings.reduce(opening.bytes) { $0 + $1.bytes }
        makeRoom(for: size)
        guard bytes + size <= limits.bytes || bytes == 0 else { throw WindowRefusal.busy }
        guard let shared = done else { return nil }
        put(shared)
        log.debug(
            "opened a conversation",
            [
                "conversation": .id(shared.key.conversation.text), "rows": .number(shared.timeline.tree.count),
                "bytes": .number(shared.bytes), "unsealed_blocks": .number(opening.madeBlocks),
                "microseconds": .number(Int(opening.time(at: .now) / .microseconds(1))),
            ])
        return shared
    }

    /// The same conversation for a reader who has read on.
    mutating func timeline(
        of shared: SharedTimeline, readFrom order: Int64?, at now: ContinuousClock.Instant
    ) -> SharedTimeline {
        var key = shared.key
        key.reader.unreadFrom = order
        if key == shared.key { return shared }
        let fork = shared.fork(readFrom: order, at: now)
        put(fork)
        return fork
    }

    private mutating func feed(
        of key: SharedTimeline.Key, among shards: Int, style: DecorationStyle, at now: ContinuousClock.Instant
    ) throws -> ShardFeed {
        let place = FeedPlace(edition: key.edition, shard: Shard(of: key.conversation, among: shards))
        if let feed = feeds[place] { return feed }
        let workshop = workshop(of: place.edition) ?? TimelineWorkshop(style, source, limits)
        let feed = try open(place, workshop, at: now)
        feeds[place] = feed
        return feed
    }

    private func open(
        _ place: FeedPlace, _ workshop: TimelineWorkshop, at now: ContinuousClock.Instant
    ) throws -> ShardFeed {
        do throws(StorageError) {
            return try ShardFeed(place.shard, of: place.edition, in: folder, workshop, at: now)
        } catch .absent {
            throw WindowRefusal.unknownConversation
        }
    }

    private func workshop(of edition: EditionID) -> TimelineWorkshop? {
        feeds.values.first { $0.edition == edition }?.workshop
    }

    private mutating func put(_ shared: SharedTimeline) {
        // Another one of the same kind, if there is one, goes when nobody looks at it any more.
        known[shared.key] = shared
        shared.feed.add(shared)
        bytes += shared.bytes
    }

    mutating func remove(_ shared: SharedTimeline) {
        if known[shared.key] === shared { known[shared.key] = nil }
        shared.feed.remove(shared)
        shared.endMoment()
        bytes -= shared.bytes
    }

    mutating func remove(_ feed: ShardFeed) {
        for shared in feed.all { remove(shared) }
        feeds[FeedPlace(edition: feed.edition, shard: feed.shard)] = nil
    }

    /// Those that nobody looks at go, the least lately used first.
    private mutating func makeRoom(for size: Int) {
        guard bytes + size > limits.bytes else { return }
        let idle = feeds.values.flatMap(\.all).filter { !$0.isWatched }.sorted { $0.lastUse < $1.lastUse }
        for shared in idle {
            guard bytes + size > limits.bytes else { return }
            remove(shared)
        }
    }
}
