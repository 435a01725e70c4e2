import Bytes
import Conversation
import FormeLayout
import Foundation
import MessageLayout
import Names
import Pool
import Record
import Rows
import TestSupport
import Testing
import Wire

@testable import Gateway

/// The record that workers store of a message.
private func record(_ body: String) throws -> [UInt8] {
    try MessageLayouts(
        style: Project.file("config/styles/bubble.json5").path, fonts: Project.file("config/fonts.json5").path,
        targets: [LayoutTarget(width: 390, scale: 3), LayoutTarget(width: 320, scale: 2)]
    ).record(of: Array(body.utf8))
}

extension WindowStage {
    /// Has a message laid out.
    fileprivate func write(_ number: Int64, _ record: [UInt8]) throws {
        try commit([change(number, .laidOut(ShardSample.row(order: number, key: "k", layout: record)))])
    }

    /// Sixty rows, and one of a long text between them.
    fileprivate static func showing(_ text: LongMessage) throws -> WindowStage {
        let stage = try WindowStage()
        try stage.fill(60)
        try stage.write(61, record(text.body))
        try stage.commit([stage.laidOut(62)])
        return stage
    }
}

extension Reader {
    fileprivate var longRow: WindowRow? { mirror.rows.first { $0.number.number == 61 } }
    fileprivate var excerpt: RowExcerpt? { longRow?.body.flatMap { RowExcerpt(of: $0.layout) } }

    /// The lines to ask for next.
    fileprivate var wanted: WantedLines? {
        excerpt.flatMap { excerpt in
            ScreenChunks.next(to: excerpt.lines, of: excerpt.lineCount).map {
                WantedLines(row: MessageNumber(61), mark: excerpt.mark, lines: $0)
            }
        }
    }

    fileprivate mutating func fetch(_ wanted: WantedLines) throws {
        guard case .rows(_, let rows)? = stage.say(.lines(WindowID(1), wanted), as: client).first else {
            throw NoWindow()
        }
        mirror.fill(rows)
    }
}

private func model(_ layout: [UInt8]) throws -> LayoutModel {
    var page = LayoutRows()
    try page.append(layout)
    return page.model(row: 0, state: page.rows[0].states.count - 1)
}

private func whole(_ text: LongMessage, _ variant: ContentVariant) throws -> [UInt8] {
    var cutter = RecordCutter()
    var row: [UInt8] = []
    try cutter.cut(LayoutRecord(record(text.body)), target: 0, variant: Int(variant.rawValue), into: &row)
    return row
}

@Test(arguments: LongMessage.allCases)
func `a text of more than a hundred screens comes first screen first, and is put together byte for byte`(
    text: LongMessage
) throws {
    let stage = try WindowStage.showing(text)
    var reader = try Reader("r", on: stage, screen: LongMessage.screen)
    let first = try #require(reader.longRow?.body)
    let all = try whole(text, first.decoration.variant)
    let (part, full) = (try model(first.layout), try model(all))
    #expect(full.size.height > 100 * LongMessage.screen && part.size == full.size)
    #expect(part.placements.map(\.frame) == full.placements.map(\.frame))
    let pitch = try #require(full.blocks.max { $0.lines.count < $1.lines.count }).pitch
    // A poll ends with its options, which take room from its lines.
    let seen = LongMessage.screen / pitch / (text == .poll ? 2 : 1)
    #expect(part.lines.count >= Int(seen) && part.lines.count < full.lines.count / 20)
    #expect(first.layout.count < all.count / 2)
    let (others, height) = (reader.mirror.rows.filter { $0.number.number != 61 }, reader.longRow?.height)
    var questions = 0
    while let wanted = reader.wanted {
        try reader.fetch(wanted)
        questions += 1
        #expect(questions <= 6)
    }
    #expect(reader.longRow?.body?.layout == all && reader.longRow?.height == height)
    #expect(reader.mirror.rows.filter { $0.number.number != 61 } == others)
    #expect(full.spans.isEmpty == (text == .poll))
}

@Test func `of a text that is open in the middle the lines come first that are seen`() throws {
    let stage = try WindowStage.showing(.poll)
    let row = try #require(try Reader("a", on: stage).longRow)
    let top = try #require(try Reader("b", on: stage, screen: 300).mirror.y(of: .init(row: row.number, edge: .top)))
    for screens in [0, 17, 95] as [Int64] {
        let y = top + screens * Int64(LongMessage.screen)
        var reader = try Reader("r\(screens)", on: stage, around: .y(y), screen: LongMessage.screen)
        let body = try #require(reader.longRow?.body)
        let lines = try model(body.layout).placements.indices.flatMap { try model(body.layout).shownLines(of: $0) }
        let seen = Int32(y - top)..<Int32(y - top) + LongMessage.screen
        #expect(try #require(lines.first).frame.top <= max(seen.lowerBound, 60))
        #expect(try #require(lines.last).frame.top + 80 >= seen.upperBound)
        while let wanted = reader.wanted { try reader.fetch(wanted) }
        #expect(try reader.longRow?.body?.layout == whole(.poll, body.decoration.variant))
    }
    // A reader who comes from below sees the end of the text first.
    var below = try Reader("r", on: stage, count: 1, screen: LongMessage.screen)
    try below.page(.older)
    #expect(below.excerpt.map { $0.lines.upperBound > $0.lineCount - 60 } == true)
}

