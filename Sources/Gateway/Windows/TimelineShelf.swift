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
    private(set) var bytes = 0
    /// Where rows become what trees are made of.
    private var workshop: Workshop?

    struct FeedPlace: Hashable {
        var edition: EditionID
        var shard: Shard
    }

    /// Things that cannot be copied.
    private final class Workshop {
        var sealer: RowSealer
        init(_ style: DecorationStyle) { sealer = RowSealer(style: style) }
    }

    init(_ folder: DataFolder, _ limits: WindowLimits) { (self.folder, self.limits) = (folder, limits) }

    /// One that is there, or one that is made from the cache.
    mutating func timeline(
        _ key: SharedTimeline.Key, among shards: Int, style: DecorationStyle, at now: ContinuousClock.Instant
    ) throws -> SharedTimeline {
        if let known = known[key] {
            known.lastUse = now
            return known
        }
        let feed = try feed(of: key, among: shards, at: now)
        let workshop = workshop ?? Workshop(style)
        self.workshop = workshop
        let start = ContinuousClock.now
        let opened = try feed.open(key.conversation, &workshop.sealer)
        guard let column = opened.targets.isEmpty ? 0 : opened.targets.firstIndex(of: key.target) else {
            throw WindowRefusal.unprepared
        }
        let size = opened.blocks.reduce(Self.bytesPerRow * opened.tail.count) {
            $0 + $1.bytes.count + Self.bytesPerLeaf
        }
        makeRoom(for: size)
        guard bytes + size <= limits.bytes || bytes == 0 else { throw WindowRefusal.busy }
        let tree = try RowTree(
            opening: opened.blocks, then: opened.tail.map { NewRow($0, target: column) }, style: style,
            viewer: key.reader.viewer, own: key.reader.own, target: key.target, column: column)
        let timeline = Timeline(tree, edition: key.edition, cursor: WindowCursor(opened.cursor))
        let shared = SharedTimeline(key, timeline, feed, bytes: size, at: now)
        put(shared)
        log.debug(
            "opened a conversation",
            [
                "conversation": .id(key.conversation.text), "rows": .number(tree.count), "bytes": .number(size),
                "microseconds": .number(Int((ContinuousClock.now - start) / .microseconds(1))),
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

    /// A row as trees take it, for one target after another.
    func sealed(_ row: ReadRow) throws(WireError) -> (row: SealedRow, targets: [Target])? {
        try workshop?.sealer.seal(row)
    }

    private mutating func feed(
        of key: SharedTimeline.Key, among shards: Int, at now: ContinuousClock.Instant
    ) throws -> ShardFeed {
        let place = FeedPlace(edition: key.edition, shard: Shard(of: key.conversation, among: shards))
        if let feed = feeds[place] { return feed }
        do throws(StorageError) {
            let feed = try ShardFeed(place.shard, of: place.edition, in: folder, at: now)
            feeds[place] = feed
            return feed
        } catch .absent {
            throw WindowRefusal.unknownConversation
        }
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

    /// What a row and a leaf take in a tree, about.
    private static let bytesPerRow = 160
    private static let bytesPerLeaf = 512
}

extension WindowCursor {
    /// Nothing is known of another generation of the file, as nothing is of another epoch.
    init(_ cursor: Cursor) {
        self.init(epoch: LeaseEpoch(cursor.generation.number), stamp: cursor.stamp)
    }
}
