import Conversation
import MessageLayout
import Names
import Record
import Rows
import Storage
import Wire

/// A conversation as one reader sees it on one screen, and all windows on it.
final class SharedTimeline {
    /// The properties that readers must have in common to share one.
    struct Key: Hashable {
        var edition: EditionID
        /// The edition that supplies rows which this one lacks; nil where it lacks none.
        var filler: EditionID?
        var conversation: ConversationID
        var target: Target
        var reader: WindowReader
    }

    /// The bytes of memory that the timelines on a shelf take together, about.
    final class ByteSum {
        fileprivate(set) var bytes = 0
    }

    private(set) var key: Key
    let feed: ShardFeed
    var timeline: Timeline {
        didSet {
            endMoment()
            recount()
        }
    }
    private var now: ConversationMoment?
    /// The composer of rows that no worker has laid out for the screen; nil until there is one.
    private var lateComposer: RowComposer?
    /// The same for rows of the edition that fills this one.
    private var fillerComposer: RowComposer?
    /// The bytes of a fork that are counted at another timeline, with which it shares them.
    private var sharedBytes = 0
    /// The sum that its bytes are part of, and how many of them; nil while it is on no shelf.
    private var counted: (sum: ByteSum, bytes: Int)?
    var lastUse: ContinuousClock.Instant
    /// The stamp up to which all changes were in it from the start: they are no news when a feed that is behind tells
    /// them. Nil where every change is taken.
    var opened: Stamp?
    /// Whether a row came that is not laid out for this screen, and cannot be. It is missing, so that nobody is shown
    /// the rest.
    var isUnprepared = false
    private var seats: [ObjectIdentifier: Seat] = [:]
    /// The names of the rows' contents.
    private(set) var names = ContentNames()
    /// The height of the highest text that was ever drawn in one, here or in a timeline that shares them.
    private var highest = Height()

    private final class Height {
        var pixels: Int32 = 0
    }

    init(
        _ key: Key, _ timeline: Timeline, _ feed: ShardFeed, _ composer: RowComposer?,
        at now: ContinuousClock.Instant
    ) {
        (self.key, self.timeline, self.feed, lateComposer) = (key, timeline, feed, composer)
        lastUse = now
    }

    deinit { endMoment() }

    /// The present moment. It is over as soon as anything changes, or this is forgotten.
    var moment: ConversationMoment {
        let moment = now ?? ConversationMoment(of: self)
        now = moment
        return moment
    }

    func endMoment() {
        now?.end()
        now = nil
    }

    func composer(ofFiller isFiller: Bool = false) throws(WindowRefusal) -> RowComposer {
        guard isFiller, let filler = feed.filler else { return try feed.workshop.composer(for: key, &lateComposer) }
        return try filler.workshop.composer(for: key, &fillerComposer)
    }

    /// The bytes of memory that it takes, about. They grow with what happens in it.
    var bytes: Int { Self.leastBytes + zoneBytes + timeline.bytes + names.bytes - sharedBytes }

    /// The bytes of its reader's time zone, which is as long as the reader likes.
    private var zoneBytes: Int { key.reader.zone.transitions.count * MemoryLayout<TimeZoneRule.Transition>.stride }

    /// Has its bytes counted in a sum from now on, as they are at each time; in none, where nil.
    func count(in sum: ByteSum?) {
        if let counted { counted.sum.bytes -= counted.bytes }
        counted = sum.map { ($0, bytes) }
        if let counted { counted.sum.bytes += counted.bytes }
    }

    /// Whether all of its bytes are counted here.
    var isCountedWhole: Bool { sharedBytes == 0 }

    /// Has all of its bytes counted here, as the timeline is gone with which it shared them.
    func countWhole() {
        sharedBytes = 0
        recount()
    }

    private func recount() { if let counted { count(in: counted.sum) } }

    /// Comes to rest: nobody looks, so nobody is told the latest changes.
    func rest() { timeline.forgetSteps() }

    /// Whether it can be made of another one at no cost.
    var isFork: Bool { key.reader.unreadFrom != nil }
    var isWatched: Bool { !seats.isEmpty }
    var watchers: [Seat] { Array(seats.values) }

    func add(_ seat: Seat) { seats[ObjectIdentifier(seat)] = seat }
    func remove(_ seat: Seat) { seats[ObjectIdentifier(seat)] = nil }

    /// Notes a content that was drawn, as it was not at hand.
    func note(_ content: RowContent) { highest.pixels = max(highest.pixels, content.text?.height ?? 0) }

    /// Whether something here may be told in another way on this screen than on a higher one.
    func hasLongText(for screen: Int32) -> Bool { ScreenChunks.isLong(highest.pixels, on: screen) }

    /// Applies the changes of its rows.
    /// - Returns: whether any of them is news.
    @discardableResult
    func take(
        _ notes: some Sequence<ShardChangeNote>, _ rows: [MessageNumber: TimelineWorkshop.Material], upTo stamp: Stamp
    ) -> Bool {
        let news = notes.filter { note in opened.map { $0 < note.stamp } ?? true }
        guard !news.isEmpty else { return false }
        var collector = ChangeCollector()
        for note in news {
            names.change(note.number)
            if let change = change(note, rows) { collector.add(change) }
        }
        timeline.forgetSteps(before: seats.values.lazy.map(\.earliest).min { $0.isBefore($1) })
        timeline.apply(collector.take(), upTo: stamp)
        return true
    }

    private func change(_ note: ShardChangeNote, _ rows: [MessageNumber: TimelineWorkshop.Material]) -> RowChange? {
        switch note.kind {
        case .removed, .evicted: return .removed(note.number)
        case .laidOut, .touched:
            guard let material = rows[note.number] else { return nil }
            guard let row = newRow(material) else {
                isUnprepared = true
                return nil
            }
            let isThere = timeline.tree.rank(of: note.number) != nil
            return .put(
                row, content: note.kind == .touched ? .appearance : .geometry, reason: isThere ? .edit : .live)
        }
    }

    /// Makes a row of the tree from one that is stored nowhere.
    func newRow(_ row: ReadRow) throws -> NewRow {
        guard let new = newRow(try feed.workshop.material(row, for: [key.target])) else {
            throw WindowRefusal.unprepared
        }
        return new
    }

    /// Makes a row of the tree; nil where it is not laid out for the screen, and cannot be.
    private func newRow(_ material: TimelineWorkshop.Material) -> NewRow? {
        if let place = material.targets.firstIndex(of: key.target) { return NewRow(material.row, target: place) }
        do {
            var row = material.row
            row.heights = [try composer(ofFiller: material.isFiller).heights(material.measured)]
            return NewRow(row, target: 0)
        } catch {
            return nil
        }
    }

    /// The bytes of memory, about, of a timeline without rows, and of one that shares its tree with another.
    static let leastBytes = 2 << 10
    static let bytesOfFork = 16 << 10

    /// The same for a reader that has read up to somewhere else. Copies of timelines cost nothing.
    func fork(readFrom order: Int64?, at now: ContinuousClock.Instant) -> SharedTimeline {
        var other = key
        other.reader.unreadFrom = order
        let fork = SharedTimeline(other, timeline, feed, lateComposer, at: now)
        fork.isUnprepared = isUnprepared
        (fork.names, fork.highest, fork.opened) = (names, highest, opened)
        fork.timeline.read(from: order)
        fork.sharedBytes = isCountedWhole ? fork.bytes - min(bytes, Self.bytesOfFork) : sharedBytes
        return fork
    }
}
