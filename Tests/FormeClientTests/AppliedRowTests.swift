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

/// Rows as a gateway cuts them out of stored messages, and their models as they were made.
private func drawn(
    _ bodies: [String], upTo version: RowVersion = .newest
) throws -> [(layout: [UInt8], model: LayoutModel)] {
    let layouts = try MessageLayouts(
        style: Project.file("config/styles/bubble.json5").path, fonts: Project.file("config/fonts.json5").path,
        targets: [LayoutTarget(width: 390, scale: 3)])
    var cutter = RecordCutter()
    return try bodies.map { body in
        let record = try LayoutRecord(layouts.record(of: Array(body.utf8)))
        var layout: [UInt8] = []
        try cutter.cut(record, target: 0, variant: 1, upTo: version, into: &layout)
        return (layout, try record.model(target: 0, variant: 1, state: 0))
    }
}

/// Rows of these messages, again and again, one below the other.
private func window(of drawn: [(layout: [UInt8], model: LayoutModel)], rows count: Int) throws -> FormeClient.Window {
    let rows = try (0..<count).map { place in
        let (layout, size) = (drawn[place % drawn.count].layout, drawn[place % drawn.count].model.size)
        let decoration = Rows.Decoration(
            variant: .other, series: .single, height: size.height + 20, gapAbove: 5, gapBelow: 5,
            content: PixelRect(left: 24, top: 10, width: size.width, height: size.height),
            bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
        return WindowRow(
            number: MessageNumber(Int64(place)), message: try MessageID("m\(place)"), order: Int64(place),
            height: decoration.height, lead: 10, strip: size.height,
            body: .init(decoration: decoration, layout: layout))
    }
    let frame = WindowFrame(
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)), edition: try EditionID("0a"), isOld: false,
        rowsAbove: 0, rowsBelow: 0, top: 0, extent: 0..<rows.reduce(0) { $0 + Int64($1.height) })
    let reply = WindowReply(
        window: WindowID(1), part: .whole, reason: .firstLoad, frame: frame, rows: rows, insertedAbove: 0,
        firstVisible: nil, contentFits: false, prefetch: PrefetchHint(older: nil, newer: nil))
    return FormeClient.Window(showing: try WindowMirror(reply))
}

private let bodies = [
    #"{"kind": "text", "text": "Hello, see https://forme.example/a and call me at nine, if you are awake by then"}"#,
    #"{"kind": "photo", "photo": {"width": 1600, "height": 1200}, "caption": "Here we are"}"#,
    #"{"kind": "poll", "question": "Which?", "options": [{"text": "One", "percent": 7}], "votes": 12, "name": "Ada"}"#,
]

@Test(.enabled(if: forme_counts_allocations()))
func `rows that were read are not read again, however often a reader scrolls to and fro`() throws {
    let window = try window(of: drawn(bodies), rows: 200)
    let reader = RowFrames()
    reader.prepare(window.indices, of: window)
    // Reading a row takes memory, and a row that is remembered is not read again.
    let before = forme_allocations()
    for _ in 0..<4 {
        reader.prepare(window.indices, of: window)
        for i in window.indices.reversed() { reader.prepare(i..<i + 1, of: window) }
    }
    #expect(forme_allocations() == before)
}

@Test(.enabled(if: forme_counts_allocations()))
func `a row that was read is applied for less than it costs to read it alone`() throws {
    let window = try window(of: drawn(bodies), rows: 12)
    let reader = RowFrames()
    reader.prepare(window.indices, of: window)
    for row in window.indices.map({ window[$0] }) {
        let before = forme_allocations()
        let applied = reader.frames(of: row)
        let between = forme_allocations()
        var alone = LayoutRows()
        try alone.append(row.layout)
        let read = alone.frames(of: 0, isExpanded: false, in: row.decoration.content)
        let after = forme_allocations()
        #expect(applied == read && !applied.isEmpty)
        #expect(between - before < after - between)
    }
}

@Test(.enabled(if: forme_counts_allocations()))
func `what a row's frames have in common is made once for all of them`() throws {
    let options = (0..<12).map { #"{"text": "Choice \#($0)", "percent": \#($0)}"# }.joined(separator: ",")
    let poll = #"{"kind": "poll", "question": "Which?", "options": [\#(options)], "votes": 12}"#
    let reader = RowFrames()
    func cost(_ row: Row) -> (frames: Int, allocations: Int) {
        let frames = reader.frames(of: row).count
        let before = forme_allocations()
        _ = reader.frames(of: row)
        return (frames, Int(forme_allocations() - before))
    }
    let rows = try [RowVersion.newest, .first].map { try window(of: drawn([poll], upTo: $0), rows: 1)[0] }
    // The cost of the data for drawing, by itself; rows of version 1 have none of it.
    var page = LayoutRows()
    try page.append(rows[0].layout)
    let before = forme_allocations()
    _ = page.drawing(of: 0)
    let once = Int(forme_allocations() - before)
    let (whole, bare) = (cost(rows[0]), cost(rows[1]))
    #expect(whole.frames == bare.frames && whole.frames > 50 && once > 2)
    #expect(whole.allocations - bare.allocations < whole.frames * once / 2)
}

@Test func `frames stand in each other as views do, and every text in what is around it`() throws {
    let window = try window(of: drawn(bodies), rows: bodies.count)
    let reader = RowFrames()
    for row in window.indices.map({ window[$0] }) {
        let frames = reader.frames(of: row)
        for (place, frame) in frames.enumerated() where frame.parent >= 0 {
            let parent = try #require(frames.prefix(place).first { $0.node == frame.parent })
            #expect(parent.rect.contains(frame.rect), "\(frame.part) in \(parent.part)")
        }
        let texts = frames.filter { $0.text != nil }
        #expect(!texts.isEmpty)
        for text in texts { #expect(text.parent >= 0, "\(text.part)") }
    }
    // Each option of a poll carries its own words.
    let poll = reader.frames(of: window[2])
    let option = try #require(poll.first { $0.part == "option" })
    #expect(poll.filter { $0.text != nil && $0.parent == option.node }.map(\.part).contains("optionText"))
}

@Test func `lines stand where they were laid out, be they centred or written from right to left`() throws {
    let hebrew = Array(repeating: "שלום לכולם, וברוכים הבאים", count: 9).joined(separator: " ")
    let news = Array(repeating: "Ann has joined this group", count: 9).joined(separator: ", ")
    let drawn = try drawn([#"{"kind": "text", "text": "\#(hebrew)"}"#, #"{"kind": "event", "text": "\#(news)"}"#])
    let window = try window(of: drawn, rows: drawn.count)
    let reader = RowFrames()
    for (row, model) in zip(window.indices.map({ window[$0] }), drawn.map(\.model)) {
        let text = try #require(reader.frames(of: row).first { $0.lines.count > 2 })
        let content = row.decoration.content
        let lines = model.shownLines(of: text.node).map { line in
            Rect(line.frame).moved(right: content.left, down: content.top)
        }
        #expect(text.lines.map(\.rect) == lines)
        // The lines are not of one length, and none but the longest begins at the left.
        #expect(Set(lines.map(\.left)).count > 1)
    }
}

extension Rect {
    fileprivate func contains(_ other: Rect) -> Bool {
        left <= other.left && top <= other.top && other.left + other.width <= left + width
            && other.top + other.height <= top + height
    }
}
