import Conversation
import MessageLayout
import Storage
import Wire

/// A conversation on its way from its shard into memory: some of it in each turn of the loop, so that nobody but those who asked
/// for it waits.
final class TimelineOpening {
    let key: SharedTimeline.Key
    let feed: ShardFeed
    /// Of the memory that it takes so far, about.
    private(set) var bytes = 0
    private let start: ContinuousClock.Instant
    private var stage: Stage
    private var attempts = 0
    /// Blocks that no worker has sealed.
    private(set) var madeBlocks = 0

    private enum Stage {
        case reading(Reading)
        /// All is there, as it was at some moments before; what changed since is taken up.
        case catchingUp(SharedTimeline, Cursor)
    }

    /// Things that cannot be copied.
    private final class Reading {
        var walk: ConversationWalk
        /// Nil until it is known what rows are laid out for.
        var tree: TreeOpening?
        var column = 0
        /// Nil where workers have laid rows out for the screen.
        var composer: RowComposer?
        /// Blocks that it has yet to state anew.
        var waiting: ArraySlice<RowBlock> = []
        init(_ conversation: ConversationID) { walk = ConversationWalk(conversation) }
    }

    /// How often it is begun again where its shard is not what it was any more.
    private static let mostAttempts = 3
    /// What a row and a leaf take in a tree, about.
    private static let bytesPerRow = 160
    private static let bytesPerLeaf = 512

    init(_ key: SharedTimeline.Key, _ feed: ShardFeed, at now: ContinuousClock.Instant) {
        (self.key, self.feed, start) = (key, feed, now)
        stage = .reading(Reading(key.conversation))
    }

    /// Since it was begun.
    func time(at now: ContinuousClock.Instant) -> Duration { now - start }

    /// Goes on for about a millisecond.
    /// - Returns: the timeline, when it is done and nothing is missing.
    func proceed() throws -> SharedTimeline? {
        let workshop = feed.workshop
        do {
            switch stage {
            case .reading(let reading): return try read(reading, workshop)
            case .catchingUp(let shared, let cursor): return try catchUp(shared, since: cursor, workshop)
            }
        } catch is WireError where attempts < Self.mostAttempts {
            // What was sealed anew meanwhile may not fit to what was read before.
            beginAgain()
            return nil
        }
    }

    private func beginAgain() {
        attempts += 1
        bytes = 0
        stage = .reading(Reading(key.conversation))
    }

    private func read(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> SharedTimeline? {
        for block in try nextBlocks(reading, workshop) {
            try reading.tree?.add(block)
            bytes += block.bytes.count + Self.bytesPerLeaf
        }
        guard reading.walk.isDone, reading.waiting.isEmpty, let tree = reading.tree.take(),
            let cursor = reading.walk.cursor
        else { return nil }
        bytes += Self.bytesPerRow * reading.walk.tail.count
        madeBlocks = reading.walk.madeBlocks
        var tail = reading.walk.tail
        if let composer = reading.composer { try feed.restate(&tail, composer) }
        let timeline = Timeline(
            tree.finish(then: tail.map { NewRow($0, target: reading.column) }), edition: key.edition,
            cursor: WindowCursor(cursor))
        let shared = SharedTimeline(key, timeline, feed, reading.composer, bytes: bytes, at: .now)
        stage = .catchingUp(shared, cursor)
        return try catchUp(shared, since: cursor, workshop)
    }

    /// As many as take about a millisecond, with heights on the screen.
    private func nextBlocks(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> [RowBlock] {
        var blocks: [RowBlock] = []
        if reading.waiting.isEmpty { blocks = try feed.next(&reading.walk, &workshop.sealer) }
        if reading.tree == nil, !reading.walk.targets.isEmpty || reading.walk.isDone {
            reading.composer = try workshop.composer(for: key, besides: reading.walk.targets)
            if reading.composer != nil, let cursor = reading.walk.cursor {
                try workshop.held.ask(for: key, at: cursor, from: feed)
            }
            if reading.composer == nil { reading.column = reading.walk.targets.firstIndex(of: key.target) ?? 0 }
            reading.tree = TreeOpening(
                style: workshop.style, viewer: key.reader.viewer, own: key.reader.own, target: key.target,
                column: reading.column)
        }
        guard let composer = reading.composer else { return blocks }
        // Its rows are laid out anew, which takes a thousand times as long.
        reading.waiting += blocks
        guard let next = reading.waiting.popFirst() else { return [] }
        return [try restated(next, composer, workshop)]
    }

    /// The rows of a block, as high as they are on a screen that nobody foresaw. They stay at hand for the next one.
    private func restated(
        _ block: RowBlock, _ composer: RowComposer, _ workshop: TimelineWorkshop
    ) throws -> RowBlock {
        let numbers = try block.numbers()
        if let known = workshop.held.columns(numbers, of: key) { return try composer.restated(block, known) }
        guard workshop.held.wants(key), let columns = try feed.columns(numbers, composer) else {
            return try feed.restated(block, composer)
        }
        workshop.held.keep(columns, numbers, of: key)
        return try composer.restated(block, columns)
    }

    private func catchUp(
        _ shared: SharedTimeline, since cursor: Cursor, _ workshop: TimelineWorkshop
    ) throws -> SharedTimeline? {
        guard let (notes, reached, isMore) = try feed.changes(of: key.conversation, since: cursor) else {
            guard attempts < Self.mostAttempts else { throw WindowRefusal.busy }
            beginAgain()
            return nil
        }
        if !notes.isEmpty {
            let rows = try workshop.rows(notes, of: feed, measured: shared.composer != nil)
            shared.timeline.forget(Set(notes.map(\.number)))
            shared.take(notes, rows, upTo: reached.stamp)
        }
        stage = .catchingUp(shared, reached)
        return isMore ? nil : shared
    }
}

extension WindowCursor {
    /// Nothing is known of another generation of the file, as nothing is of another epoch.
    init(_ cursor: Cursor) {
        self.init(epoch: LeaseEpoch(cursor.generation.number), stamp: cursor.stamp)
    }
}
