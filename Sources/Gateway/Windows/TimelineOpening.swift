import Bytes
import Conversation
import MessageLayout
import Names
import Record
import Rows
import Storage
import Wire

/// A conversation on its way from its shard into memory: some of it in each turn of the loop, so that only its askers
/// wait.
final class TimelineOpening {
    let key: SharedTimeline.Key
    let feed: ShardFeed
    private let start: ContinuousClock.Instant
    private var stage: Stage
    private var donor: FillerRows?
    private var attempts = 0
    /// Blocks that no worker has sealed.
    private(set) var madeBlocks = 0

    private enum Stage {
        case reading(Reading)
        /// Rows that the edition lacks are looked for in the one that fills it.
        case filling(SharedTimeline, Filling)
        /// All rows are there, as they were at some moments before; changes since are taken up.
        case catchingUp(SharedTimeline, Cursor, Cursor?)
    }

    /// The way through the edition that fills the gaps.
    private struct Filling {
        var walk: ConversationWalk
        /// The rows in memory, which replace the walk where there are any.
        var donor: FillerRows?
        /// The rows that the edition itself has.
        var own: Set<MessageNumber>
        /// The moments at which its rows were read, and those of the other.
        var cursor: Cursor
        var fillerCursor: Cursor
    }

    /// The state of reading: an object, as parts of it cannot be copied.
    private final class Reading {
        var walk: ConversationWalk
        var tree: TreeOpening?
        /// The composer; nil until rows come that workers have not laid out for the screen.
        var composer: RowComposer?
        /// Blocks that were read and are not in the tree.
        var waiting: ArraySlice<RowBlock> = []
        /// Whether the held rows of the conversation are as they are now.
        var hasAsked = false
        /// Blocks that were read, where they are to be kept for the next screen.
        var kept: [RowBlock] = []
        var isResumed = false
        /// The numbers of rows that were read, where the edition may lack some.
        var numbers: Set<MessageNumber> = []

        init(_ key: SharedTimeline.Key, _ style: DecorationStyle) {
            walk = ConversationWalk(key.conversation, for: [key.target])
            tree = TreeOpening(style: style, viewer: key.reader.viewer, own: key.reader.own, target: key.target)
        }
    }

    /// The time for which it goes on in one turn.
    private static let turn: Duration = .milliseconds(1)
    /// The most times that it is begun again because its shard has changed underneath.
    private static let mostAttempts = 3

    /// - Parameter donor: rows of the edition that fills this one; nil where they are to be read.
    init(
        _ key: SharedTimeline.Key, _ feed: ShardFeed, from donor: FillerRows? = nil, at now: ContinuousClock.Instant
    ) {
        (self.key, self.feed, self.donor, start) = (key, feed, donor, now)
        stage = .reading(Reading(key, feed.workshop.style))
    }

    /// The bytes of memory that it takes so far, about.
    var bytes: Int {
        switch stage {
        case .reading(let reading): reading.tree?.bytes ?? 0
        case .filling(let shared, _), .catchingUp(let shared, _, _): shared.bytes
        }
    }

    /// The time since it was begun.
    func time(at now: ContinuousClock.Instant) -> Duration { now - start }

    /// Goes on for about a millisecond.
    /// - Returns: the timeline, when it is done and nothing is missing.
    func proceed() throws -> SharedTimeline? {
        let workshop = feed.workshop
        do {
            switch stage {
            case .reading(let reading): return try read(reading, workshop)
            case .filling(let shared, let filling): return try fill(shared, filling, workshop)
            case .catchingUp(let shared, let cursor, let fillerCursor):
                return try catchUp(shared, since: cursor, fillerCursor, workshop)
            }
        } catch is ByteError where attempts < Self.mostAttempts {
            // Blocks that were sealed anew meanwhile may not fit those that were read before.
            beginAgain()
            return nil
        }
    }

    private func beginAgain() {
        attempts += 1
        // The donor's moment may be one of a file that is not there any more.
        donor = nil
        stage = .reading(Reading(key, feed.workshop.style))
    }

