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

/// A row as a gateway cuts it out of a stored message, and its model as it was made.
private struct Drawn {
    let row: WindowRow
    let model: LayoutModel

    static func rows(_ bodies: [String], upTo version: RowVersion = .newest) throws -> [Drawn] {
        let layouts = try MessageLayouts(
            style: Project.file("config/styles/bubble.json5").path, fonts: Project.file("config/fonts.json5").path,
            targets: [LayoutTarget(width: 390, scale: 3)])
        var cutter = RecordCutter()
        return try bodies.enumerated().map { number, body in
            let record = try LayoutRecord(layouts.record(of: Array(body.utf8)))
            var layout: [UInt8] = []
            try cutter.cut(record, target: 0, variant: 1, upTo: version, into: &layout)
            let model = try record.model(target: 0, variant: 1, state: 0)
            let decoration = Rows.Decoration(
                variant: .other, series: .single, height: model.size.height + 20, gapAbove: 5, gapBelow: 5,
                content: PixelRect(left: 24, top: 10, width: model.size.width, height: model.size.height),
                bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
            return Drawn(
                row: WindowRow(
                    number: MessageNumber(Int64(number)), message: try MessageID("m\(number)"), order: Int64(number),
                    height: decoration.height, lead: 10, strip: model.size.height,
                    body: .init(decoration: decoration, layout: layout)), model: model)
        }
    }
}

@Test func `frames are those of the layout, from the top left of the row, and lines are where they were measured`()
    throws
{
    let drawn = try Drawn.rows([
        #"{"kind": "text", "text": "Hello, see https://forme.example/a and call me at nine, if you are awake by then"}"#,
        #"{"kind": "photo", "photo": {"width": 1600, "height": 1200}, "caption": "Here we are"}"#,
        #"{"kind": "text", "text": "שלום עולם"}"#,
    ])
    let reader = RowFrames()
    for one in drawn {
        let row = Row(one.row, y: 1_000)
        let frames = reader.frames(of: row)
        let present = one.model.placements.indices.filter { one.model.placements[$0].isPresent }
        #expect(frames.map(\.node) == present && !frames.isEmpty)
        for frame in frames {
            #expect(frame.rect == Rect(one.model.placements[frame.node].frame).moved(right: 24, down: 10))
            let node = one.model.skeleton.nodes[frame.node]
            #expect(frame.part == one.model.skeleton.text(of: node.part))
            #expect(frame.token == one.model.skeleton.text(of: node.token))
            let lines = one.model.shownLines(of: frame.node)
            #expect(frame.lines.map(\.rect) == lines.map { Rect($0.frame).moved(right: 24, down: 10) })
            #expect(frame.lines.map(\.baseline) == lines.map { $0.baseline + 10 })
            #expect(frame.lines.allSatisfy { $0.fontSize > 20 })
            for entity in frame.entities { #expect(frame.rect.top <= entity.rect.top) }
        }
    }
    let text = reader.frames(of: Row(drawn[0].row, y: 0))
    #expect(text.flatMap(\.entities).contains { $0.kind == .url })
    #expect(reader.frames(of: Row(drawn[2].row, y: 0)).flatMap(\.lines).contains { $0.isRightToLeft })
    #expect(reader.frames(of: Row(drawn[1].row, y: 0)).contains { $0.role == .media })
}

@Test func `a row that is edited is read again, and one that cannot be read shows nothing`() throws {
    let drawn = try Drawn.rows([#"{"kind": "text", "text": "One"}"#, #"{"kind": "text", "text": "Another one"}"#])
    let reader = RowFrames()
    let first = reader.frames(of: Row(drawn[0].row, y: 0))
    #expect(reader.frames(of: Row(drawn[0].row, y: 70)) == first)
    var edited = drawn[0].row
    edited.body = drawn[1].row.body
    #expect(reader.frames(of: Row(edited, y: 0)) == reader.frames(of: Row(drawn[1].row, y: 0)))
    edited.body?.layout.removeLast()
    #expect(reader.frames(of: Row(edited, y: 0)).isEmpty)
    edited.body = nil
    #expect(reader.frames(of: Row(edited, y: 0)).isEmpty && Row(edited, y: 0).decoration == .none)
    // Other rows that are read meanwhile change nothing.
    for number in 0..<1_200 as Range<Int64> {
        var other = drawn[Int(number % 2)].row
        other.number = MessageNumber(1_000 + number)
        #expect(
            reader.frames(of: Row(other, y: 0))
                == (number % 2 == 0 ? first : reader.frames(of: Row(drawn[1].row, y: 0))))
    }
}

@Test func `whatever numbers a gateway sends, rows are frames or nothing`() throws {
    let drawn = try Drawn.rows([
        #"{"kind": "text", "text": "See https://forme.example/a, and call me at nine if you are awake"}"#
    ])
    let whole = try #require(drawn[0].row.body?.layout)
    let reader = RowFrames()
    var random = SplitMix64(seed: 1)
    var (shown, refused) = (0, 0)
    // The largest numbers, each in the place of a byte.
    let numbers: [[UInt8]] = [[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0xFE, 0xFF, 0xFF, 0xFF, 0x07], [0x7F]]
    for _ in 0..<20_000 {
        var row = drawn[0].row
        let place = Int.random(in: 0..<whole.count, using: &random)
        let number = try #require(numbers.randomElement(using: &random))
        row.body?.layout.replaceSubrange(place...place, with: number)
        let frames = reader.frames(of: Row(row, y: 0))
        if frames.isEmpty { refused += 1 } else { shown += 1 }
    }
    #expect(shown > 100 && refused > 100)
}

@Test func `texts come with all that drawing them needs, and a row with what is true of it`() throws {
    let poll = #"{"kind":"poll","question":"Which?","options":[{"text":"One","percent":7}],"votes":12}"#
    let rich = #"{"kind":"rich","text":"- some **bold** and `code`"}"#
    let drawn = try Drawn.rows([poll, rich])
    let reader = RowFrames()
    let frames = reader.frames(of: Row(drawn[0].row, y: 0))
    let question = try #require(frames.first { $0.part == "question" }?.text)
    #expect(question.face == .init(weight: 700, isItalic: false, isMonospaced: false))
    #expect(question.path == "question" && question.generated == nil && question.alignment == .start)
    let percent = try #require(frames.first { $0.part == "percent" }?.text)
    #expect(percent.generated == "7%" && percent.path == "options[0].percent" && percent.alignment == .end)
    #expect(frames.first { $0.part == "option" }?.about == "options[0]")
    #expect(frames.first { $0.part == "bubble" }?.text == nil)

    let item = try #require(reader.frames(of: Row(drawn[1].row, y: 0)).first { $0.part == "item" })
    #expect(item.text?.path == "text" && item.literal.isEmpty && item.pins.contains(.top))
    // "some bold and code", without the marks of which it is made.
    #expect(item.text?.pieces == [2..<7, 9..<13, 15..<20, 21..<25])
    #expect(item.text?.looks.map(\.range) == [5..<9, 14..<18])
    #expect(item.text?.looks.map(\.isBold) == [true, false] && item.text?.looks.map(\.isMonospaced) == [false, true])

    let looks = try Drawn.rows([#"{"kind":"rich","text":"*a* ~~b~~ ***c***"}"#])
    let words = try #require(reader.frames(of: Row(looks[0].row, y: 0)).first { $0.text?.path == "text" }?.text)
    #expect(words.looks.map(\.isItalic) == [true, false, true] && words.looks.map(\.isStruck) == [false, true, false])
    #expect(words.looks.map(\.isBold) == [false, false, true] && words.looks.allSatisfy { !$0.isUnderlined })

    let summary = try #require(reader.summary(of: Row(drawn[1].row, y: 0)))
    #expect(summary.stamp != .overMedia && !summary.isOfUnknownKind && !summary.isMissingGlyphs)
    #expect(summary.reading.contains(item.node))
    #expect(reader.summary(of: .zero) == nil)
}

/// The record that it was cut from had no more, or its client asked for no more.
@Test func `a row of version 1 is drawn without what it does not say`() throws {
    let drawn = try Drawn.rows([#"{"kind":"file","file":{"name":"a.pdf","size":700}}"#], upTo: .first)
    let frames = RowFrames().frames(of: Row(drawn[0].row, y: 0))
    let size = try #require(frames.first { $0.part == "fileSize" })
    #expect(size.text?.face == nil && size.text?.generated == nil)
    #expect(size.literal == "{file.size|bytes}")
    #expect(frames.first { $0.part == "fileName" }?.text?.path == "file.name")
}

@Test func `lines that were cut in joined letters say on which side`() throws {
    let body = #"{"kind":"text","text":"\#(String(repeating: "بيتنسلف", count: 20))"}"#
    func text(upTo version: RowVersion) throws -> [TextLine] {
        let row = Row(try Drawn.rows([body], upTo: version)[0].row, y: 0)
        return try #require(RowFrames().frames(of: row).first { $0.lines.count > 2 }).lines
    }
    let lines = try text(upTo: .second)
    for (line, next) in zip(lines, lines.dropFirst()) { #expect(line.endsJoined == next.beginsJoined) }
    #expect(lines.contains { $0.endsJoined } && lines.last?.endsJoined == false && lines[0].beginsJoined == false)
    #expect(try text(upTo: .first).allSatisfy { !$0.beginsJoined && !$0.endsJoined })
}

@Test func `lines that were cut within letters of another direction say which`() throws {
    let arabic = String(repeating: "سلام، 50% ", count: 20)
    func text(_ words: String, upTo version: RowVersion = .second) throws -> [TextLine] {
        let row = Row(try Drawn.rows([#"{"kind":"text","text":"\#(words)"}"#], upTo: version)[0].row, y: 0)
        return try #require(RowFrames().frames(of: row).first { $0.lines.count > 2 }).lines
    }
    let lines = try text("He says " + arabic)
    for (line, next) in zip(lines, lines.dropFirst()) {
        #expect(line.endsIn == .rightToLeft || line.endsIn == .usual && next.range.lowerBound % 2 == 1)
        #expect(next.beginsIn == .arabic)
    }
    #expect(
        lines.contains { $0.endsIn.mark == "\u{200f}" } && lines[0].beginsIn.mark == "" && lines.last?.endsIn == .usual)
    #expect(try text(arabic).dropFirst().contains { $0.beginsIn.mark == "\u{61c}" })
    #expect(
        try text("שלום " + String(repeating: "one, two ", count: 20)).dropFirst().allSatisfy {
            $0.beginsIn.mark == "\u{200e}"
        })
    #expect(try text("He says " + arabic, upTo: .first).allSatisfy { $0.beginsIn == .usual && $0.endsIn == .usual })
}
