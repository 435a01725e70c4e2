import Conversation
import FormeLayout
import Foundation
import Gateway
import JSON
import MessageLayout
import Pool
import TestSupport
import Testing
import Typography
import Wire

/// What a worker writes of messages, for the screens that it was told.
private struct Worker: ~Copyable {
    private var composer: Composer
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()

    init(_ style: StyleSheet, _ targets: [Target]) {
        composer = Composer(style, targets: targets, measure: Worker.measure)
    }

    static func measure(_ text: PlannedText.Content, _ style: TextStyle, _ result: inout MeasuredText) {
        switch text {
        case .plain(let text): result = .monospaced(text)
        case .rich(let text): result = .monospaced(String(decoding: text.units, as: UTF16.self))
        }
    }

    mutating func row(_ order: Int64, saying words: Int) throws -> ShardRow {
        let text = (0..<words).map { _ in "word" }.joined(separator: " ")
        let body = words % 7 == 6 ? #"{"kind":"rich","text":"**\#(text)**"}"# : #"{"kind":"text","text":"\#(text)"}"#
        var row = try ShardSample.row(order: order, key: "k", layout: [])
        try composer.layOut(JSONReader(JSONValue.parse(Array(body.utf8))), into: &sheet, measure: Worker.measure)
        row.layout = []
        try encoder.encode(sheet, into: &row.layout)
        row.measured = []
        composer.encodeMeasuredTexts(into: &row.measured)
        return row
    }
}

/// A conversation in two folders: in one it is laid out for a screen, in the other for others.
private final class Twins {
    let unforeseen: WindowStage
    let prepared: WindowStage
    private var first: Worker
    private var second: Worker
    private var random = SplitMix64(seed: 4)

    static let target = Target(width: .points(347), scale: Scale(thousandths: 2500))
    static let other = Target(width: .points(375), scale: .three)

    init(rows: Int64) throws {
        let style = try StyleFiles.open(Project.file("config/styles/bubble.json5").path)
        let source = LayoutSource(
            edition: try EditionID("0a"), style: style, texts: StyleTexts(style, measure: Worker.measure))
        unforeseen = try WindowStage(source: source)
        prepared = try WindowStage()
        first = Worker(style, [Twins.other])
        second = Worker(style, [Twins.target])
        for number in 1...rows { try lay(number, words: .random(in: 1...60, using: &random)) }
    }

    func lay(_ number: Int64, words: Int) throws {
        try unforeseen.commit([unforeseen.change(number, .laidOut(first.row(number, saying: words)))])
        try prepared.commit([prepared.change(number, .laidOut(second.row(number, saying: words)))])
    }

    func remove(_ number: Int64) throws {
        try unforeseen.commit([unforeseen.change(number, .removed)])
        try prepared.commit([prepared.change(number, .removed)])
    }
}

@Test func `a conversation looks on a screen that nobody foresaw as if it had been laid out for it, whatever happens`()
    throws
{
    let twins = try Twins(rows: 600)
    var one = try Reader("r", on: twins.unforeseen, target: Twins.target)
    var other = try Reader("r", on: twins.prepared, target: Twins.target)
    #expect(one.mirror.rows == other.mirror.rows && one.mirror.frame.extent == other.mirror.frame.extent)
    #expect(one.mirror.rows.allSatisfy { $0.body?.layout.isEmpty == false })
    for number in [601, 590, 602, 580, 603] as [Int64] { try twins.lay(number, words: Int(number % 50)) }
    try twins.remove(585)
    for stage in [twins.unforeseen, twins.prepared] { stage.tick() }
    try one.listen()
    try other.listen()
    #expect(one.mirror.rows == other.mirror.rows && one.mirror.frame.extent == other.mirror.frame.extent)
    #expect(one.mirror.rows.last?.number.number == 603)
    try one.page(.older)
    try other.page(.older)
    #expect(one.mirror.rows == other.mirror.rows)
}

@Test func `who turns to a screen that nobody foresaw keeps what is anchored where it is`() throws {
    let twins = try Twins(rows: 400)
    let reader = try Reader("r", on: twins.unforeseen, around: .y(-20_000), target: Twins.other)
    let anchor = WindowAnchor(row: reader.mirror.rows[20].number, edge: .top)
    let words = twins.unforeseen.say(.resize(WindowID(1), Twins.target, screen: 1000, anchor), as: reader.client)
    guard case .window(let reply)? = words.first else {
        Issue.record("\(words)")
        return
    }
    #expect(reply.rows.map(\.number) == reader.mirror.rows.map(\.number))
    let turned = try WindowMirror(reply)
    #expect(reply.firstVisible?.row == anchor.row && reply.firstVisible?.y == turned.y(of: anchor))
    #expect(turned.rows.map(\.height) != reader.mirror.rows.map(\.height))
}

@Test func `screens that cannot be are refused, as are rows of an edition with other fonts`() throws {
    let twins = try Twins(rows: 20)
    func answer(_ target: Target, on stage: WindowStage) throws -> GatewayWord? {
        stage.say(
            .open(WindowOpening(window: WindowID(1), conversation: stage.conversation, target: target, screen: 900)),
            as: WindowClient("r")
        ).first
    }
    let refused = GatewayWord.refused(WindowID(1), .unprepared)
    #expect(try answer(Target(width: .points(3), scale: .three), on: twins.unforeseen) == refused)
    #expect(try answer(Twins.other, on: twins.prepared) == refused)
    try twins.unforeseen.roll(to: "0b", 1...9, height: 40)
    twins.unforeseen.letTimePass()
    #expect(try answer(Twins.target, on: twins.unforeseen) == refused)
}

@Test func `the next screen that nobody foresaw shows what has changed since the last`() throws {
    let twins = try Twins(rows: 900)
    for width in [301, 302] as [Int32] {
        _ = try Reader("a", on: twins.unforeseen, target: Target(width: .points(width), scale: .two))
    }
    for number in [40, 700, 901] as [Int64] { try twins.lay(number, words: 70) }
    let one = try Reader("b", on: twins.unforeseen, around: .y(-1 << 30), target: Twins.target)
    let other = try Reader("b", on: twins.prepared, around: .y(-1 << 30), target: Twins.target)
    #expect(one.mirror.rows == other.mirror.rows && one.mirror.frame.extent == other.mirror.frame.extent)
    #expect(one.mirror.rows.contains { $0.number.number == 40 })
}
