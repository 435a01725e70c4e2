import MessageLayout
package import Names
import Rows
package import Wire

/// Some rows of a timeline that a client holds: a range, and the anchors that stay in place on the client's screen.
///
/// The window follows its rows, whatever happens to the timeline. It takes a hundred bytes, so a gateway has one for
/// each of thousands of clients.
///
///     var (window, reply) = Window.open(id, on: timeline, around: .newest, count: 50, screen: 2_400)
///     let steps = timeline.apply(changes, upTo: stamp)
///     let changes = window.follow(steps, on: timeline)
package struct Window: Sendable {
    package let id: WindowID
    /// Ranks of its rows.
    package private(set) var range: Range<Int>
    package private(set) var cursor: WindowCursor
    package private(set) var anchors: [Held] = []
    /// The height of the screen, in device pixels.
    package var screen: Int32
    package var limit: WindowLimit
    package var prefetch: PrefetchPolicy
    /// Whether the reader is scrolling: nothing is trimmed meanwhile.
    package var isBusy = false
    /// Whether more rows came between its own than it may hold.
    private var isOverrun = false

    /// An anchor, and the place that the client last heard of.
    package struct Held: Hashable, Sendable {
        package var anchor: WindowAnchor
        package var rank: Int
        package var y: Int64
    }

    init(
        _ id: WindowID, range: Range<Int>, cursor: WindowCursor, screen: Int32, limit: WindowLimit,
        prefetch: PrefetchPolicy
    ) {
        (self.id, self.range, self.cursor) = (id, range, cursor)
        (self.screen, self.limit, self.prefetch) = (screen, limit, prefetch)
    }
}

/// The most rows that a window should have, and the rows that stay when it is trimmed for that.
package struct WindowLimit: Hashable, Sendable {
    package var rows: Int
    package var afterTrimming: Int

    package init(rows: Int = 500, afterTrimming: Int = 400) { (self.rows, self.afterTrimming) = (rows, afterTrimming) }
}

/// The place that a window opens around, once a message has been found by its name.
package enum RowPlace: Hashable, Sendable {
    case newest
    case unread
    case row(MessageNumber)
    case date(Timestamp)
    case y(Int64)
}

// Opening and asking for more.
extension Window {
    /// Nil where the place names a row that is not there.
    package static func open(
        _ id: WindowID, on timeline: Timeline, around place: RowPlace, count: Int = 50, screen: Int32,
        limit: WindowLimit = WindowLimit(), prefetch: PrefetchPolicy = PrefetchPolicy()
    ) -> (window: Window, reply: WindowReply)? {
        guard let rank = timeline.rank(of: place) else { return nil }
        let range = ranks(around: rank, count: count, on: timeline)
        let timeline = timeline.opened(range)
        let window = Window(
            id, range: range, cursor: timeline.cursor, screen: screen, limit: limit, prefetch: prefetch)
        var reply = window.reply(on: timeline, rows: window.range, part: .whole, reason: .firstLoad)
        if timeline.tree.count > 0 {
            let y = timeline.screenTop(showing: place, rank: rank, screen: screen)
            reply.firstVisible = .init(row: timeline.tree.row(at: timeline.tree.rank(atY: y)).number, y: y)
        }
        return (window, reply)
    }

    /// The ranks that a window opens with.
    package static func ranks(around rank: Int, count: Int, on timeline: Timeline) -> Range<Int> {
        let (all, count) = (timeline.tree.count, min(count, timeline.tree.count))
        let start = max(0, min(rank - count / 2, all - count))
        return start..<start + count
    }

    /// Adds rows at one side, as far as there are any.
    package mutating func page(_ side: WindowSide, count: Int = 50, on timeline: Timeline) -> WindowReply {
        let ranks = ranks(at: side, count: count, on: timeline)
        range = min(range.lowerBound, ranks.lowerBound)..<max(range.upperBound, ranks.upperBound)
        return reply(
            on: timeline, rows: ranks, part: side == .older ? .older : .newer, reason: .pagination)
    }

