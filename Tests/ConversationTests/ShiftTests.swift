import MessageLayout
import Names
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

/// A conversation whose orders leave room for more rows in between, and a window of it.
private struct Scene {
    var timeline: Timeline
    var window: Window
    var mirror: WindowMirror
    private var random = SplitMix64(seed: 9)
    private var stamp: UInt64 = 1

    /// Rows at the orders 100, 200 and so on, of which the window has twenty in the middle.
    init() throws {
        let orders = (1...100).map { Int64($0) * 100 }
        var rows: [NewRow] = []
        for order in orders { rows.append(try random.row(order)) }
        timeline = Timeline(
            try RowTree(
                opening: [], then: rows, style: .manifold, viewer: Viewer(), own: nil, target: SplitMix64.targets[0]),
            edition: try EditionID("0a"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
        let middle = RowPlace.row(MessageNumber(5_000))
        let opened = try #require(Window.open(WindowID(1), on: timeline, around: middle, count: 20, screen: 600))
        (window, mirror) = (opened.window, try WindowMirror(opened.reply))
    }

    /// Puts rows at these orders; a row that is there already comes again in another height.
    mutating func put(_ orders: some Sequence<Int64>) throws -> ChangeSet {
        try change(orders.map { .put(try random.row($0)) })
    }

    mutating func change(_ changes: [RowChange]) throws -> ChangeSet {
        stamp += 1
        let steps = timeline.apply(changes, upTo: Stamp(stamp))
        let followed = window.follow(steps, on: timeline)
        let set = try #require(followed)
        try mirror.apply(set)
        return set
    }

    /// How far the rows of the window are below its first one.
    var tops: [MessageNumber: Int64] {
        let places = mirror.rows.indices.map { (mirror.rows[$0].number, mirror.top(of: $0) - mirror.frame.top) }
        return Dictionary(uniqueKeysWithValues: places)
    }
}

extension SplitMix64 {
    fileprivate mutating func row(_ order: Int64) throws -> NewRow {
        NewRow(try sealedRow(order, order: order, time: 1_774_692_000_000 + order * 500), target: 0)
    }
}

extension ChangeSet {
    fileprivate var height: Int64 { changes.reduce(0) { $0 + $1.heightDelta } }
}

@Test func `many rows that come between two are one change, and what is below moves once, by their sum`() throws {
    var scene = try Scene()
    let before = scene.tops
    let set = try scene.put(5_001...5_030)
    let inserts = set.changes.compactMap { change -> (rows: [WindowRow], height: Int64)? in
        guard case .insert(_, let rows) = change.kind else { return nil }
        return (rows, change.heightDelta)
    }
    #expect(inserts.count == 1)
    let (rows, height) = try #require(inserts.first)
    #expect(rows.map(\.order) == Array(5_001...5_030))
    #expect(height == rows.reduce(0) { $0 + Int64($1.height) })
    let first = try #require(scene.mirror.index(of: MessageNumber(5_001)))
    #expect(scene.mirror.rows.dropFirst(first).prefix(30).map(\.number) == rows.map(\.number))
    // The row right below them may be dressed in another way.
    for (number, top) in scene.tops where number != MessageNumber(5_100) {
        guard let old = before[number] else { continue }
        #expect(top == old + (number.number > 5_100 ? set.height : 0), "\(number)")
    }
}

@Test func `a conversation is as much higher as what changes in it, with rows below that are not loaded`() throws {
    var scene = try Scene()
    #expect(scene.mirror.frame.hasNewer && scene.mirror.frame.hasOlder)
    for orders in [[5_050], [5_000], [4_950, 5_010, 5_020]] as [[Int64]] {
        let before = scene.mirror.frame.extent.count
        let set = try scene.put(orders)
        #expect(set.height != 0)
        #expect(set.frame.extent.count == before + Int(set.height), "\(orders)")
    }
    let before = scene.mirror.frame.extent.count
    let removal = try scene.change([.removed(MessageNumber(5_050))])
    #expect(removal.height < 0 && removal.frame.extent.count == before + Int(removal.height))
    // A row outside of the window counts, too: a scroll bar needs the height, though no row of the window changes.
    let elsewhere = try scene.put([20_000])
    #expect(elsewhere.changes.isEmpty && elsewhere.frame.extent.count == Int(scene.timeline.tree.height))
    #expect(elsewhere.frame.extent.count > removal.frame.extent.count)
}

@Test func `a row that is pushed stands where all ended, and costs no more the more there are`() throws {
    var random = SplitMix64(seed: 3)
    var tree = RowTree(style: .manifold, viewer: Viewer(), own: nil, target: SplitMix64.targets[0])
    tree.insert([try random.row(0)])
    for order in 1...3_000 as ClosedRange<Int64> {
        let (last, bottom) = (tree.count - 1, tree.bottom)
        let steps = tree.insert([try random.row(order)])
        let span = tree.span(at: last + 1)
        // The row before it may be dressed in another way.
        let redressed = steps.dropFirst().reduce(0) { $0 + $1.heightDelta }
        guard span.top == bottom + redressed, tree.bottom == span.top + Int64(span.row.height) else {
            Issue.record("the row \(order) does not stand where all ended")
            return
        }
    }
    // The cost of a push is bounded: the sizes of leaves and branches, and the number of branches above a leaf.
    #expect(tree.root.isWithinLimits && tree.root.depth <= 3)
}

extension TreeNode {
    fileprivate var isWithinLimits: Bool {
        rows.count <= TreeNode.mostRows && children.count <= TreeNode.mostChildren
            && children.allSatisfy(\.isWithinLimits)
    }

    fileprivate var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
}
