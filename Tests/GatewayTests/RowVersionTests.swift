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

/// Rows as a worker makes them, on the style's screen.
private func filled() throws -> WindowStage {
    let stage = try WindowStage()
    var worker = Worker(try StyleFiles.open(Project.file("config/styles/bubble.json5").path), [WindowStage.target])
    try stage.commit((1...40).map { try stage.change($0, .laidOut(worker.row($0, saying: Int($0)))) })
    return stage
}

private func layouts(_ reader: Reader) -> [[UInt8]] { reader.mirror.rows.compactMap { $0.body?.layout } }

@Test func `each client reads rows of its version, whoever asked before`() throws {
    let stage = try filled()
    let first = try Reader("a", on: stage)
    let second = try Reader("b", on: stage, rowVersion: .second)
    let third = try Reader("c", on: stage)
    let fourth = try Reader("d", on: stage, rowVersion: .second)
    #expect(layouts(first).count == 40 && layouts(first).allSatisfy { $0[0] == 1 })
    #expect(layouts(second).count == 40 && layouts(second).allSatisfy { $0[0] == 3 })
    #expect(layouts(third) == layouts(first) && layouts(fourth) == layouts(second))
    #expect(stage.desk.tally.again == 2)
}

@Test func `what happens is told in the version that each reads`() throws {
    let stage = try filled()
    var readers = try [RowVersion.first, .second].map { try Reader("\($0)", on: stage, rowVersion: $0) }
    var worker = Worker(try StyleFiles.open(Project.file("config/styles/bubble.json5").path), [WindowStage.target])
    try stage.commit([stage.change(41, .laidOut(worker.row(41, saying: 3)))])
    stage.tick()
    for i in readers.indices { try readers[i].listen() }
    #expect(readers.map { layouts($0).count } == [41, 41])
    #expect(layouts(readers[0]).last?[0] == 1 && layouts(readers[1]).last?[0] == 3)
}

@Test func `rows of two shards that were made with jobs of one number need the files of their own words`() throws {
    let reader = try Reader("a", on: filled(), rowVersion: .second)
    let body = try #require(reader.mirror.rows.last?.body)
    var fonts = RowFonts()
    let families = [("Sans", "a", "U+20-7E,U+2010,U+2026"), ("Arabic", "b", "U+600-6FF")]
    fonts.take(
        try families.map { name, letter, characters in
            ServedFont(
                family: name, weight: nil, isItalic: false, isEmoji: false, isMonospaced: false,
                hash: String(repeating: letter, count: 64), path: "",
                characters: try #require(CharacterRanges(characters)))
        })
    func files(_ text: String, _ shard: UInt16) throws -> Int {
        let said = Array(#"{"body":{"kind":"text","text":"\#(text)","name":"\#(text)"},"sender":"bo"}"#.utf8)
        let found = fonts.files(
            of: body, said, made: JobNumber(7), in: Shard(shard), of: try EditionID("0a"))
        return try #require(found).count
    }
    #expect(try files("Hello", 0) == 1)
    #expect(try files("سلام", 1) == 2)
    // The answer for a row of this shard is kept as it was found first.
    #expect(try files("سلام", 0) == 1)
}

@Test func `a row that was laid out before there was version 2 comes in version 1`() throws {
    let stage = try WindowStage()
    try stage.fill(20)
    let reader = try Reader("a", on: stage, rowVersion: .second)
    #expect(!layouts(reader).isEmpty && layouts(reader).allSatisfy { $0[0] == 1 })
}

@Test func `a screen that nobody foresaw has rows of both versions`() throws {
    let style = try StyleFiles.open(Project.file("config/styles/bubble.json5").path)
    let texts = StyleTexts(style, measure: Worker.measure)
    let stage = try WindowStage(source: LayoutSource(edition: EditionID("0a"), style: style, texts: texts))
    var worker = Worker(style, [WindowStage.target])
    try stage.commit((1...40).map { try stage.change($0, .laidOut(worker.row($0, saying: Int($0)))) })
    let target = Target(width: .points(333), scale: .two)
    let readers = try [RowVersion.first, .second].map {
        try Reader("\($0)", on: stage, target: target, rowVersion: $0)
    }
    #expect(layouts(readers[0]).allSatisfy { $0[0] == 1 } && layouts(readers[1]).allSatisfy { $0[0] == 3 })
    #expect(layouts(readers[0]).count == 40)
}

private let window = "/v1/conversations/c/window?target=390@3&count=5"

@Test func `over HTTP a version is asked for beside the form, and has a tag of its own`() throws {
    let front = try RunningFront(stage: filled)
    func ask(_ accept: String) throws -> (rows: [UInt8], tag: String) {
        let answer = try front.curl(window, "-H", "Accept: \(accept)")
        #expect(answer.status == 200)
        let tag = try #require(answer.head.split(separator: "\r\n").first { $0.hasPrefix("etag: ") })
        guard accept.contains("forme"),
            case .window(let reply) = try Framed<GatewayWord>(decoding: Array(answer.body)).word
        else { return ([], String(tag)) }
        return (reply.rows.compactMap { $0.body?.layout.first }, String(tag))
    }
    let accepts = [
        "application/vnd.forme", "application/vnd.forme; rows=2", "application/vnd.forme;rows=1", "application/json",
        "application/json; rows=2",
    ]
    // Twice: the second time from memory.
    let answers = try (accepts + accepts).map(ask)
    #expect(answers.prefix(3).map(\.rows) == [1, 3, 1].map { Array(repeating: $0, count: 5) })
    #expect(answers[5..<8].map(\.rows) == answers.prefix(3).map(\.rows))
    #expect(Set(answers.map(\.tag)).count == accepts.count)
}

@Test(arguments: ["rows=3", "rows=0", "rows=two", "rows="])
func `a version that is not known is refused over HTTP, and those that are known are named`(rows: String) throws {
    let front = try RunningFront(stage: filled)
    for form in ["application/json", "application/vnd.forme"] {
        let answer = try front.curl(window, "-H", "Accept: \(form); \(rows)")
        #expect(answer.status == 400)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Accept: '\(rows)' is not rows=1 or rows=2"))
    }
}
