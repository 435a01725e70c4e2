import MessageLayout
import Names
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

/// A hundred rows of forty pixels or so, of which the window has twenty.
private func opened(
    _ place: RowPlace, unreadFrom: Int64? = nil, count: Int = 20, rows: Int = 100
) throws -> (Timeline, Window, WindowReply) {
    var random = SplitMix64(seed: 4)
    let sealed = try random.sealedRows(rows)
    let timeline = Timeline(
        try RowTree(sealed, viewer: Viewer(unreadFrom: unreadFrom), sealed: 32), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let (window, reply) = try #require(
        Window.open(WindowID(1), on: timeline, around: place, count: count, screen: 600))
    return (timeline, window, reply)
}

@Test func `a window opens around the newest row, the first unread, a message, a date and a y`() throws {
    let (timeline, newest, reply) = try opened(.newest)
    #expect(newest.range == 80..<100)
    #expect(reply.frame.hasOlder && !reply.frame.hasNewer && !reply.contentFits)
    #expect(reply.firstVisible?.y == timeline.tree.bottom - 600)
    let row = timeline.tree.span(at: 50)
    for place in [
        RowPlace.row(row.row.number), .date(Timestamp(milliseconds: row.row.brief.milliseconds)), .y(row.top),
    ] {
        let (_, window, reply) = try opened(place)
        #expect(window.range == 40..<60)
        #expect(reply.firstVisible?.y == row.top)
        #expect(reply.firstVisible?.row == row.row.number)
    }
    let (unread, _, second) = try opened(.unread, unreadFrom: row.row.brief.order)
    let first = unread.tree.rank(ofOrder: row.row.brief.order)
    #expect(unread.tree.span(at: first).dress.hasUnreadLine)
    #expect(second.firstVisible?.y == unread.tree.y(ofRank: first))
}

@Test func `pages come at both sides, and say how high they are and whether there are more`() throws {
    let middle = try opened(.newest).0.tree.y(ofRank: 50)
    var (timeline, window, reply) = try opened(.y(middle), count: 50)
    var mirror = try WindowMirror(reply)
    #expect(reply.rows.count == 50 && reply.frame.hasOlder && reply.frame.hasNewer)
    let before = timeline.tree.y(ofRank: window.range.lowerBound)
    while reply.frame.hasOlder {
        let top = mirror.top(of: 0)
        reply = window.page(.older, count: 50, on: timeline)
        #expect(reply.reason == .pagination)
        try mirror.apply(reply)
        #expect(reply.insertedAbove > 0 && reply.insertedAbove == top - mirror.top(of: 0))
    }
    while reply.frame.hasNewer {
        reply = window.page(.newer, count: 50, on: timeline)
        #expect(reply.insertedAbove == 0)
        try mirror.apply(reply)
    }
    #expect(mirror.rows.count == 100)
    #expect(mirror.top(of: 0) == timeline.tree.top && mirror.bottom == timeline.tree.bottom)
    #expect(before > timeline.tree.top)
}

