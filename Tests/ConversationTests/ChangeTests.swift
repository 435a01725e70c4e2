import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `of many changes of a message within a tick one is told, and the last counts`() throws {
    var random = SplitMix64(seed: 2)
    var (first, second) = (try random.sealedRow(1, order: 5, time: 0), try random.sealedRow(2, order: 6, time: 0))
    var collector = ChangeCollector()
    collector.add(.put(NewRow(first, target: 0)))
    collector.add(.put(NewRow(second, target: 0)))
    first.heights = first.heights.map { _ in ContentHeights(all: 300) }
    collector.add(.put(NewRow(first, target: 0), content: .appearance, reason: .edit))
    collector.add(.removed(second.number))
    #expect(
        collector.take() == [
            .put(NewRow(first, target: 0), content: .geometry, reason: .live), .removed(second.number),
        ])
    #expect(collector.isEmpty)
}

@Test func `a change says what is different: nothing, the looks of a row, or where things stand`() throws {
    var random = SplitMix64(seed: 2)
    var row = try random.sealedRow(1, order: 5, time: 0)
    (row.look, row.heights) = (RowLook(template: "message"), row.heights.map { _ in ContentHeights(all: 80) })
    var tree = try RowTree([row], own: row.sender)
    func change(_ content: ChangeClass) -> ChangeClass? {
        tree.replace(at: 0, with: NewRow(row, target: 0), content: content).first?.change
    }
    #expect(change(.equal) == .equal)
    #expect(change(.appearance) == .appearance)
    row.look.hasFailed = true
    #expect(change(.equal) == .appearance)
    row.sender = try SenderID("somebody else")
    #expect(change(.equal) == .geometry, "it stands at the other side")
    row.look.template = "line"
    #expect(change(.equal) == .geometry)
    row.heights = row.heights.map { _ in ContentHeights(all: 90) }
    #expect(change(.equal) == .geometry)
}

@Test func `an insert is told with its row, and with the neighbours that are dressed in another way`() throws {
    var random = SplitMix64(seed: 2)
    func row(_ order: Int64, at seconds: Int64) throws -> SealedRow {
        var row = try random.sealedRow(order, order: order, time: 1_774_692_000_000 + seconds * 1000)
        (row.sender, row.look) = (try SenderID("ada"), RowLook(template: "message"))
        return row
    }
    // A row that comes between two series makes them one.
    var tree = try RowTree([row(1, at: 0), row(5, at: 200), row(9, at: 9_000)])
    let steps = tree.insert([NewRow(try row(3, at: 100), target: 0)])
    #expect(steps.count == 3)
    guard case .insert(at: 1, let rows) = steps[0].kind, case .redecorate(at: 0, let upper) = steps[1].kind,
        case .redecorate(at: 2, let lower) = steps[2].kind
    else {
        Issue.record("\(steps)")
        return
    }
    #expect(rows[0].dress.series == .middle && upper.dress.series == .first && lower.dress.series == .last)
}

@Test func `windows that fell behind learn what happened since, as long as it is known`() throws {
    var random = SplitMix64(seed: 3)
    var timeline = Timeline(
        try RowTree(random.sealedRows(20)), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let opened = try #require(Window.open(WindowID(1), on: timeline, around: .newest, screen: 600))
    var (window, mirror) = (opened.window, try WindowMirror(opened.reply))
    for i in 0..<30 {
        let row = try random.sealedRow(5_000 + Int64(i), order: 100 + Int64(i), time: 1_774_692_000_000)
        timeline.apply([.put(NewRow(row, target: 0))], upTo: Stamp(UInt64(i) + 2))
    }
    timeline.read(from: 110)
    let steps = try #require(timeline.steps(since: mirror.frame.cursor))
    let set = window.follow(steps, on: timeline)
    try mirror.apply(try #require(set))
    #expect(try WindowMirror(window.reply(on: timeline, rows: window.range, part: .whole, reason: .live)) == mirror)
    #expect(timeline.steps(since: timeline.cursor) == [])
    #expect(timeline.steps(since: WindowCursor(epoch: LeaseEpoch(2), stamp: Stamp(1))) == nil)
    for i in 0..<2_000 {
        timeline.apply([.removed(timeline.tree.row(at: 0).number, reason: .live)], upTo: Stamp(UInt64(i) + 90))
        let row = try random.sealedRow(50_000 + Int64(i), order: 100 + Int64(i), time: 1_774_692_000_000)
        timeline.apply([.put(NewRow(row, target: 0))], upTo: Stamp(UInt64(i) + 90))
    }
    #expect(timeline.steps(since: mirror.frame.cursor) == nil)
}

@Test func `changes without a step are kept in the same number as steps`() throws {
    var random = SplitMix64(seed: 3)
    var timeline = Timeline(
        try RowTree(random.sealedRows(20)), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let first = timeline.cursor
    // The reader has read all that is there, and says so again and again.
    let order = timeline.tree.row(at: 19).position.order + 1
    for i in 0..<Timeline.mostSteps {
        let steps = timeline.read(from: order + Int64(i))
        #expect(steps.isEmpty)
    }
    #expect(timeline.steps(since: first) == [])
    let last = timeline.cursor
    timeline.read(from: nil)
    #expect(timeline.steps(since: first) == nil && timeline.steps(since: last) == [])
}

@Test func `a change set for another moment changes nothing`() throws {
    var random = SplitMix64(seed: 3)
    var timeline = Timeline(
        try RowTree(random.sealedRows(20)), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let opened = try #require(Window.open(WindowID(1), on: timeline, around: .newest, screen: 600))
    var (window, mirror) = (opened.window, try WindowMirror(opened.reply))
    let steps = timeline.apply([.removed(timeline.tree.row(at: 19).number)], upTo: Stamp(2))
    let followed = window.follow(steps, on: timeline)
    let set = try #require(followed)
    try mirror.apply(set)
    let before = mirror
    #expect(throws: MirrorError.outOfStep) { try mirror.apply(set) }
    #expect(mirror == before)
}