    private func ranks(at side: WindowSide, count: Int, on timeline: Timeline) -> Range<Int> {
        let count = min(count, max(0, Limits.rowsPerWindow - range.count))
        switch side {
        case .older: return max(0, range.lowerBound - count)..<range.lowerBound
        case .newer: return range.upperBound..<min(timeline.tree.count, range.upperBound + count)
        }
    }

    /// The ranks that the answer to a page is made of: those of its rows, and one at the window's other end.
    package func ranksAsked(at side: WindowSide, count: Int, on timeline: Timeline) -> [Range<Int>] {
        let own = ranks(at: side, count: count, on: timeline)
        let end = side == .older ? range.upperBound : range.lowerBound
        return [own, end..<min(end + 1, timeline.tree.count)]
    }

    /// Cuts an answer that has room for some of its rows only: the window has no others either, and its client asks
    /// on.
    /// - Parameter kept: the rows that stay, as places in the reply.
    package mutating func cut(_ reply: inout WindowReply, to kept: Range<Int>, on timeline: Timeline) {
        guard kept.count < reply.rows.count else { return }
        let first = reply.part == .newer ? range.upperBound - reply.rows.count : range.lowerBound
        let ranks = first + kept.lowerBound..<first + kept.upperBound
        switch reply.part {
        case .whole: range = ranks
        case .older: range = ranks.lowerBound..<range.upperBound
        case .newer: range = range.lowerBound..<ranks.upperBound
        }
        let rows = Array(reply.rows[kept])
        let firstVisible = reply.firstVisible
        reply = self.reply(on: timeline, rows: ranks, part: reply.part, reason: reply.reason)
        (reply.rows, reply.firstVisible) = (rows, firstVisible)
    }

    /// The row of an answer that its reader sees first.
    package func start(of reply: WindowReply, on timeline: Timeline) -> AnswerCut.Start {
        switch reply.part {
        case .older: return .bottom
        case .newer: return .top
        case .whole:
            if let first = reply.firstVisible {
                let start = reply.rows.firstIndex { $0.number == first.row } ?? 0
                // Its top may be above that of the screen.
                var (end, rest) = (start, Int64(screen))
                while end < reply.rows.count, rest > 0 || end <= start + 1 {
                    rest -= Int64(reply.rows[end].height)
                    end += 1
                }
                return .around(start..<end)
            }
            if let anchor = anchors.first {
                let row = max(0, anchor.rank - range.lowerBound)
                return .around(row..<row + 1)
            }
            return range.upperBound == timeline.tree.count ? .bottom : .top
        }
    }

    /// Opens the same rows on another screen, on a timeline that has come as far. The anchored row stays where it is
    /// on the screen, if `y` is where the screen's top was: the reply's first visible row is chosen for that.
    package mutating func resize(
        on timeline: Timeline, from old: Timeline, screen: Int32, anchor: WindowAnchor?, y: Int64
    ) -> WindowReply {
        let tree = timeline.tree
        let count = range.count
        let first = range.isEmpty ? nil : tree.rank(of: old.tree.row(at: range.lowerBound).number)
        let start = min(first ?? range.lowerBound, max(0, tree.count - count))
        range = start..<min(tree.count, start + count)
        (self.screen, cursor) = (screen, timeline.cursor)
        var reply = reply(on: timeline, rows: range, part: .whole, reason: .style)
        if let anchor, let before = old.y(of: anchor), let after = timeline.y(of: anchor), tree.count > 0 {
            let top = after - (before - y)
            reply.firstVisible = .init(row: tree.row(at: tree.rank(atY: top)).number, y: top)
        }
        hold(anchors.map(\.anchor), on: timeline)
        return reply
    }

