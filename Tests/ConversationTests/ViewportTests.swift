import MessageLayout
import TestSupport
import Testing
import Wire

@testable import Conversation

/// A conversation of forty rows, all of them loaded, to be changed.
private struct Scene {
    var timeline: Timeline
    var window: Window
    var mirror: WindowMirror
    var random = SplitMix64(seed: 8)

    init(rows: Int = 40) throws {
        let sealed = try random.sealedRows(rows)
        timeline = Timeline(
            try RowTree(sealed), edition: try EditionID("0a"),
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
        let opened = try #require(
            Window.open(WindowID(1), on: timeline, around: .newest, count: rows, screen: 600))
        (window, mirror) = (opened.window, try WindowMirror(opened.reply))
    }

    /// Adds rows with the orders from this one on, and returns the window as it was before.
    mutating func add(_ count: Int, from order: Int64) throws -> WindowMirror {
        let old = mirror
        let rows = try (0..<Int64(count)).map {
            try random.sealedRow(order + $0, order: order + $0, time: 1_774_692_000_000 + (order + $0) * 1000)
        }
        let steps = timeline.apply(rows.map { .put(NewRow($0, target: 0)) }, upTo: Stamp(2))
        let set = window.follow(steps, on: timeline)
        try mirror.apply(try #require(set))
        return old
    }

    var extent: Range<Int64> { mirror.frame.extent }
}

@Test func `the end stays in sight while it is seen, and what is read stays where it is otherwise`() throws {
    var scene = try Scene()
    var viewport = Viewport(height: 600, top: 0)
    viewport.scroll(to: .max / 4, in: scene.extent)
    viewport.clamp(to: scene.extent)
    #expect(viewport.isAtBottom(of: scene.extent))
    viewport.follow(from: try scene.add(1, from: 1_000), to: scene.mirror)
    #expect(viewport.isAtBottom(of: scene.extent))

    viewport.scroll(to: 300, in: scene.extent)
    let row = scene.mirror.rows[scene.mirror.rows(in: viewport.visible).lowerBound + 1].number
    let before = try #require(scene.mirror.y(of: WindowAnchor(row: row))) - viewport.top
    viewport.follow(from: try scene.add(5, from: -20), to: scene.mirror)
    viewport.follow(from: try scene.add(1, from: 2_000), to: scene.mirror)
    #expect(try #require(scene.mirror.y(of: WindowAnchor(row: row))) - viewport.top == before)
}

@Test func `a new message goes to the top of the screen where that is wanted, and stays while others follow`() throws {
    var scene = try Scene()
    var viewport = Viewport(height: 600, top: scene.extent.upperBound - 600, policy: .pinNewToTop)
    viewport.follow(from: try scene.add(1, from: 1_000), to: scene.mirror)
    let pinned = scene.mirror.rows.count - 1
    #expect(viewport.top == scene.mirror.top(of: pinned))
    viewport.policy = .hold(WindowAnchor(row: scene.mirror.rows[pinned].number, edge: .top))
    let content = scene.mirror.content(of: pinned).lowerBound - viewport.top
    viewport.follow(from: try scene.add(30, from: 1_001), to: scene.mirror)
    #expect(scene.mirror.content(of: pinned).lowerBound - viewport.top == content)
}

@Test func `the first unread message is followed to the top of the screen`() throws {
    var scene = try Scene()
    var viewport = Viewport(height: 600, top: scene.extent.upperBound - 600, policy: .followUnread(order: 1_000))
    viewport.follow(from: try scene.add(60, from: 1_000), to: scene.mirror)
    let first = try #require(scene.mirror.rows.firstIndex { $0.order >= 1_000 })
    #expect(viewport.visible.lowerBound == scene.mirror.top(of: first))
}

@Test(arguments: [Viewport.Gravity.top, .bottom])
func `rows that are less high than the screen stand where gravity pulls them`(gravity: Viewport.Gravity) throws {
    let scene = try Scene(rows: 2)
    var viewport = Viewport(height: 6_000, top: 77, gravity: gravity)
    viewport.clamp(to: scene.extent)
    switch gravity {
    case .top: #expect(viewport.visible.lowerBound == scene.extent.lowerBound)
    case .bottom: #expect(viewport.visible.upperBound == scene.extent.upperBound)
    }
}

@Test func `covers add up by reason, and saying one twice changes nothing`() throws {
    let scene = try Scene()
    var viewport = Viewport(height: 600, top: scene.extent.upperBound - 600)
    viewport.cover("keyboard", .init(bottom: 200), in: scene.extent)
    viewport.cover("composer", .init(bottom: 50), in: scene.extent)
    viewport.cover("keyboard", .init(bottom: 200), in: scene.extent)
    viewport.cover("banner", .init(top: 30), in: scene.extent)
    #expect(viewport.insets.sum == .init(top: 30, bottom: 250))
    #expect(viewport.visible.upperBound == scene.extent.upperBound)
    #expect(viewport.visible.count == 600 - 280)
    viewport.cover("keyboard", .zero, in: scene.extent)
    #expect(viewport.visible.upperBound == scene.extent.upperBound)
}

@Test func `a message that comes stands above what covers the end`() throws {
    var scene = try Scene()
    var viewport = Viewport(height: 600, top: scene.extent.upperBound - 600)
    viewport.cover("keyboard", .init(bottom: 200), in: scene.extent)
    viewport.follow(from: try scene.add(1, from: 1_000), to: scene.mirror)
    #expect(viewport.visible.upperBound == scene.extent.upperBound && viewport.isAtBottom(of: scene.extent))
}

@Test func `what covers a list that stands on its head covers the same of it`() throws {
    let scene = try Scene()
    let seen = [Viewport.Axis.down, .up].map { axis in
        var viewport = Viewport(height: 600, top: scene.extent.upperBound - 600, axis: axis)
        viewport.cover("keyboard", .init(bottom: 200), in: scene.extent)
        viewport.cover("banner", .init(top: 30), in: scene.extent)
        return viewport.visible
    }
    #expect(seen[0] == seen[1] && seen[0].upperBound == scene.extent.upperBound && seen[0].count == 370)
}

@Test func `a list that stands on its head counts from its end, and sees the same`() throws {
    var scene = try Scene()
    var (down, up) = (Viewport(height: 600, top: 100), Viewport(height: 600, top: 100, axis: .up))
    #expect(down.scrollOffset(in: scene.extent) == 100 - scene.extent.lowerBound)
    #expect(up.scrollOffset(in: scene.extent) == scene.extent.upperBound - 700)
    up.scroll(to: up.scrollOffset(in: scene.extent), in: scene.extent)
    let old = try scene.add(5, from: -20)
    let offset = up.scrollOffset(in: old.frame.extent)
    down.follow(from: old, to: scene.mirror)
    up.follow(from: old, to: scene.mirror)
    #expect(down.visible == up.visible)
    // Counted from the end, nothing moves when older rows come.
    #expect(up.scrollOffset(in: scene.extent) == offset)
}
