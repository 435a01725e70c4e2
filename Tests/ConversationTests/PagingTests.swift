import MessageLayout
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

/// Rows of a hundred pixels or so, of which the window has some.
private struct Paging {
    let timeline: Timeline
    var window: Window
    let opened: WindowReply

    init(_ place: RowPlace = .newest, count: Int, rows: Int = 100, screen: Int32 = 600) throws {
        var random = SplitMix64(seed: 4)
        timeline = Timeline(
            try RowTree(random.sealedRows(rows), sealed: 32), edition: try EditionID("0a"),
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
        (window, opened) = try #require(
            Window.open(WindowID(1), on: timeline, around: place, count: count, screen: screen))
    }

    /// A window in the middle of its conversation.
    static func inTheMiddle(count: Int = 20) throws -> Paging {
        let row = try Paging(count: 1).timeline.tree.row(at: 50).number
        return try Paging(.row(row), count: count)
    }

    mutating func page(_ side: WindowSide, count: Int) -> WindowReply { window.page(side, count: count, on: timeline) }
}

@Test(arguments: WindowSide.allCases)
func `a page has as many rows as were asked for at that side, and stands next to those that are there`(
    side: WindowSide
) throws {
    for count in [1, 2, 7, 30] {
        var paging = try Paging.inTheMiddle()
        var mirror = try WindowMirror(paging.opened)
        let edge = side == .older ? mirror.top(of: 0) : mirror.bottom
        let page = paging.page(side, count: count)
        #expect(page.rows.count == count)
        try mirror.apply(page)
        #expect(mirror.rows.count == 20 + count)
        #expect((side == .older ? mirror.bottom(of: count - 1) : mirror.top(of: 20)) == edge)
    }
}

@Test func `a reply says whether a window is opened or has a page more, at which side, and how high that is above`()
    throws
{
    var paging = try Paging.inTheMiddle()
    let opened = paging.opened
    #expect(opened.part == .whole && opened.reason == .firstLoad)
    #expect(opened.firstVisible != nil && opened.insertedAbove == 0)
    let older = paging.page(.older, count: 10)
    #expect(older.part == .older && older.reason == .pagination)
    #expect(older.insertedAbove == older.rows.reduce(0) { $0 + Int64($1.height) } && older.insertedAbove > 0)
    let newer = paging.page(.newer, count: 10)
    #expect(newer.part == .newer && newer.reason == .pagination && newer.insertedAbove == 0)
    #expect(older.firstVisible == nil && newer.firstVisible == nil)
}

@Test func `the height of a conversation is known when it is opened, and no page changes it`() throws {
    var paging = try Paging.inTheMiddle()
    var mirror = try WindowMirror(paging.opened)
    let extent = mirror.frame.extent
    for _ in 0..<10 {
        for side in WindowSide.allCases {
            try mirror.apply(paging.page(side, count: 10))
            #expect(mirror.frame.extent == extent)
        }
    }
    #expect(!mirror.frame.hasOlder && !mirror.frame.hasNewer)
    #expect(mirror.top(of: 0) == extent.lowerBound && mirror.bottom == extent.upperBound)
}

@Test func `a conversation fits where all of it is no higher than the screen, however much of it is loaded`() throws {
    let height = Int32(try Paging(count: 1, rows: 10).timeline.tree.height)
    for count in [1, 3, 10] {
        for (screen, fits) in [(height - 1, false), (height, true), (height + 1, true)] {
            let opened = try Paging(count: count, rows: 10, screen: screen).opened
            #expect(opened.contentFits == fits, "\(count) rows, \(screen) of \(height) px")
        }
    }
}

@Test func `what is drawn in a row comes into it where the row is as high as was said, and moves nothing`() throws {
    let paging = try Paging(count: 20)
    var mirror = try WindowMirror(paging.opened)
    let before = mirror
    var late = mirror.rows[7]
    late.body = .init(
        decoration: Decoration(
            variant: .other, series: .single, height: late.height, gapAbove: 0, gapBelow: 0,
            content: PixelRect(left: 0, top: late.lead, width: 300, height: late.strip),
            bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false)), layout: [7])
    var other = late
    other.height += 40
    mirror.fill([other])
    #expect(mirror == before, "of another height, it is of another moment")
    mirror.fill([late])
    #expect(mirror.rows[7].body == late.body)
    #expect(mirror.rows.indices.allSatisfy { mirror.top(of: $0) == before.top(of: $0) })
    #expect(mirror.bottom == before.bottom && mirror.rows.map(\.height) == before.rows.map(\.height))
}