    /// All of its rows, for a client whose rows are not known.
    package func whole(on timeline: Timeline) -> WindowReply {
        reply(on: timeline, rows: range, part: .whole, reason: .firstLoad)
    }

    func reply(
        on timeline: Timeline, rows ranks: Range<Int>, part: WindowReply.Part, reason: ChangeReason
    ) -> WindowReply {
        let timeline = timeline.opened(ranks)
        let rows = timeline.rows(ranks)
        let frame = frame(on: timeline)
        return WindowReply(
            window: id, part: part, reason: reason, frame: frame, rows: rows,
            insertedAbove: part == .older ? rows.reduce(0) { $0 + Int64($1.height) } : 0, firstVisible: nil,
            contentFits: timeline.tree.height <= Int64(screen),
            prefetch: prefetch.hint(for: frame, bottom: timeline.tree.y(ofRank: range.upperBound), screen: screen))
    }

    package func frame(on timeline: Timeline) -> WindowFrame {
        let tree = timeline.tree
        return WindowFrame(
            cursor: timeline.cursor, edition: timeline.edition, isOld: timeline.isOld, rowsAbove: range.lowerBound,
            rowsBelow: tree.count - range.upperBound, top: tree.y(ofRank: range.lowerBound),
            extent: tree.top..<tree.bottom)
    }
}

// Anchors and trimming.
extension Window {
    /// Holds the anchors whose rows are there; every change set tells how far they move.
    package mutating func hold(_ anchors: [WindowAnchor], on timeline: Timeline) {
        self.anchors = anchors.prefix(Limits.anchorsPerWindow).compactMap { anchor in
            guard let rank = timeline.tree.rank(of: anchor.row) else { return nil }
            return Held(anchor: anchor, rank: rank, y: timeline.y(of: anchor, at: rank))
        }
    }

    /// Keeps at most so many rows, around a place between the first row (0) and the last (1); nil where nothing is to
    /// be done. The conversation stays as it was, so no anchor moves.
    package mutating func adjust(maxCount: Int, focus: Double, on timeline: Timeline) -> ChangeSet? {
        let excess = range.count - max(1, maxCount)
        guard excess > 0 else { return nil }
        let above = Int(Double(excess) * min(1, max(0, focus)))
        let below = excess - above
        let tree = timeline.tree
        let (start, end) = (range.lowerBound, range.upperBound)
        let cuts = [(at: range.count - below, ranks: end - below..<end), (at: 0, ranks: start..<start + above)]
        let changes = cuts.filter { !$0.ranks.isEmpty }.map { cut in
            let height = tree.y(ofRank: cut.ranks.upperBound) - tree.y(ofRank: cut.ranks.lowerBound)
            return WindowChange(
                .remove(at: cut.at, count: cut.ranks.count), heightDelta: -height, change: .geometry, reason: .trim)
        }
        range = start + above..<end - below
        return ChangeSet(
            window: id, since: cursor, changes: changes,
            anchors: anchors.map { AnchorDelta(anchor: $0.anchor, delta: 0) },
            frame: frame(on: timeline))
    }

    /// Trims as `adjust` does, when the window has become too long and the reader is not scrolling.
    package mutating func settle(focus: Double, on timeline: Timeline) -> ChangeSet? {
        guard !isBusy, range.count > limit.rows else { return nil }
        return adjust(maxCount: limit.afterTrimming, focus: focus, on: timeline)
    }
}

// Following.
extension Window {
    /// The client's share of the steps: only the new frame and the anchors if all of them were elsewhere. Nil if more
    /// rows came between its own than a window may hold: it has to be opened afresh.
    package mutating func follow(_ steps: [TreeStep], on timeline: Timeline) -> ChangeSet? {
        let since = cursor
        cursor = timeline.cursor
        var total = timeline.tree.count - steps.reduce(0) { $0 + $1.countDelta }
        var changes: [WindowChange] = []
        for step in steps {
            changes += take(step, total: total)
            for i in anchors.indices { anchors[i].rank = step.place(after: anchors[i].rank, total: total) }
            total += step.countDelta
        }
        if isOverrun { return nil }
        return ChangeSet(
            window: id, since: since, changes: changes, anchors: moveAnchors(on: timeline), frame: frame(on: timeline))
    }

