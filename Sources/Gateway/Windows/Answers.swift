import Conversation
import MessageLayout
import Names
import Pool
import Record
import Rows
import Storage
import Wire

/// The material of answers: contents of rows as they were cut, messages as the journal has them, and answers that
/// were given before.
final class Answers {
    private let folder: DataFolder
    private let limits: WindowLimits
    private let shelf: TimelineShelf
    private(set) var cutter: ContentCutter
    private(set) var memory: AnswerMemory<Given>
    /// The reader of the journal; nil until that was found. It is not at hand away from the coordinator.
    private var cards: CardReader?
    /// Messages that somebody waits for.
    private var wishes: Set<MessageKey> = []
    /// The font files that texts are drawn with.
    var fonts = RowFonts()
    /// Bytes that pages over HTTP take.
    var pageBytes = 0

    /// An answer as it goes out, but for the request id, and the window that its client then has.
    struct Given {
        var frame: [UInt8]
        let window: Window
        let wantsBodies: Bool
        let wantsFonts: Bool
        let wantsEditions: Bool
        let wantsUnavailable: Bool
        let rowVersion: RowVersion
    }

    /// The most bytes of messages in an answer. It has no more rows than fit into them.
    private static let mostMessageBytes = Limits.frame / 4

    init(in folder: DataFolder, _ shelf: TimelineShelf, _ limits: WindowLimits) {
        (self.folder, self.shelf, self.limits) = (folder, shelf, limits)
        memory = AnswerMemory(least: limits.answers)
        cutter = ContentCutter(limit: limits.contents)
    }

    /// Bytes that conversations, their list and contents leave to answers at the socket and to pages over HTTP.
    var room: Int { limits.together - shelf.bytes - shelf.listBytes - cutter.bytes }

    func makeRoom() { memory.shrink(to: room - pageBytes) }

    /// Keeps the only answer to a word, a window without messages, for clients that open the same.
    func keep(_ frame: [UInt8], of seat: Seat, to question: AnswerQuestion) {
        guard !seat.wantsMessages else { return }
        // A frame is written with room to spare, which is not kept.
        var exact: [UInt8] = []
        exact.reserveCapacity(frame.count)
        exact += frame
        let given = Given(
            frame: exact, window: seat.window, wantsBodies: seat.wantsBodies, wantsFonts: seat.wantsFonts,
            wantsEditions: seat.wantsEditions, wantsUnavailable: seat.wantsUnavailable, rowVersion: seat.rowVersion)
        memory.keep(given, bytes: frame.count, of: seat.shared.moment, to: question, room: room - pageBytes)
    }

    /// - Parameter isFree: whether the answer may be given to a window of that name.
    func known(
        _ question: AnswerQuestion, if isFree: (WindowID) -> Bool = { _ in true }
    ) -> AnswerMemory<Given>.Answer? {
        memory.answer(to: question, if: { isFree($0.window.id) })
    }

    /// The timeline with the rows at hand that a window opens with.
    func timeline(of shared: SharedTimeline, around place: Conversation.RowPlace, count: Int) -> Timeline {
        let known = cutter.looks.timeline(of: shared)
        guard let rank = known.rank(of: place) else { return known }
        return cutter.looks.timeline(of: shared, at: [Window.ranks(around: rank, count: count, on: known)])
    }

    /// The place of a row; nil where it is not there.
    func rank(of row: MessageNumber, on shared: SharedTimeline) -> Int? {
        cutter.looks.timeline(of: shared).tree.rank(of: row)
    }

    /// The page of a window, on rows that look as the client was told.
    func page(_ side: WindowSide, count: Int, at seat: Seat) throws -> WindowReply {
        let asked = seat.window.ranksAsked(at: side, count: count, on: seat.shared.timeline)
        return seat.window.page(side, count: count, on: cutter.looks.timeline(of: seat.shared, at: asked))
    }
}

// Contents of rows.
extension Answers {
    /// The reply with the contents of its rows: of all of them, or, where they are too large together, of fewer rows,
    /// which the window has then.
    func filled(_ reply: WindowReply, at seat: Seat) throws(StorageError) -> WindowReply {
        guard seat.wantsBodies else { return cut(reply, at: seat) }
        guard !reply.rows.isEmpty else { return reply }
        let timeline = seat.shared.timeline
        var reply = reply
        // The rows are at one end of the window, or all of it, so their ranks are known without a search.
        let range = seat.window.range
        let first = reply.part == .newer ? range.upperBound - reply.rows.count : range.lowerBound
        wish(forRowsOfFillerAt: first..<first + reply.rows.count, at: seat)
        let start = seat.window.start(of: reply, on: timeline)
        var room = AnswerRoom(ContentCutter.mostBytes)
        var drawn = try cutter.draw(
            first..<first + reply.rows.count, from: start, in: &room, on: seat.shared,
            for: Sight(seat, from: reply.start))
        for (i, body) in zip(drawn.rows, drawn.bodies) { reply.rows[i].body = body }
        if seat.wantsRuns { try addMeasures(to: &reply.rows[drawn.rows], of: drawn.jobs, at: seat) }
        seat.window.cut(&reply, to: drawn.rows, on: timeline)
        guard seat.needsMessages else { return reply }
        let kept = try addMessages(
            to: &reply.rows, of: drawn.jobs, at: seat, from: seat.window.start(of: reply, on: timeline))
        drawn.rows = kept
        seat.window.cut(&reply, to: kept, on: timeline)
        return reply
    }

