import Conversation
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Names
import Pool
import Record
import Rows
import Storage
import TestSupport
import Testing
import Typography
import Wire

@testable import Gateway

/// A worker, which makes rows of messages for the screens that it was told.
struct Worker: ~Copyable {
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
        return try row(order, of: body)
    }

    mutating func row(_ order: Int64, of body: String) throws -> ShardRow {
        var row = try ShardSample.row(order: order, key: "k", layout: [])
        let message = try CheckedMessage(JSONReader(JSONValue.parse(Array(body.utf8))), of: composer.style)
        composer.layOut(message, into: &sheet, measure: Worker.measure)
        row.layout = []
        try encoder.encode(sheet, into: &row.layout)
        row.measured = []
        composer.encodeMeasuredTexts(into: &row.measured)
        return row
    }

    /// The layout of a row with the screens that it lacks; nil where it has all of them.
    mutating func extended(_ layout: [UInt8], _ measured: [UInt8]) -> (layout: [UInt8], heights: [UInt8])? {
        do {
            let record = try LayoutRecord(layout)
            guard !composer.targets.allSatisfy(record.targets.contains) else { return nil }
            try composer.layOut(StoredTexts(checking: measured), showing: record.skeleton(), into: &sheet)
            var bytes: [UInt8] = []
            try encoder.encode(sheet, into: &bytes)
            return (bytes, HeightPlan(sheet.targets).list(sheet))
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }
}

