import Bytes
import Conversation
import FormeLayout
import Foundation
import MessageLayout
import Names
import Pool
import Record
import TestSupport
import Testing
import Typography
import Wire

@testable import Gateway

private let window = WindowID(1)

private func style() throws -> StyleSheet { try StyleFiles.open(Project.file("config/styles/bubble.json5").path) }

/// Rows as a worker makes them, on the style's screen, and a gateway that lays out for others.
private func filled(_ count: Int64 = 10) throws -> WindowStage {
    let style = try style()
    let texts = StyleTexts(style, measure: Worker.measure)
    let stage = try WindowStage(source: LayoutSource(edition: EditionID("0a"), style: style, texts: texts))
    var worker = Worker(style, [WindowStage.target])
    try stage.commit((1...count).map { try stage.change($0, .laidOut(worker.row($0, saying: 3 + Int($0)))) })
    return stage
}

private func texts(_ ranges: Range<Int32>...) -> [AskedText] { [AskedText(.path("text"), ranges: ranges, carets: [0])] }

extension Reader {
    fileprivate func ranges(_ question: RangesQuestion) throws -> RangesReply {
        let word = stage.desk.answer(.ranges(window, question), from: client, at: .now).first
        guard case .ranges(_, let reply)? = word else { throw Unexpected(word: word) }
        return reply
    }

    fileprivate func word(_ question: RangesQuestion) -> GatewayWord? {
        stage.desk.answer(.ranges(window, question), from: client, at: .now).first
    }
}

private struct Unexpected: Error { var word: GatewayWord? }

@Test(arguments: [nil, Target(width: .points(251), scale: .three, textScale: TextScale(percent: 130))])
func `ranges stand on the lines of the row, on prepared screens and on others`(target: Target?) throws {
    let stage = try filled()
    let reader = try Reader("a", on: stage, target: target ?? WindowStage.target, rowVersion: .second)
    for row in reader.mirror.rows {
        let model = try #require(try row.body?.model())
        let node = try #require(
            model.skeleton.nodes.firstIndex {
                let source = model.skeleton.text(of: $0.source)
                return $0.text >= 0 && model.skeleton.drawing?.path(of: Int($0.text), orSource: source) == "text"
            })
        let lines = model.shownLines(of: node)
        let asked = AskedText(.node(Int32(node)), ranges: lines.map(\.range))
        let reply = try reader.ranges(RangesQuestion(.row(row.number), texts: [asked]))
        #expect(reply.mark == RowMark(of: row.body!.layout) && reply.message == row.message)
        let placed = try #require(reply.texts.first)
        #expect(placed.path == "text" && placed.node == Int32(node) && placed.ranges.count == lines.count)
        for (line, range) in zip(lines, placed.ranges) {
            #expect(range.frames.count == 1 && range.frames.first?.top == line.frame.top)
            #expect(range.frames.first?.left == line.frame.left << 6)
            #expect(range.frames.first.map { ($0.width + 62) >> 6 } == line.frame.width)
        }
    }
}

@Test func `readers of both versions are answered, each with the mark of its rows`() throws {
    let stage = try filled(3)
    for version in RowVersion.allCases {
        let reader = try Reader("\(version)", on: stage, rowVersion: version)
        let row = try #require(reader.mirror.rows.last)
        let mark = RowMark(of: try #require(row.body?.layout))
        let reply = try reader.ranges(RangesQuestion(.message(row.message), mark: mark, texts: texts(0..<4)))
        #expect(reply.mark == mark && reply.texts[0].path == "text" && reply.texts[0].ranges[0].frames.count == 1)
    }
}

@Test func `who knows a row that is another by now is given the row`() throws {
    let stage = try filled(3)
    var worker = Worker(try style(), [WindowStage.target])
    var reader = try Reader("a", on: stage, rowVersion: .second)
    let old = RowMark(of: try #require(reader.mirror.rows[1].body?.layout))
    let question = RangesQuestion(.row(reader.mirror.rows[1].number), mark: old, texts: texts(0..<4))
    try stage.commit([stage.change(2, .laidOut(worker.row(2, saying: 30)))])
    // The window has not heard of it yet: it will within a tick.
    #expect(reader.word(question) == .refused(window, .busy))
    stage.tick()
    try reader.listen()
    let row = reader.mirror.rows[1]
    #expect(RowMark(of: row.body!.layout) != old)
    #expect(reader.word(question) == .rows(window, [row]))
    let reply = try reader.ranges(RangesQuestion(.row(row.number), texts: texts(0..<4)))
    #expect(reply.texts[0].length == 149)
}

@Test(arguments: [
    (AskedText(.path("caption")), "texts[0].path: the row shows no text of 'caption'; texts are nodes"),
    (AskedText(.node(99)), "texts[0].node: node 99 of the row shows no text"),
    (
        AskedText(.path("text"), ranges: [0..<1, 4..<400]),
        "texts[0].ranges[1]: 400 is beyond the text, which has 19 units"
    ),
    (AskedText(.path("text"), carets: [20]), "texts[0].carets[0]: 20 is beyond"),
])
func `what a row does not have is told with what it has`(asked: AskedText, reason: String) throws {
    let stage = try filled(1)
    let reader = try Reader("a", on: stage, rowVersion: .second)
    guard case .unreadable(let told)? = reader.word(RangesQuestion(.row(reader.mirror.rows[0].number), texts: [asked]))
    else {
        Issue.record("it is answered")
        return
    }
    #expect(told.hasPrefix("ranges." + reason), "\(told)")
}

@Test func `words of the style have no ranges, though they are texts`() throws {
    let stage = try filled(1)
    let reader = try Reader("a", on: stage, rowVersion: .second)
    let model = try #require(try reader.mirror.rows[0].body?.model())
    let stamp = try #require(
        model.skeleton.nodes.firstIndex { $0.text >= 0 && model.skeleton.texts[Int($0.text)].literal != 0 })
    let asked = AskedText(.node(Int32(stamp)), carets: [0])
    guard case .unreadable(let told)? = reader.word(RangesQuestion(.row(reader.mirror.rows[0].number), texts: [asked]))
    else {
        Issue.record("it is answered")
        return
    }
    #expect(told.contains("shows words of the style, which have no ranges"))
}

@Test func `a message that nobody knows has no ranges, nor has one in no window`() throws {
    let stage = try filled(1)
    let reader = try Reader("a", on: stage)
    #expect(reader.word(RangesQuestion(.row(MessageNumber(77)))) == .refused(window, .unknownMessage))
    #expect(reader.word(RangesQuestion(.message(try MessageID("x")))) == .refused(window, .unknownMessage))
    let stranger = WindowID(99)
    let word = ClientWord.ranges(stranger, RangesQuestion(.row(MessageNumber(1))))
    #expect(stage.desk.answer(word, from: reader.client, at: .now) == [.refused(stranger, .unknownWindow)])
}