    private func read(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> SharedTimeline? {
        for block in try nextBlocks(reading, workshop) {
            try reading.tree?.add(block)
            if feed.filler != nil { reading.numbers.formUnion(try block.numbers()) }
        }
        guard reading.walk.isDone, reading.waiting.isEmpty, let tree = reading.tree.take(),
            let cursor = reading.walk.cursor
        else { return nil }
        madeBlocks = reading.isResumed ? 0 : reading.walk.madeBlocks
        keep(reading, workshop)
        let fillerCursor = try donor?.cursor ?? feed.filler?.present()
        let timeline = Timeline(
            tree.finish(then: try tail(of: reading, workshop)), edition: key.edition,
            cursor: WindowCursor(cursor.joined(with: fillerCursor)))
        // A conversation without rows is refused here, where no row could be composed, and not at its first message.
        if timeline.tree.count == 0, !workshop.isPrepared(key.target) {
            _ = try workshop.composer(for: key, &reading.composer)
        }
        let shared = SharedTimeline(key, timeline, feed, reading.composer, at: .now)
        guard let fillerCursor else {
            stage = .catchingUp(shared, cursor, nil)
            return try catchUp(shared, since: cursor, nil, workshop)
        }
        let walk = ConversationWalk(key.conversation, for: [key.target])
        let filling = Filling(
            walk: walk, donor: donor, own: reading.numbers.union(reading.walk.tail.map(\.row.number)),
            cursor: cursor, fillerCursor: fillerCursor)
        stage = .filling(shared, filling)
        return try fill(shared, filling, workshop)
    }

    /// Goes on through the edition that fills the gaps, and takes from it the rows that the other lacks.
    private func fill(
        _ shared: SharedTimeline, _ before: Filling, _ workshop: TimelineWorkshop
    ) throws -> SharedTimeline? {
        guard let filler = feed.filler else { return nil }
        var filling = before
        var numbers: [MessageNumber] = []
        if filling.donor != nil {
            shared.timeline.fill(filling.donor!.next(but: filling.own, &numbers))
        } else {
            numbers = try filler.next(&filling.walk).flatMap { try $0.numbers() }
            if filling.walk.isDone { numbers += filling.walk.tail.map(\.row.number) }
        }
        let rows = try workshop.rows(numbers.filter { !filling.own.contains($0) }, of: feed, for: [key.target])
        let notes = rows.values.map { material in
            ShardChangeNote(
                kind: .laidOut, conversation: key.conversation, message: material.row.message,
                number: material.row.number, order: material.row.order, stamp: .zero)
        }
        shared.take(notes, rows, upTo: shared.timeline.cursor.stamp)
        guard filling.donor?.isDone ?? filling.walk.isDone else {
            stage = .filling(shared, filling)
            return nil
        }
        stage = .catchingUp(shared, filling.cursor, filling.fillerCursor)
        return try catchUp(shared, since: filling.cursor, filling.fillerCursor, workshop)
    }

    /// The next blocks, as many as take about a millisecond, with heights on the screen.
    private func nextBlocks(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> [RowBlock] {
        if reading.waiting.isEmpty { reading.waiting = try readBlocks(reading, workshop)[...] }
        let lacking = try reading.waiting.firstIndex { block in try !block.targets().contains(key.target) }
        let ready = reading.waiting[..<(lacking ?? reading.waiting.endIndex)]
        reading.waiting.removeFirst(ready.count)
        if !ready.isEmpty { return Array(ready) }
        // The rows of the others are laid out anew, which takes a thousand times as long.
        var blocks: [RowBlock] = []
        let end = ContinuousClock.now + Self.turn
        while let next = reading.waiting.first, try !next.targets().contains(key.target) {
            reading.waiting.removeFirst()
            blocks.append(try restated(next, composer(reading, workshop), workshop))
            if ContinuousClock.now >= end { break }
        }
        return blocks
    }

    /// The next blocks of the file; all at once where they are held since the screen before.
    private func readBlocks(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> [RowBlock] {
        if reading.walk.cursor == nil, isHoldable(workshop), workshop.held.knows(key) {
            try workshop.held.ask(for: key, at: feed.cursor, from: feed)
            reading.hasAsked = workshop.held.knows(key)
            if let way = workshop.held.way(of: key) {
                (reading.walk, reading.isResumed) = (way.walk, true)
                return way.blocks
            }
        }
        let blocks = try feed.next(&reading.walk, &workshop.sealer)
        if workshop.held.wants(key), isHoldable(workshop) { reading.kept += blocks }
        return blocks
    }

    /// Whether the next screen is like this one: nothing is laid out for either of them, and no edition fills in rows.
    private func isHoldable(_ workshop: TimelineWorkshop) -> Bool {
        feed.filler == nil && !workshop.isPrepared(key.target)
    }

    private func keep(_ reading: Reading, _ workshop: TimelineWorkshop) {
        guard !reading.isResumed, reading.hasAsked, isHoldable(workshop) else { return }
        workshop.held.keep(HeldRows.Way(walk: reading.walk, blocks: reading.kept), of: key)
    }

    private func composer(_ reading: Reading, _ workshop: TimelineWorkshop) throws -> RowComposer {
        if reading.composer == nil, !reading.hasAsked, let cursor = reading.walk.cursor {
            try workshop.held.ask(for: key, at: cursor, from: feed)
        }
        return try workshop.composer(for: key, &reading.composer)
    }

    /// The rows behind the last block, with heights on the screen.
    private func tail(of reading: Reading, _ workshop: TimelineWorkshop) throws -> [NewRow] {
        let places = reading.walk.tail.map { $0.targets.firstIndex(of: key.target) }
        var rows = zip(reading.walk.tail, places).map { NewRow($0.row, target: $1 ?? 0) }
        let lacking = places.indices.filter { places[$0] == nil }
        guard !lacking.isEmpty else { return rows }
        let composer = try composer(reading, workshop)
        if lacking.count == rows.count, let columns = try columns(rows.map(\.number), composer, workshop) {
            for (place, heights) in try composer.heights(columns).enumerated() { rows[place].heights = heights }
        } else {
            try feed.restate(&rows, at: lacking, composer)
        }
        return rows
    }

    /// The block with the heights that its rows have on a screen that nobody foresaw. They stay at hand for the next
    /// one.
    private func restated(
        _ block: RowBlock, _ composer: RowComposer, _ workshop: TimelineWorkshop
    ) throws -> RowBlock {
        guard let columns = try columns(block.numbers(), composer, workshop) else {
            return try feed.restated(block, composer)
        }
        return try composer.restated(block, columns)
    }

    /// The measures of rows, for any screen; nil where they are not to be held, or one is not there any more.
    private func columns(
        _ numbers: [MessageNumber], _ composer: RowComposer, _ workshop: TimelineWorkshop
    ) throws -> TextColumns? {
        if let known = workshop.held.columns(numbers, of: key) { return known }
        guard workshop.held.wants(key), let columns = try feed.columns(numbers, composer) else { return nil }
        workshop.held.keep(columns, numbers, of: key)
        return columns
    }

    private func catchUp(
        _ shared: SharedTimeline, since cursor: Cursor, _ fillerCursor: Cursor?, _ workshop: TimelineWorkshop
    ) throws -> SharedTimeline? {
        guard let (own, reached, isMore) = try feed.changes(of: key.conversation, since: cursor),
            let others = try feed.filler.map({ try $0.changes(of: key.conversation, since: fillerCursor) })
                ?? ([], nil)
        else {
            guard attempts < Self.mostAttempts else { throw WindowRefusal.busy }
            beginAgain()
            return nil
        }
        let notes = try feed.settled(own, others.notes)
        if !notes.isEmpty {
            let rows = try workshop.rows(notes, of: feed, for: [key.target])
            shared.timeline.forget(Set(notes.map(\.number)))
            shared.take(notes, rows, upTo: reached.joined(with: others.reached).stamp)
        }
        stage = .catchingUp(shared, reached, others.reached)
        guard !isMore else { return nil }
        // A row that came meanwhile is missing: the next opening reads it, or is refused by it.
        guard !shared.isUnprepared else { throw WindowRefusal.unprepared }
        // Nobody has heard of it yet, so nobody is told what has changed.
        shared.timeline.forgetSteps()
        // Two files count their stamps by themselves: a change of either may be taken again.
        if feed.filler == nil { shared.opened = reached.stamp }
        return shared
    }
}

extension WindowCursor {
    /// The largest integer that programs which read JSON into floating point, as browsers do, can tell from its
    /// neighbours.
    private static let exact: UInt64 = 1 << 53 - 1

    /// The cursor of a window from that of a file. The generation becomes the epoch: nothing is known of another one.
    init(_ cursor: Cursor) {
        self.init(epoch: LeaseEpoch(cursor.generation.number & Self.exact), stamp: cursor.stamp)
    }
}
