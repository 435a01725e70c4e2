import Conversation
import MessageLayout
import Names
import Pool
import Record
import Storage
import Wire

/// One shard of one edition, as far as it was read, and the conversations of it that are open.
final class ShardFeed {
    let edition: EditionID
    let shard: Shard
    /// The workshop of the edition.
    let workshop: TimelineWorkshop
    private var reader: ShardReader
    private(set) var cursor: Cursor
    /// The shard with rows that this edition lacks; nil where it lacks none.
    let filler: FeedFiller?
    private var timelines: [ConversationID: OpenConversation] = [:]
    /// Whether a hint says that something is new.
    private var isHinted = false
    private var lookedAt: ContinuousClock.Instant
    /// The last time at which rows were asked for that another edition filled in.
    private var awaitedAt: ContinuousClock.Instant?

    /// Throws `.absent` while nothing was stored.
    init(
        _ shard: Shard, of edition: EditionID, in folder: DataFolder, _ workshop: TimelineWorkshop,
        filler: FeedFiller? = nil, at now: ContinuousClock.Instant
    ) throws(StorageError) {
        var reader = try ShardReader(shard, of: edition, in: folder)
        cursor = try reader.cursor()
        (self.edition, self.shard, self.workshop, lookedAt) = (edition, shard, workshop, now)
        self.reader = reader
        self.filler = filler
    }

    /// The place up to which all was read.
    var moment: Cursor { cursor.joined(with: filler?.cursor) }

    /// - Returns: whether that is news.
    func hint(_ stamp: Stamp) -> Bool {
        guard cursor.stamp < stamp, !timelines.isEmpty else { return false }
        isHinted = true
        return true
    }

    /// The same for the edition that fills this one.
    func hintOfFiller(_ stamp: Stamp) -> Bool {
        guard let filler, filler.cursor.map({ $0.stamp < stamp }) ?? true, !timelines.isEmpty else { return false }
        isHinted = true
        return true
    }

    /// Notes that readers look at rows of the other edition: those of this one are on their way.
    func await() { awaitedAt = .now }

    /// Whether readers asked for such rows within a time.
    func isAwaited(at now: ContinuousClock.Instant, within time: Duration) -> Bool {
        awaitedAt.map { now < $0 + time } ?? false
    }

    /// - Parameter pause: the time after which it is looked at, hint or none.
    func isDue(at now: ContinuousClock.Instant, after pause: Duration) -> Bool {
        !timelines.isEmpty && (isHinted || now >= lookedAt + pause)
    }

    /// Whether no conversation of it is open.
    var isEmpty: Bool { timelines.isEmpty }

    /// Goes on from this moment where no conversation is open: it was not followed meanwhile, and there is nobody to be
    /// told. A conversation that is on its way into memory takes up by itself what happens until it is there.
    func begin() throws(StorageError) {
        guard timelines.isEmpty else { return }
        cursor = try reader.cursor()
        try filler?.begin()
    }

    var all: [SharedTimeline] { timelines.values.flatMap(\.timelines) }

    func add(_ shared: SharedTimeline) { timelines[shared.key.conversation, default: OpenConversation()].add(shared) }

    func remove(_ shared: SharedTimeline) {
        let conversation = shared.key.conversation
        timelines[conversation]?.remove(shared)
        if timelines[conversation]?.timelines.isEmpty ?? false { timelines[conversation] = nil }
    }

    /// A timeline that shares its bytes with such a one, for another place up to which its reader has read.
    func fork(like shared: SharedTimeline) -> SharedTimeline? {
        var key = shared.key
        return timelines[key.conversation]?.timelines.first { other in
            key.reader.unreadFrom = other.key.reader.unreadFrom
            return other.key == key && !other.isCountedWhole
        }
    }

    /// The timelines of a conversation that take up changes.
    func awake(_ conversation: ConversationID, at now: ContinuousClock.Instant) -> [SharedTimeline] {
        timelines[conversation]?.awake(at: now) ?? []
    }

    /// Notes changes that the other timelines of a conversation do not take up.
    /// - Returns: timelines that are not worth keeping any more.
    func rest(
        _ conversation: ConversationID, missing notes: [ShardChangeNote], at now: ContinuousClock.Instant
    ) -> [SharedTimeline] {
        timelines[conversation]?.rest(missing: notes, at: now) ?? []
    }

    /// Has a timeline that rested take up all that it missed.
    func wake(_ shared: SharedTimeline) throws(StorageError) {
        let conversation = shared.key.conversation
        guard let notes = timelines[conversation]?.missed(by: shared), !notes.isEmpty else { return }
        let rows = try workshop.rows(Array(notes), of: self, for: [shared.key.target])
        shared.take(notes, rows, upTo: moment.stamp)
        timelines[conversation]?.wake(shared)
    }

    /// Whether rows of a conversation may be missing that were there, as the file was lost.
    func isLaidOutAgain(
        _ conversation: ConversationID, by journal: inout CardReader
    ) throws(StorageError) -> Bool {
        try journal.isLaidOutAgain(conversation, in: shard, of: edition, from: reader.origin())
    }

