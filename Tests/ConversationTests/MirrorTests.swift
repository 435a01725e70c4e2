import Names
import TestSupport
import Testing
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