    /// The reply with as many rows without contents as there is room for.
    private func cut(_ reply: WindowReply, at seat: Seat) -> WindowReply {
        let timeline = seat.shared.timeline
        var reply = reply
        var cut = AnswerCut(
            of: reply.rows.count, from: seat.window.start(of: reply, on: timeline), AnswerRoom(ContentCutter.mostBytes))
        while let row = cut.next {
            cut.take(row, bytes: ContentCutter.rowBytes + reply.rows[row].message.text.utf8.count)
        }
        seat.window.cut(&reply, to: cut.rows, on: timeline)
        return reply
    }

    /// - Returns: the number of rows that there was room for, from the first on.
    func fill(_ rows: inout [WindowRow], at seat: Seat) throws(StorageError) -> Int {
        var room = AnswerRoom(ContentCutter.mostBytes)
        let jobs = try cutter.fill(&rows, in: &room, on: seat.shared, for: Sight(seat, from: .top))
        guard seat.needsMessages else { return jobs.count }
        return try addMessages(to: &rows, of: jobs, at: seat, from: .top).count
    }

    /// The row with these lines, or the row as it is now if it has changed. Its message has come with its first
    /// lines.
    func row(with wanted: WantedLines, at seat: Seat) throws(StorageError) -> [WindowRow] {
        var rows = seat.shared.timeline.rows([wanted.row]).map(\.row)
        var room = AnswerRoom(ContentCutter.mostBytes)
        let jobs = try cutter.fill(&rows, in: &room, on: seat.shared, for: Sight(seat, from: .top, wanted: wanted))
        if seat.wantsRuns { try addMeasures(to: &rows[...], of: jobs, at: seat) }
        return rows
    }

    /// A row as it is stored now, with the measures of its texts; nil where it is not there, or cannot be laid out.
    func shown(
        _ rank: Int, on shared: SharedTimeline, for version: RowVersion
    ) throws(StorageError) -> ContentCutter.ShownRow? {
        try cutter.shown(rank, on: shared, for: version)
    }

    /// The changes with the contents of new and changed rows. Nil where these are more than an answer may have: the
    /// window is opened afresh, and its client asks on.
    func filled(_ set: ChangeSet, at seat: Seat) throws(StorageError) -> ChangeSet? {
        guard seat.wantsBodies else { return set }
        var set = set
        var rows = set.changes.flatMap(\.kind.rows)
        guard !rows.isEmpty else { return set }
        guard try fill(&rows, at: seat) == rows.count else { return nil }
        var rest = rows[...]
        for i in set.changes.indices {
            let count = set.changes[i].kind.rows.count
            if count > 0 { set.changes[i].kind = set.changes[i].kind.with(Array(rest.prefix(count))) }
            rest = rest.dropFirst(count)
        }
        return set
    }

    /// Rows at some ranks of a timeline that nobody else sees, as they would be answered.
    /// - Parameter read: a row of it that no file has.
    func rows(
        at ranks: [Int], of timeline: Timeline, with read: ReadRow, at seat: Seat
    ) throws -> (rows: [WindowRow], jobs: [JobNumber?]) {
        var room = AnswerRoom(ContentCutter.mostBytes)
        var rows: [WindowRow] = []
        var jobs: [JobNumber?] = []
        for rank in ranks {
            var found = timeline.rows(rank..<rank + 1)
            if seat.wantsBodies {
                let drawn = try cutter.draw(
                    rank..<rank + 1, of: timeline.tree, from: .top, in: &room, on: seat.shared,
                    for: Sight(seat, from: .top), besides: read)
                guard let body = drawn.bodies.first else { continue }
                found[0].body = body
                jobs += drawn.jobs
            }
            rows += found
        }
        return (rows, jobs)
    }
}

// Messages, as the journal has them.
extension Answers {
    /// Adds to the layouts in rows the measures of their texts. A layout never comes with the measures of another.
    private func addMeasures(
        to rows: inout ArraySlice<WindowRow>, of jobs: [JobNumber?], at seat: Seat
    ) throws(StorageError) {
        let target = seat.shared.key.target
        let stored = try seat.shared.feed.rows(rows.map(\.number), for: [target], withTexts: true)
        let known = Dictionary(stored.map { ($0.number, $0) }) { first, _ in first }
        for (place, job) in zip(rows.indices, jobs) {
            guard let row = known[rows[place].number], let job, row.job == job else { continue }
            rows[place].body?.measures = WindowRow.Body.Measures(texts: row.measured, target: target)
        }
    }