    /// Whether neither this edition nor the one that fills it has a row of a message, and none is on its way into
    /// either.
    /// - Parameter progress: the progress of all editions in this shard, as it was known before this is asked: rows
    ///   that were done then are there.
    func lacks(_ card: MessageCard, forGoodBy progress: [ShardProgress]) throws(StorageError) -> Bool {
        let own = try reader.file(with: card.number)
        let other = try filler?.file(with: card.number)
        guard !own.hasRow, !(other?.hasRow ?? false) else { return false }
        return progress.contains { progress in
            progress.edition == edition && progress.isThrough(card, in: own.origin)
                || progress.edition == filler?.edition && other.map { progress.isThrough(card, in: $0.origin) } ?? false
        }
    }

    func next(_ walk: inout ConversationWalk, _ sealer: inout RowSealer) throws(StorageError) -> [RowBlock] {
        try reader.next(&walk, &sealer)
    }

    /// The changes in one conversation, a few hundred at a time, and the place up to which they go; nil when they are
    /// not known.
    func changes(
        of conversation: ConversationID, since cursor: Cursor
    ) throws(StorageError) -> (notes: [ShardChangeNote], reached: Cursor, isMore: Bool)? {
        switch try reader.changes(since: cursor, limit: Self.changesAtOnce) {
        case .resync: return nil
        case .notes(let notes, let reached, let isMore):
            return (notes.filter { $0.conversation == conversation }, reached, isMore)
        }
    }

    private static let changesAtOnce = 256

    /// Reads rows. Those that are not laid out for all of the screens come with the texts that they are laid out of;
    /// with `wantsTexts`, all do.
    func rows(
        _ numbers: [MessageNumber], for targets: Set<Target>, withTexts wantsTexts: Bool = false
    ) throws(StorageError) -> [ReadRow] {
        let rows = try reader.rows(numbers, for: targets, withTexts: wantsTexts)
        guard let filler, rows.count < numbers.count else { return rows }
        let known = Set(rows.map(\.number))
        return rows + (try filler.rows(numbers.filter { !known.contains($0) }, for: targets, withTexts: wantsTexts))
    }

    /// Rows of this edition as trees take them.
    func stated(
        _ numbers: [MessageNumber], for targets: Set<Target>, by sealer: inout RowSealer
    ) throws(StorageError) -> [ShardReader.StatedRow] { try reader.stated(numbers, for: targets, by: &sealer) }

    /// The drawings of rows, wherever they are; nil for one that is not there.
    func drawings(
        _ numbers: [MessageNumber], for target: Target, _ memory: inout DrawingMemory
    ) throws(StorageError) -> [StoredDrawing?] {
        var drawings = try reader.drawings(numbers, for: target, &memory)
        guard let filler else { return drawings }
        let missing = drawings.indices.filter { drawings[$0] == nil }
        let others = try filler.drawings(missing.map { numbers[$0] }, for: target, &memory)
        for (place, other) in zip(missing, others) { drawings[place] = other }
        return drawings
    }

    /// The block with the heights that its rows have on a screen that nobody foresaw.
    func restated(_ block: RowBlock, _ composer: RowComposer) throws -> RowBlock {
        try composer.restated(block, from: &reader)
    }

    func columns(_ numbers: [MessageNumber], _ composer: RowComposer) throws -> TextColumns? {
        try composer.columns(numbers, from: &reader)
    }

    func restate(_ rows: inout [NewRow], at places: [Int], _ composer: RowComposer) throws {
        let heights = try composer.heights(
            of: places.map { rows[$0].number }, instead: places.map { rows[$0].heights }, from: &reader)
        for (place, height) in zip(places, heights) { rows[place].heights = height }
    }

    func number(of message: MessageID, in conversation: ConversationID) throws(StorageError) -> MessageNumber? {
        if let number = try reader.rows([message], of: conversation).first?.number { return number }
        return try filler?.number(of: message, in: conversation)
    }

    /// The changes in conversations that are open; nil when they are not known, and all are to be opened afresh.
    func changes(at now: ContinuousClock.Instant) throws(StorageError) -> [ShardChangeNote]? {
        (isHinted, lookedAt) = (false, now)
        guard let filler else { return try ownChanges() }
        guard let own = try ownChanges(), let others = try filler.changes(of: { timelines[$0] != nil }) else {
            return nil
        }
        return try settled(own, others)
    }

    private func ownChanges() throws(StorageError) -> [ShardChangeNote]? {
        var notes: [ShardChangeNote] = []
        while true {
            switch try reader.changes(since: cursor) {
            case .resync(let reached):
                cursor = reached
                return nil
            case .notes(let new, let reached, let more):
                notes += new.filter { timelines[$0.conversation] != nil }
                cursor = reached
                if !more { return notes }
            }
        }
    }
}
