import CAllocations
import Conversation
import FormeLayout
import Foundation
import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// Rows of messages as a gateway cuts them.
private func rows(_ bodies: [String], upTo version: RowVersion = .newest) throws -> [WindowRow] {
    let layouts = try MessageLayouts(
        style: Project.file("config/styles/bubble.json5").path, fonts: Project.file("config/fonts.json5").path,
        targets: [LayoutTarget(width: 390, scale: 2)])
    var cutter = RecordCutter()
    return try bodies.enumerated().map { place, body in
        var layout: [UInt8] = []
        try cutter.cut(
            LayoutRecord(layouts.record(of: Array(body.utf8))), target: 0, variant: 1, upTo: version, into: &layout)
        let decoration = Rows.Decoration(
            variant: .other, series: .single, height: 80, gapAbove: 0, gapBelow: 0,
            content: PixelRect(left: 24, top: 10, width: 300, height: 60),
            bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
        return WindowRow(
            number: MessageNumber(Int64(place)), message: try MessageID("m\(place)"), order: Int64(place), height: 80,
            lead: 10, strip: 60, body: .init(decoration: decoration, layout: layout))
    }
}

private func allocations(_ body: () -> Void) -> UInt64 {
    let before = forme_allocations()
    body()
    return forme_allocations() - before
}

@Test(.enabled(if: forme_counts_allocations()))
func `rows that were shown are shown again without reading them, so scrolling to and fro takes no memory`() throws {
    let bodies = (0..<60).map { #"{"kind": "text", "text": "Message \#($0), and https://forme.example/\#($0)"}"# }
    let frame = WindowFrame(
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)), edition: try EditionID("0a"), isOld: false,
        rowsAbove: 0, rowsBelow: 0, top: 0, extent: 0..<60 * 80)
    let window = FormeClient.Window(
        showing: try WindowMirror(
            WindowReply(
                window: WindowID(1), part: .whole, reason: .firstLoad, frame: frame, rows: rows(bodies),
                insertedAbove: 0, firstVisible: nil, contentFits: false, prefetch: PrefetchHint(older: nil, newer: nil))
        ))
    let reader = RowFrames()
    #expect(allocations { reader.prepare(window.indices, of: window) } > 0)
    for _ in 0..<8 { #expect(allocations { reader.prepare(window.indices, of: window) } == 0) }
}

@Test(.enabled(if: forme_counts_allocations()))
func `what a row's frames have in common is made once for all of them`() throws {
    let options = (0..<12).map { #"{"text": "Choice \#($0)", "percent": \#($0)}"# }.joined(separator: ",")
    let poll = #"{"kind": "poll", "question": "Which?", "options": [\#(options)], "votes": 12}"#
    let (whole, plain) = (try rows([poll])[0], try rows([poll], upTo: .first)[0])
    let reader = RowFrames()
    func cost(_ row: WindowRow) -> (frames: Int, allocations: Int) {
        let row = Row(row, y: 0)
        let frames = reader.frames(of: row).count
        return (frames, Int(allocations { _ = reader.frames(of: row) }))
    }
    // What drawing needs, by itself; rows of version 1 have none of it.
    var page = LayoutRows()
    try page.append(try #require(whole.body?.layout))
    let once = Int(allocations { _ = page.drawing(of: 0) })
    let (drawn, bare) = (cost(whole), cost(plain))
    #expect(drawn.frames == bare.frames && drawn.frames > 50 && once > 2)
    #expect(drawn.allocations - bare.allocations < drawn.frames * once / 2)
}