    private mutating func moveAnchors(on timeline: Timeline) -> [AnchorDelta] {
        let tree = timeline.tree
        guard tree.count > 0 else {
            anchors = []
            return []
        }
        return anchors.indices.map { i in
            // If its row is gone, the row that came into its place takes over.
            anchors[i].rank = min(anchors[i].rank, tree.count - 1)
            anchors[i].anchor.row = tree.row(at: anchors[i].rank).number
            let y = timeline.y(of: anchors[i].anchor, at: anchors[i].rank)
            defer { anchors[i].y = y }
            return AnchorDelta(anchor: anchors[i].anchor, delta: y - anchors[i].y)
        }
    }

    /// - Parameter total: the number of rows of the timeline before the step.
    private mutating func take(_ step: TreeStep, total: Int) -> [WindowChange] {
        let change = { (kind: WindowChange.Kind) in
            [WindowChange(kind, heightDelta: step.heightDelta, change: step.change, reason: step.reason)]
        }
        let (start, end) = (range.lowerBound, range.upperBound)
        switch step.kind {
        case .insert(let rank, let rows):
            return insert(rows, at: rank, total: total, step)
        case .remove(let rank, _):
            range = start - (rank < start ? 1 : 0)..<end - (rank < end ? 1 : 0)
            return start..<end ~= rank ? change(.remove(at: rank - start, count: 1)) : []
        case .replace(let rank, let row):
            return start..<end ~= rank ? change(.replace(at: rank - start, WindowRow(row))) : []
        case .redecorate(let rank, let row):
            return start..<end ~= rank ? change(.redecorate(at: rank - start, WindowRow(row))) : []
        case .move(let from, let to, let row):
            let wasIn = start..<end ~= from
            range = start - (from < start ? 1 : 0)..<end - (from < end ? 1 : 0)
            let isIn = takes(to, total: total - 1)
            switch (wasIn, isIn) {
            case (true, true):
                defer { range = range.lowerBound..<range.upperBound + 1 }
                return change(.move(from: from - start, to: to - range.lowerBound, WindowRow(row)))
            case (true, false):
                if to <= range.lowerBound { range = range.lowerBound + 1..<range.upperBound + 1 }
                let gone = Int64(row.dress.height) - step.heightDelta
                return [
                    WindowChange(
                        .remove(at: from - start, count: 1), heightDelta: -gone, change: .geometry, reason: step.reason)
                ]
            case (false, _):
                return insert([row], at: to, total: total - 1, step)
            }
        }
    }

    /// Whether a new row at a rank belongs to the window: between two of its rows, or at an end of it that is an end
    /// of the conversation.
    private func takes(_ rank: Int, total: Int) -> Bool {
        let (start, end) = (range.lowerBound, range.upperBound)
        return start < rank && rank < end || rank == end && end == total || rank == 0 && start == 0
    }

    private mutating func insert(_ rows: [DressedRow], at rank: Int, total: Int, _ step: TreeStep) -> [WindowChange] {
        let (start, end) = (range.lowerBound, range.upperBound)
        let isInside = start < rank && rank < end
        let fits = end - start + rows.count <= Limits.rowsPerWindow
        isOverrun = isOverrun || isInside && !fits
        guard takes(rank, total: total), fits else {
            if rank <= start && !isInside { range = start + rows.count..<end + rows.count }
            return []
        }
        range = start..<end + rows.count
        return [
            WindowChange(
                .insert(at: rank - start, rows.map { WindowRow($0) }),
                heightDelta: rows.reduce(0) { $0 + Int64($1.dress.height) }, change: step.change, reason: step.reason)
        ]
    }
}