    /// Adds to the layouts in rows their messages, or the font files that the messages' words need, or both. A
    /// message and a layout that were not made of each other never come together.
    /// - Parameter jobs: the job that made each of the first rows what it is.
    /// - Returns: the rows that there was room for.
    func addMessages(
        to rows: inout [WindowRow], of jobs: [JobNumber?], at seat: Seat, from start: AnswerCut.Start
    ) throws(StorageError) -> Range<Int> {
        guard try findJournal() else { return 0..<jobs.count }
        let (conversation, edition) = (seat.shared.key.conversation, seat.shared.key.edition)
        let shard = seat.shared.feed.shard
        var wanted: [(key: MessageKey, job: JobNumber)] = []
        var places: [Int] = []
        for (i, job) in jobs.enumerated() {
            // A row without a job has no content.
            guard let job else { continue }
            wanted.append((MessageKey(conversation, rows[i].message), job))
            places.append(i)
        }
        var sizes = [Int](repeating: 0, count: jobs.count)
        for (i, state) in zip(places, try cards?.states(of: wanted) ?? []) {
            let message = state.map(SaidMessage.encoded)
            if seat.wantsFonts, let body = rows[i].body, let job = jobs[i] {
                rows[i].body?.fonts = fonts.files(of: body, message, made: job, in: shard, of: edition)
            }
            guard seat.wantsMessages, let message else { continue }
            sizes[i] = message.count
            rows[i].body?.message = message
        }
        var cut = AnswerCut(of: jobs.count, from: start, AnswerRoom(Self.mostMessageBytes))
        while let row = cut.next { cut.take(row, bytes: sizes[row]) }
        return cut.rows
    }

    /// Has a message laid out before others, as somebody waits for it.
    func wish(for message: MessageKey) {
        if wishes.count < Self.mostWishes { wishes.insert(message) }
    }

    /// Has rows that the served edition lacks laid out for it before others, as a reader looks at them.
    private func wish(forRowsOfFillerAt ranks: Range<Int>, at seat: Seat) {
        let shared = seat.shared
        guard shared.key.filler != nil else { return }
        let lacking = shared.timeline.tree.newRows(ranks).filter { DecorationStyle.isFillerName($0.look.template) }
        for row in lacking { wish(for: MessageKey(shared.key.conversation, row.position.message)) }
        if !lacking.isEmpty { shared.feed.await() }
    }

    private static let mostWishes = 4 * OperatorRequest.mostUrged

    /// Takes the messages that somebody waits for, since this was asked last.
    func takeWishes() -> [MessageKey] {
        defer { wishes.removeAll(keepingCapacity: true) }
        return Array(wishes)
    }

    /// Whether the journal is at hand; it is not away from the coordinator.
    private func findJournal() throws(StorageError) -> Bool {
        do throws(StorageError) {
            if cards == nil { cards = try CardReader(in: folder) }
            return true
        } catch .absent {
            return false
        }
    }

    enum Found {
        case row(MessageNumber)
        /// A message that is accepted and has no row; one is on its way, or none is.
        case none(order: Int64, isAwaited: Bool)
    }

    /// Finds a message by the id that its sender or its backend gave it.
    func find(_ message: MessageID, on shared: SharedTimeline) throws -> Found {
        let conversation = shared.key.conversation
        guard try findJournal() else {
            // Pending messages are not known here.
            guard let number = try shared.feed.number(of: message, in: conversation) else {
                throw WindowRefusal.unknownMessage
            }
            return .row(number)
        }
        guard let card = try cards?.message(MessageKey(conversation, message)), card.isComplete,
            let order = card.order
        else { throw WindowRefusal.unknownMessage }
        guard rank(of: card.number, on: shared) == nil else { return .row(card.number) }
        let key = MessageKey(conversation, message)
        let isAwaited = try !isGone(key, from: shared.feed)
        if isAwaited { wish(for: key) }
        return .none(order: order.value, isAwaited: isAwaited)
    }

    /// Whether a message has no row in the editions that readers are shown, and none is on its way.
    private func isGone(_ key: MessageKey, from feed: ShardFeed) throws(StorageError) -> Bool {
        guard let standing = try cards?.standing(of: key, in: feed.shard) else { return false }
        return try feed.lacks(standing.card, forGoodBy: standing.progress)
    }

    /// Whether rows of the conversation may be missing that were there; false away from the coordinator, where nobody
    /// knows.
    func isLaidOutAgain(_ shared: SharedTimeline) throws(StorageError) -> Bool {
        guard try findJournal(), cards != nil else { return false }
        return try shared.feed.isLaidOutAgain(shared.key.conversation, by: &cards!)
    }

    /// Whether nothing was ever accepted of a conversation; false where nobody knows, as the journal is not at hand.
    func isUnknown(_ conversation: ConversationID) throws(StorageError) -> Bool {
        guard try findJournal(), cards != nil else { return false }
        return try !cards!.knows(conversation)
    }

    /// Whether something was ever accepted of a conversation that has no row; false where nobody knows.
    func isKnown(_ conversation: ConversationID) throws(StorageError) -> Bool {
        guard try findJournal() else { return false }
        return try !isUnknown(conversation)
    }
}

extension WindowReply {
    /// The place at which its reader will go on.
    fileprivate var start: Sight.Start {
        if let firstVisible { return .y(firstVisible.y) }
        return part == .older ? .bottom : .top
    }
}
