import Conversation
import MessageLayout
import Names
import Pool
import Rows
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

/// Messages of the reader and of another, in a style that marks failed messages beside the bubble, too.
private func stage(_ style: String) throws -> WindowStage {
    let stage = try WindowStage()
    let mark = #""failedIcon":{"size":16,"gap":4,"at":"beside","statuses":["failed"]},"selectionHandle""#
    let decoration = try String(decoding: #require(StyleSheet.shipped(style).decorationText), as: UTF8.self)
    let marked = decoration.replacing(#""selectionHandle""#, with: mark)
    try #require(marked != decoration)
    try EditionDecoration.write(Array(marked.utf8), of: stage.edition, in: stage.folder)
    try stage.commit((1...6).map { try stage.laidOut($0, height: $0 == 2 ? 8 : 40, sender: $0 < 4 ? "me" : "ada") })
    return stage
}

private func viewer(isSelecting: Bool) throws -> WindowReader {
    WindowReader(own: try SenderID("me"), isSelecting: isSelecting)
}

/// The statuses that every style and client may have to show; the last of them nobody knows.
private let statuses = ["sending", "sent", "delivered", "read", "failed", "read", "failed", "unheard-of"]

extension WindowRow {
    /// The row without the mark of a failed message, which comes into a free room: everything else keeps its place.
    fileprivate var stand: WindowRow {
        var row = self
        row.body?.decoration.failedIcon = nil
        return row
    }
}

@Test(arguments: ["bubble", "flat"], [false, true])
func `a status is told as looking otherwise, and moves nothing in any row`(style: String, isSelecting: Bool) throws {
    let stage = try stage(style)
    var reader = try Reader("r", on: stage, reader: viewer(isSelecting: isSelecting))
    let (first, extent) = (reader.mirror.rows.map(\.stand), reader.mirror.frame.extent)
    for status in statuses {
        for number in [2, 3, 5] as [Int64] {
            var facts = try ShardSample.facts(order: number, status: "\"\(status)\"")
            facts.sender = try SenderID(number < 4 ? "me" : "ada")
            try stage.commit([try stage.change(number, .touched(facts))])
        }
        stage.letTimePass()
        let words = stage.told[reader.client] ?? []
        #expect(!words.isEmpty)
        for case .changes(let set) in words {
            #expect(set.changes.allSatisfy { $0.heightDelta == 0 && $0.change == .appearance }, "\(status)")
        }
        try reader.listen()
        #expect(reader.mirror.rows.map(\.stand) == first && reader.mirror.frame.extent == extent, "\(status)")
        let icons = reader.mirror.rows.map { $0.body?.decoration.failedIcon }
        let failed = status == "failed" ? [1, 2] : []
        #expect(icons.indices.filter { icons[$0] != nil } == failed, "\(status)")
        for icon in icons.compactMap(\.self) { #expect(icon.left >= 0 && icon.right <= WindowStage.target.rowPixels) }
    }
}

@Test(arguments: ["bubble", "flat"], [nil, "sent", "failed"])
func `a reader who selects has the same rows, as high as before, with handles that cover nothing`(
    style: String, status: String?
) throws {
    let stage = try stage(style)
    if let status {
        var facts = try ShardSample.facts(order: 2, status: "\"\(status)\"")
        facts.sender = try SenderID("me")
        try stage.commit([try stage.change(2, .touched(facts))])
    }
    let calm = try Reader("r", on: stage, reader: viewer(isSelecting: false)).mirror
    let selecting = try Reader("s", on: stage, reader: viewer(isSelecting: true)).mirror
    #expect(calm.frame.extent == selecting.frame.extent)
    for (row, other) in zip(calm.rows, selecting.rows) {
        #expect((row.number, row.height, row.lead, row.strip) == (other.number, other.height, other.lead, other.strip))
        let decoration = try #require(other.body?.decoration)
        let handle = try #require(decoration.selectionHandle)
        #expect(row.body?.decoration.selectionHandle == nil && row.body?.layout == other.body?.layout)
        #expect(handle.left >= 0 && handle.top >= 0 && handle.top + handle.height <= other.height)
        for part in [decoration.content, decoration.avatar, decoration.failedIcon].compactMap(\.self) {
            #expect(part.left >= handle.right && part.right <= WindowStage.target.rowPixels, "\(row.number)")
        }
    }
}