@Test func `a page is asked for before the last row that is here is seen`() throws {
    let (_, _, oldest) = try opened(.y(0))
    let (_, _, newest) = try opened(.newest)
    let (older, newer) = (try #require(newest.prefetch.older), try #require(oldest.prefetch.newer))
    #expect(try newer < WindowMirror(oldest).bottom)
    #expect(try older > WindowMirror(newest).top(of: 0))
}

@Test func `a window that is trimmed has as many rows as it should, wherever its reader is`() throws {
    for place in 0...20 {
        let (timeline, whole, _) = try opened(.y(0), count: 100)
        var window = whole
        window.limit = WindowLimit(rows: 50, afterTrimming: 40)
        _ = window.settle(focus: Double(place) / 20, on: timeline)
        #expect(window.range.count == 40, "\(place)")
    }
}

@Test(arguments: [(0.0, 0..<40), (0.5, 30..<70), (1.0, 60..<100)])
func `a window is trimmed away from the focus, once nobody scrolls, and says whether it was`(
    focus: Double, kept: Range<Int>
) throws {
    var (timeline, window, reply) = try opened(.y(0), count: 100)
    var mirror = try WindowMirror(reply)
    let numbers = mirror.rows[kept].map(\.number)
    window.limit = WindowLimit(rows: 50, afterTrimming: 40)
    window.isBusy = true
    #expect(window.settle(focus: focus, on: timeline) == nil)
    window.isBusy = false
    let settled = window.settle(focus: focus, on: timeline)
    let set = try #require(settled)
    try mirror.apply(set)
    #expect(mirror.rows.map(\.number) == numbers)
    #expect(mirror.top(of: 0) == timeline.tree.y(ofRank: kept.lowerBound))
    #expect(set.changes.allSatisfy { $0.reason == .trim })
    #expect(window.adjust(maxCount: 40, focus: focus, on: timeline) == nil)
}

@Test func `an insert into a full window may make it longer than it should be`() throws {
    var (timeline, window, _) = try opened(.newest, count: 100)
    window.limit = WindowLimit(rows: 100, afterTrimming: 80)
    var random = SplitMix64(seed: 5)
    let new = try random.sealedRow(9, order: 1_000, time: 1_774_692_000_000)
    let steps = timeline.apply([.put(NewRow(new, target: 0))], upTo: Stamp(2))
    let followed = window.follow(steps, on: timeline)
    let set = try #require(followed)
    #expect(window.range.count == 101)
    #expect(set.changes.first?.reason == .live)
    #expect(set.anchors.isEmpty)
    #expect(window.settle(focus: 1, on: timeline)?.frame.rowsAbove == 21)
}

@Test func `exact extents are known above and below, and any y or message is found, loaded or not`() throws {
    let (timeline, window, reply) = try opened(.newest)
    let tree = timeline.tree
    #expect(reply.frame.extent == tree.top..<tree.bottom)
    let heights = timeline.heights(tree.top..<tree.bottom, of: window.id)
    #expect(heights.rank == 0 && heights.heights == tree.spans(0..<100).map(\.row.height))
    let some = timeline.heights(tree.y(ofRank: 30)..<tree.y(ofRank: 33), of: window.id)
    #expect(some.rank == 30 && some.heights.count == 3 && some.top == tree.y(ofRank: 30))
    let place = try #require(timeline.place(at: tree.rank(atY: some.top), of: window.id))
    #expect(place.rank == 30 && place.top == some.top)
    #expect(timeline.rows([place.row.number]).map(\.rank) == [30])
}

@Test func `on another screen a window has the same rows, and what is anchored stands where it stood`() throws {
    var random = SplitMix64(seed: 6)
    let rows = try random.sealedRows(100)
    func timeline(_ column: Int) throws -> Timeline {
        Timeline(
            try RowTree(rows, column: column, sealed: 32), edition: try EditionID("0a"),
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    }
    let (old, new) = (try timeline(0), try timeline(1))
    let opened = try #require(Window.open(WindowID(1), on: old, around: .y(900), count: 30, screen: 600))
    var window = opened.window
    let mirror = try WindowMirror(opened.reply)
    let anchor = WindowAnchor(row: mirror.rows[12].number, edge: .top)
    let before = try #require(mirror.y(of: anchor))
    let reply = window.resize(on: new, from: old, screen: 500, anchor: anchor, y: before - 70)
    let after = try WindowMirror(reply)
    #expect(after.rows.map(\.number) == mirror.rows.map(\.number))
    #expect(after.rows.map(\.height) != mirror.rows.map(\.height))
    #expect(after.y(of: anchor) == (reply.firstVisible?.y ?? 0) + 70)
}

@Test func `a reply of an edition that is served no more says so`() throws {
    var (timeline, window, reply) = try opened(.newest)
    #expect(!reply.frame.isOld)
    timeline.isOld = true
    #expect(window.page(.older, on: timeline).frame.isOld)
}

@Test func `a hint says where the next page is asked for, sooner in fast scrolling, or at the very top`() throws {
    let edition = try EditionID("0a")
    let frame = { (above: Int, below: Int) in
        WindowFrame(
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)), edition: edition, isOld: false,
            rowsAbove: above, rowsBelow: below, top: 1_000, extent: 0..<100_000)
    }
    let policy = PrefetchPolicy(edge: 50, tenthsOfScreen: 0)
    #expect(policy.hint(for: frame(1, 1), bottom: 11_000, screen: 600) == PrefetchHint(older: 1_500, newer: 10_500))
    #expect(policy.hint(for: frame(0, 0), bottom: 11_000, screen: 600) == PrefetchHint(older: nil, newer: nil))
    let screens = PrefetchPolicy(tenthsOfScreen: 20)
    #expect(screens.hint(for: frame(1, 1), bottom: 11_000, screen: 600).older == 2_200)
    let fast = screens.hint(for: frame(1, 1), bottom: 11_000, screen: 600, velocity: 20_000)
    #expect(fast == PrefetchHint(older: 2_200, newer: 5_000))
    #expect(fast.sides(showing: 4_500..<5_100) == [.newer])
    let top = PrefetchPolicy(olderAtTopOnly: true)
    #expect(top.hint(for: frame(1, 1), bottom: 11_000, screen: 600).older == 1_000)
}