/// A conversation in two folders: in one it is laid out for a screen, in the other for others.
private final class Twins {
    let unforeseen: WindowStage
    let prepared: WindowStage
    private var first: Worker
    private var second: Worker
    /// The worker that knows of the screen that nobody foresaw.
    private var third: Worker
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
        third = Worker(style, [Twins.other, Twins.target])
        for number in 1...rows { try lay(number, words: .random(in: 1...60, using: &random)) }
    }

    func lay(_ number: Int64, words: Int) throws {
        try unforeseen.commit([unforeseen.change(number, .laidOut(first.row(number, saying: words)))])
        try prepared.commit([prepared.change(number, .laidOut(second.row(number, saying: words)))])
    }

    func lay(_ number: Int64, of body: String) throws {
        try unforeseen.commit([unforeseen.change(number, .laidOut(first.row(number, of: body)))])
        try prepared.commit([prepared.change(number, .laidOut(second.row(number, of: body)))])
    }

    /// Lays some of the stored rows out for the screen, too. False when all of them are.
    func extendSome() throws -> Bool {
        try unforeseen.extend(for: [Twins.target]) { layout, measured in third.extended(layout, measured) }
    }

    /// Lays a row out as a worker does that knows of the screen.
    func layKnowing(_ number: Int64, words: Int) throws {
        try unforeseen.commit([unforeseen.change(number, .laidOut(third.row(number, saying: words)))])
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

@Test func `rows are laid out or read for the first who asks, whatever stands in them, and for the next from memory`()
    throws
{
    let twins = try Twins(rows: 36)
    try twins.lay(37, of: #"{"kind":"sticker","sticker":{"width":512,"height":512}}"#)
    try twins.lay(38, of: #"{"kind":"photo","photo":{"width":1600,"height":1200}}"#)
    try twins.lay(39, of: #"{"kind":"event","text":"Ann joined"}"#)
    try twins.lay(40, of: #"{"kind":"poll","question":"Which?","options":[{"text":"One"},{"text":"Two"}]}"#)
    for stage in [twins.prepared, twins.unforeseen] {
        let first = try Reader("a", on: stage, count: 40, target: Twins.target)
        let before = stage.desk.answers.cutter.tally
        #expect(before.misses == 40)
        // Another question, about the same rows.
        let next = try Reader("b", on: stage, count: 39, target: Twins.target)
        #expect(next.mirror.rows == first.mirror.rows.suffix(39))
        let after = stage.desk.answers.cutter.tally
        #expect(after.misses == before.misses && after.hits == before.hits + 39)
    }
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

@Test func `screens that come one after the other show what happened between them, whatever that was`() {
    forEachSeed(3) { random in
        let twins = try Twins(rows: 700)
        var newest: Int64 = 700
        for turn in 0..<14 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                newest += 1
                try twins.lay(newest, words: .random(in: 1..<80, using: &random))
            case 1: try twins.lay(.random(in: 1...newest, using: &random), words: .random(in: 1..<80, using: &random))
            case 2: try twins.remove(.random(in: 1...newest, using: &random))
            case 3: _ = try twins.unforeseen.seal()
            case 4: for _ in 0..<3 { _ = try twins.unforeseen.seal() }
            default: break
            }
            // Each window is another reader's, so that it comes into memory by itself.
            let reader = WindowReader(own: try SenderID("r\(turn)"))
            func opened(_ stage: WindowStage) throws -> Reader {
                try Reader("r\(turn)", on: stage, around: .y(-30_000), reader: reader, target: Twins.target)
            }
            let (one, other) = (try opened(twins.unforeseen), try opened(twins.prepared))
            guard one.mirror.rows == other.mirror.rows, one.mirror.frame.extent == other.mirror.frame.extent else {
                return false
            }
        }
        return true
    }
}

/// All that a client is told of a conversation, as bytes: the newest rows, the oldest, and some between.
private func windows(of stage: WindowStage, on target: Target) throws -> [[UInt8]] {
    // Nothing of it is in memory before.
    let desk = try WindowStage.desk(in: stage.folder, WindowStage.patience, stage.source)
    return try [WindowPlace.newest, .y(-1 << 40), .y(-30_000)].flatMap { place in
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: target, place: place, count: 60, screen: 900)
        return try #require(
            desk.answer(frame: Framed(ClientWord.open(opening)).encoded(), from: WindowClient("r"), at: .now))
    }
}

@Test func `a conversation opens the same before, in the midst of and after its rows are laid out for a screen`() throws
{
    let twins = try Twins(rows: 1100)
    while try twins.unforeseen.seal() {}
    let before = try windows(of: twins.unforeseen, on: Twins.target)
    let own = try windows(of: twins.unforeseen, on: Twins.other)
    var follower = try Reader("f", on: twins.unforeseen, target: Twins.target)
    var other = try Reader("f", on: twins.prepared, target: Twins.target)
    #expect(before.allSatisfy { $0.count > 2000 })
    var steps = 0
    while try twins.extendSome() {
        steps += 1
        guard steps % 5 == 0 else { continue }
        #expect(try windows(of: twins.unforeseen, on: Twins.target) == before)
    }
    #expect(steps > 12)
    #expect(try windows(of: twins.unforeseen, on: Twins.target) == before)
    #expect(try windows(of: twins.unforeseen, on: Twins.other) == own)
    // A reader who looked all the time was told nothing.
    twins.unforeseen.letTimePass()
    #expect(twins.unforeseen.told.isEmpty)
    // Rows that workers lay out for it, and rows that they do not yet.
    try twins.layKnowing(1101, words: 40)
    try twins.lay(1102, words: 20)
    try twins.layKnowing(30, words: 9)
    for stage in [twins.unforeseen, twins.prepared] { stage.tick() }
    try follower.listen()
    try other.listen()
    #expect(follower.mirror.rows.suffix(2).map(\.number.number) == [1101, 1102])
    #expect(follower.mirror.rows == other.mirror.rows && follower.mirror.frame.extent == other.mirror.frame.extent)
}

@Test func `when all rows are laid out for a screen, nobody else has to`() throws {
    let twins = try Twins(rows: 300)
    while try twins.extendSome() {}
    let desk = try WindowStage.desk(in: twins.unforeseen.folder, WindowStage.patience)
    let opening = WindowOpening(
        window: WindowID(1), conversation: twins.unforeseen.conversation, target: Twins.target, screen: 900)
    guard case .window(let reply)? = desk.answer(.open(opening), from: WindowClient("r"), at: .now).first else {
        Issue.record("not opened")
        return
    }
    #expect(reply.rows.count == 50 && reply.rows.allSatisfy { $0.body?.layout.isEmpty == false })
}

@Test func `readers who ask for a screen are counted once each, but for those of the style, and told now and then`()
    throws
{
    let twins = try Twins(rows: 20)
    let start = ContinuousClock.now
    func open(_ name: String, _ target: Target, as own: String?) throws -> Reader {
        try Reader(name, on: twins.unforeseen, reader: WindowReader(own: own.map { try SenderID($0) }), target: target)
    }
    for _ in 0..<5 { _ = try open("r", Twins.target, as: "ada") }
    _ = try open("s", Twins.target, as: "bob")
    _ = try open("s", Twins.other, as: "bob")
    for _ in 0..<50 { _ = try open("nobody", Twins.target, as: nil) }
    let desk = twins.unforeseen.desk
    #expect(desk.takeWantedScreens(at: start) == [WantedTarget(Twins.target, times: 2)])
    let reader = try open("r", Twins.target, as: "ada")
    let next = Target(width: .points(348), scale: .two)
    _ = twins.unforeseen.say(.resize(WindowID(1), next, screen: 1000, nil), as: reader.client)
    #expect(desk.takeWantedScreens(at: start + .seconds(5)).isEmpty)
    _ = twins.unforeseen.say(.prewarm(twins.unforeseen.conversation, [next]), as: reader.client)
    #expect(desk.takeWantedScreens(at: start + .seconds(11)) == [WantedTarget(next, times: 1)])
    #expect(desk.takeWantedScreens(at: start + .seconds(60)).isEmpty)
    // An hour later the same reader counts again.
    #expect(desk.takeWantedScreens(at: start + .seconds(3700)).isEmpty)
    _ = try open("r", Twins.target, as: "ada")
    #expect(desk.takeWantedScreens(at: start + .seconds(3711)) == [WantedTarget(Twins.target, times: 1)])
}

@Test(arguments: ["100@1", "390@3,400", "390@8", "4000@2"])
func `a screen that nobody holds is shown, and not prepared`(text: String) throws {
    let target = try #require(Target(text: text))
    var tally = ScreenTally(prepared: [])
    for i in 0..<200 { tally.count(target, for: try SenderID("s\(i)")) }
    #expect(tally.take(atMost: 64, at: .now).isEmpty)
    var demand = TargetDemand()
    demand.count([WantedTarget(target, times: 1000)], besides: [], TargetDemand.Limits())
    #expect(demand.candidates.isEmpty)
}

@Test func `a row of the next edition is shown on a screen that nobody foresaw as its own style lays it out`() throws {
    func source(_ name: String, of edition: EditionID) throws -> LayoutSource {
        let style = try StyleFiles.open(Project.file("config/styles/\(name).json5").path)
        return LayoutSource(edition: edition, style: style, texts: StyleTexts(style, measure: Worker.measure))
    }
    let (own, other) = (try source("bubble", of: EditionID("0a")), try source("flat", of: NextEdition.id))
    let stage = try WindowStage(source: own, sources: { $0 == NextEdition.id ? other : nil })
    var served = Worker(own.style, [Twins.other])
    var next = Worker(other.style, [Twins.other])
    for number in [1, 2, 4, 5, 7, 8] as [Int64] {
        try stage.commit([stage.change(number, .laidOut(served.row(number, saying: Int(number) * 9)))])
    }
    let edition = try NextEdition(on: stage, style: other.style)
    func lay(_ number: Int64) throws { try edition.lay([number: next.row(number, saying: Int(number) * 9)]) }
    for number in [3, 6, 9] as [Int64] { try lay(number) }
    // Everything in the style of the next edition, by workers who know of the screen.
    let prepared = try WindowStage()
    try EditionDecoration.write(try #require(other.style.decorationText), of: prepared.edition, in: prepared.folder)
    var knowing = Worker(other.style, [Twins.target])
    for number in 1...10 as ClosedRange<Int64> {
        try prepared.commit([prepared.change(number, .laidOut(knowing.row(number, saying: Int(number) * 9)))])
    }
    let whole = try Reader("r", on: prepared, target: Twins.target).mirror.rows
    var reader = try Reader("r", on: stage, target: Twins.target)
    try lay(10)
    stage.letTimePass()
    try reader.listen()
    #expect(reader.mirror.rows.map(\.number.number) == Array(1...10))
    for (row, expected) in zip(reader.mirror.rows, whole) {
        let isFiller = [3, 6, 9, 10].contains(row.number.number)
        #expect(row.body?.filler == (isFiller ? NextEdition.id : nil))
        #expect(row.height == row.body?.decoration.height)
        if isFiller {
            #expect(row.strip == expected.strip)
            #expect(row.body?.layout == expected.body?.layout, "\(row.number)")
        }
    }
}