@Test func `lines of a text that was edited meanwhile are answered with the text as it is`() throws {
    let stage = try WindowStage.showing(.leftToRight)
    var reader = try Reader("r", on: stage, screen: LongMessage.screen)
    try reader.fetch(try #require(reader.wanted))
    let old = try #require(reader.wanted)
    try stage.write(61, record(LongMessage.leftToRight.edited))
    stage.tick()
    try reader.fetch(old)
    #expect(reader.excerpt?.mark != old.mark && reader.excerpt?.lines.lowerBound == 0)
    try reader.listen()
    while let wanted = reader.wanted { try reader.fetch(wanted) }
    let fresh = try Reader("fresh", on: stage, screen: 1 << 20)
    #expect(reader.mirror.rows == fresh.mirror.rows && fresh.excerpt == nil)
}

@Test func `how much of a long text comes at once depends on the screen, and a new dress takes no line away`() throws {
    let stage = try WindowStage.showing(.mixed)
    var phone = try Reader("phone", on: stage, screen: LongMessage.screen)
    var wall = try Reader("wall", on: stage, screen: 1 << 19)
    #expect(phone.excerpt != nil && wall.longRow?.body != nil && wall.excerpt == nil)
    try phone.fetch(try #require(phone.wanted))
    let lines = try #require(phone.excerpt?.lines)
    // The row that follows on it is another now.
    try stage.commit([stage.change(62, .removed)])
    stage.tick()
    try phone.listen()
    try wall.listen()
    #expect(phone.mirror.rows.count == wall.mirror.rows.count && phone.excerpt?.lines == lines && wall.excerpt == nil)
    while let wanted = phone.wanted { try phone.fetch(wanted) }
    #expect(phone.mirror.rows == wall.mirror.rows)
}

@Test(arguments: [nil, 30])
func `a long text that comes while others look is cut for the screen of each`(unreadFrom: Int64?) throws {
    let stage = try WindowStage()
    try stage.fill(60)
    func reader(_ name: String, _ screen: Int32, _ order: Int64?) throws -> Reader {
        try Reader(name, on: stage, reader: WindowReader(unreadFrom: order), screen: screen)
    }
    // The text is drawn for the first one, and all others have it from there.
    _ = try reader("first", LongMessage.screen, nil)
    var phones = try (0..<12).map { try reader("phone \($0)", LongMessage.screen, unreadFrom) }
    var wall = try reader("wall", 1 << 20, unreadFrom)
    try stage.write(61, record(LongMessage.leftToRight.body))
    stage.tick()
    try wall.listen()
    for i in phones.indices { try phones[i].listen() }
    #expect(wall.longRow != nil && wall.excerpt == nil)
    #expect(phones.allSatisfy { $0.excerpt != nil && $0.longRow == phones[0].longRow })
}

@Test func `the lines of a long text are read over HTTP, too, and what is wrong about them is refused`() throws {
    let front = try RunningFront { try WindowStage.showing(.leftToRight) }
    let window = "/v1/conversations/c/window?target=390@3&screen=\(LongMessage.screen)"
    func rows(_ query: String, in word: String) throws -> [[String: Any]] {
        let told = try JSONSerialization.jsonObject(with: front.curl(window + query).body) as? [String: Any]
        return (told?[word] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
    }
    func starts(_ row: [String: Any]) -> [Int] {
        let nodes = (row["expanded"] as? [String: Any])?["nodes"] as? [[String: Any]] ?? []
        let text = nodes.first { $0["part"] as? String == "text" }?["text"] as? [String: Any]
        return (text?["lines"] as? [[String: Any]] ?? []).compactMap { $0["start"] as? Int }
    }
    let first = try #require(try rows("&count=2", in: "window").first)
    let excerpt = try #require(first["excerpt"] as? [String: Any])
    let (mark, end, count) = (excerpt["mark"] as? String ?? "", excerpt["to"] as? Int ?? 0, excerpt["of"] as? Int ?? 0)
    #expect(excerpt["from"] as? Int == 0 && count > 2000)
    let rest = try rows("&lines=61:\(mark):\(end):\(count)", in: "rows")
    let all = try rows("&lines=61:\(mark):0:\(count)", in: "rows")
    #expect(try starts(first) + starts(#require(rest.first)) == starts(#require(all.first)))
    #expect(starts(try #require(all.first)).count > 2000 && all.first?["excerpt"] == nil)
    #expect(try front.curl(window + "&lines=61:\(mark):0").status == 400)
    #expect(try front.curl(window + "&lines=7000:\(mark):0:1").status == 404)
}
