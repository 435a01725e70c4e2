import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Typography
import Wire

@testable import Conversation

@Test func `a change set of which one change does not fit is not done at all`() throws {
    var random = SplitMix64(seed: 3)
    let timeline = Timeline(
        try RowTree(random.sealedRows(20)), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    let opened = try #require(Window.open(WindowID(1), on: timeline, around: .newest, screen: 600))
    var mirror = try WindowMirror(opened.reply)
    let before = mirror
    func change(_ kind: WindowChange.Kind) -> WindowChange {
        WindowChange(kind, heightDelta: 0, change: .geometry, reason: .live)
    }
    var frame = before.frame
    frame.cursor = WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(2))
    let set = ChangeSet(
        window: WindowID(1), since: before.frame.cursor,
        changes: [
            change(.remove(at: 0, count: 3)), change(.insert(at: 0, [before.rows[9]])),
            change(.replace(at: 20, before.rows[1])),
        ], anchors: [], frame: frame)
    #expect(throws: MirrorError.noSuchRow(20)) { try mirror.apply(set) }
    #expect(mirror == before && mirror.rows(in: mirror.frame.extent) == 0..<20)
}

@Test func `lines that come after others leave a row its message and the files of its fonts`() throws {
    var random = SplitMix64(seed: 3)
    var encoder = RecordEncoder()
    var cutter = RecordCutter()
    var (record, row): ([UInt8], [UInt8]) = ([], [])
    try encoder.encode(BubbleComposer.sheet(of: .monospaced(String(repeating: "word ", count: 99))), into: &record)
    try cutter.cut(LayoutRecord(record), target: 0, variant: 0, upTo: .newest, into: &row)
    let lines = try RowLines(row)
    #expect(lines.lineCount > 1)
    let decoration = Decoration(
        variant: .other, series: .single, height: 100, gapAbove: 0, gapBelow: 0, content: .zero,
        bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
    let timeline = Timeline(
        try RowTree(random.sealedRows(1)), edition: try EditionID("0a"),
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
    var reply = try #require(Window.open(WindowID(1), on: timeline, around: .newest, screen: 600)).reply
    var rest = reply.rows[0]
    rest.body = WindowRow.Body(decoration: decoration, layout: lines.excerpt(1..<lines.lineCount))
    var first = WindowRow.Body(decoration: decoration, layout: lines.excerpt(0..<1), message: [7])
    first.fonts = [try #require(FontHash(String(repeating: "1f", count: 32)))]
    reply.rows[0].body = first
    var mirror = try WindowMirror(reply)
    mirror.fill([rest])
    let body = try #require(mirror.rows[0].body)
    #expect(body.layout == row && body.message == first.message && body.fonts == first.fonts)
}
