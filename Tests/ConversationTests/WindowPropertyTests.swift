import MessageLayout
import Record
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `windows hold what they would hold if they were opened afresh, through ten thousand changes`() {
    forEachSeed(2) { random in
        var stage = try Stage(using: &random)
        for step in 0..<10_000 {
            guard try stage.step(Int64(step), using: &random) else { return false }
            guard try step % 100 > 0 || stage.isAsAfresh() else { return false }
        }
        return try stage.isAsAfresh()
    }
}

@Test func `rows follow each other without a gap, and are as high as their decorations`() {
    forEachSeed(20) { random in
        var stage = try Stage(using: &random)
        for step in 0..<200 {
            guard try stage.step(Int64(step), using: &random) else { return false }
        }
        let tree = stage.timeline.tree
        let spans = tree.spans(0..<tree.count)
        return zip(spans, spans.dropFirst()).allSatisfy { $0.bottom == $1.top }
            && spans.map(\.row.height) == tree.decorations().map(\.height)
            && spans.reduce(0) { $0 + Int64($1.row.height) } == tree.bottom - tree.top
    }
}

@Test func `what is anchored moves as far as the change set says, and not at all on the screen`() {
    forEachSeed(20) { random in
        var stage = try Stage(using: &random)
        for step in 0..<200 {
            let old = stage.clients
            guard try stage.step(Int64(step), using: &random) else { return false }
            for (old, new) in zip(old, stage.clients) {
                // Where the row of an anchor is gone, another row has taken over.
                let held = Set(old.window.anchors.map(\.anchor))
                for delta in new.deltas where held.contains(delta.anchor) {
                    guard let before = old.mirror.y(of: delta.anchor), let after = new.mirror.y(of: delta.anchor)
                    else { continue }
                    guard after - before == delta.delta else { return false }
                    var viewport = Viewport(height: 100, top: before - 30, policy: .hold(delta.anchor))
                    viewport.follow(from: old.mirror, to: new.mirror)
                    var unbounded = Viewport(height: 100, top: after - 30)
                    unbounded.clamp(to: new.mirror.frame.extent)
                    guard viewport.top == unbounded.top else { return false }
                }
            }
        }
        return true
    }
}

/// A timeline, and clients that hold windows of it.
private struct Stage {
    var timeline: Timeline
    var clients: [Client] = []
    var rows: [SealedRow]

    struct Client {
        var window: Window
        var mirror: WindowMirror
        var deltas: [AnchorDelta] = []
    }

    init(using random: inout SplitMix64) throws {
        rows = try random.sealedRows(80)
        timeline = Timeline(
            try RowTree(rows, viewer: random.viewer(), own: random.own(), sealed: 16), edition: try EditionID("0a"),
            cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(5)))
        for (i, place) in [RowPlace.newest, .unread, .y(-400), .date(rows[20].time)].enumerated() {
            guard
                let (window, reply) = Window.open(
                    WindowID(UInt32(i)), on: timeline, around: place, count: 10 + 10 * i, screen: 900)
            else { continue }
            clients.append(Client(window: window, mirror: try WindowMirror(reply)))
        }
    }

    /// One tick of random changes, which every client hears of; then each may page, trim or anchor.
    mutating func step(_ step: Int64, using random: inout SplitMix64) throws -> Bool {
        let before = timeline.tree.height
        var collector = ChangeCollector()
        for i in 0..<Int64.random(in: 0...3, using: &random) {
            for change in try change(10 * step + i, using: &random) { collector.add(change) }
        }
        var steps = timeline.apply(collector.take(), upTo: Stamp(UInt64(step) + 6))
        if Int.random(in: 0...9, using: &random) == 0 {
            steps += timeline.read(from: .random(in: 0...100, using: &random))
        }
        guard before + steps.reduce(0, { $0 + $1.heightDelta }) == timeline.tree.height else { return false }
        for i in clients.indices {
            let height = clients[i].mirror.rows.reduce(0) { $0 + Int64($1.height) }
            guard let set = clients[i].window.follow(steps, on: timeline) else { return false }
            try clients[i].mirror.apply(set)
            clients[i].deltas = set.anchors
            let delta = set.changes.reduce(0) { $0 + $1.heightDelta }
            guard clients[i].mirror.rows.reduce(0, { $0 + Int64($1.height) }) == height + delta else { return false }
            try act(i, using: &random)
        }
        return true
    }

    private mutating func act(_ i: Int, using random: inout SplitMix64) throws {
        switch Int.random(in: 0...19, using: &random) {
        case 0: try clients[i].mirror.apply(clients[i].window.page(.older, count: 7, on: timeline))
        case 1: try clients[i].mirror.apply(clients[i].window.page(.newer, count: 7, on: timeline))
        case 2:
            let focus = Double.random(in: 0...1, using: &random)
            guard let set = clients[i].window.adjust(maxCount: 12, focus: focus, on: timeline) else { return }
            try clients[i].mirror.apply(set)
        case 3:
            let held = clients[i].mirror.rows.indices.filter { _ in Int.random(in: 0...9, using: &random) == 0 }
            let edges = WindowAnchor.Edge.allCases
            clients[i].window.hold(
                held.map {
                    WindowAnchor(row: clients[i].mirror.rows[$0].number, edge: edges[$0 % 2], offset: Int32($0))
                }, on: timeline)
        default: break
        }
    }

    private mutating func change(_ step: Int64, using random: inout SplitMix64) throws -> [RowChange] {
        let orders = (rows.first?.order ?? 0) - 3...(rows.last?.order ?? 0) + 3
        var new = try random.sealedRow(
            50_000_000 + step, order: .random(in: orders, using: &random),
            time: 1_774_692_000_000 + Int64.random(in: 0...90_000_000, using: &random))
        let kinds = rows.count > 150 ? 3...5 : 0...5
        switch rows.isEmpty ? 0 : Int.random(in: kinds, using: &random) {
        case 0, 1:
            rows.place(new)
            return [.put(NewRow(new, target: 0))]
        case 2:
            new.order = orders.upperBound
            rows.place(new)
            return [.put(NewRow(new, target: 0))]
        case 3:
            let rank = Int.random(in: rows.indices, using: &random)
            (new.number, new.message) = (rows[rank].number, rows[rank].message)
            if Bool.random(using: &random) { new.order = rows[rank].order }
            rows.remove(at: rank)
            rows.place(new)
            return [.put(NewRow(new, target: 0), reason: .edit)]
        default:
            return [.removed(rows.remove(at: .random(in: rows.indices, using: &random)).number)]
        }
    }

    /// Whether the state after all steps equals one that is made afresh of the same rows.
    func isAsAfresh() throws -> Bool {
        let tree = timeline.tree
        let fresh = try RowTree(
            opening: [], then: rows.map { NewRow($0, target: 0) }, style: .manifold, viewer: tree.viewer,
            own: tree.own, target: tree.target, originOrder: tree.originOrder)
        let other = Timeline(fresh, edition: timeline.edition, cursor: timeline.cursor)
        return try clients.allSatisfy { client in
            let window = Window(
                client.window.id, range: client.window.range, cursor: timeline.cursor, screen: 900,
                limit: WindowLimit(), prefetch: PrefetchPolicy())
            return try client.mirror
                == WindowMirror(window.reply(on: other, rows: window.range, part: .whole, reason: .firstLoad))
        }
    }
}
