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

/// The row that a gateway cuts of a long message.
private func row(_ body: String) throws -> [UInt8] {
    let layouts = try MessageLayouts(
        style: Project.file("config/styles/bubble.json5").path, fonts: Project.file("config/fonts.json5").path,
        targets: [LayoutTarget(width: 390, scale: 2)])
    var cutter = RecordCutter()
    var row: [UInt8] = []
    try cutter.cut(LayoutRecord(layouts.record(of: Array(body.utf8))), target: 0, variant: 1, into: &row)
    return row
}

extension FormeClient.Window {
    fileprivate func layout(ofMessage id: String) -> [UInt8] { index(ofMessage: id).map { self[$0].layout } ?? [] }
    fileprivate var tops: [Int64] { indices.map { self[$0].y } }
}

extension Stage {
    fileprivate var linesAsked: Int { words.count { if case .lines = $0 { true } else { false } } }
}

@Test func `the lines of a long text come by themselves, and nothing moves`() async throws {
    let text = try row(LongMessage.mixed.body)
    let stage = try Stage(rows: 100)
    await stage.write(text, in: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let frames = RowFrames()
    var shown: [FormeClient.Window] = []
    var counts: [Int] = []
    for try await update in open.updates {
        shown.append(update.window)
        let row = update.window[update.window.count - 1]
        let lines = frames.frames(of: row, isExpanded: true).flatMap(\.lines)
        counts.append(lines.count)
        #expect(update.isWhole || update.filled == [row.id])
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.rect.top <= $1.rect.top || $1.range.lowerBound == 0 })
        if row.isWhole { break }
    }
    let whole = try #require(shown.last)
    #expect(whole.isWhole && whole.layout(ofMessage: "m100") == text)
    #expect(shown.first?.isWhole == false && counts == counts.sorted() && (counts.last ?? 0) > 2_000)
    #expect(shown.allSatisfy { $0.tops == whole.tops && $0.extent == whole.extent })
    #expect(await stage.linesAsked <= 6)
    #expect(try await open.whole() == whole)
}

@Test func `the text that is seen comes before others`() async throws {
    let text = try row(LongMessage.leftToRight.body)
    let stage = try Stage(rows: 100)
    for number in [70, 80, 99] as [Int64] { await stage.write(text, in: number) }
    await stage.mute(true)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, around: .message("m80"))
    await stage.mute(false)
    // The question that nobody heard is asked again on the next line.
    await stage.breakLines()
    #expect(try await open.whole().isWhole)
    var rows: [Int64] = []
    for case .lines(_, let wanted) in await stage.words where rows.last != wanted.row.number {
        rows.append(wanted.row.number)
    }
    #expect(rows.first == 80 && Set(rows) == [70, 80, 99])
}

@Test func `a text that is edited while it comes begins again, and one that is dressed anew goes on`() async throws {
    let (old, new) = (try row(LongMessage.leftToRight.body), try row(LongMessage.leftToRight.edited))
    let stage = try Stage(rows: 100)
    await stage.write(old, in: 100)
    await stage.refuseLines(1)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    _ = try await open.wait { $0.isWhole }
    try await expectSoon { await stage.linesAsked > 0 }
    // The next question asks for lines of a text that is gone.
    await stage.write(new, in: 100)
    try await stage.put(101...101)
    let edited = try await open.whole()
    #expect(edited.layout(ofMessage: "m100") == new)
    let asked = await stage.linesAsked

    // The row is told as an excerpt again, though all of its lines are here.
    try await stage.put(102...103)
    let row = try #require(await stage.timeline.rows([MessageNumber(100)]).first).row
    let window = await open.window
    let set = ChangeSet(
        window: WindowID(1), since: try #require(window.mirror).frame.cursor,
        changes: [
            WindowChange(
                .redecorate(at: try #require(window.index(ofMessage: "m100")), row), heightDelta: 0,
                change: .appearance, reason: .live)
        ], anchors: [], frame: try #require(window.mirror).frame)
    await stage.tell(.changes(set))
    _ = try await open.wait { $0.changes.contains { if case .redecorate = $0.kind { true } else { false } } }
    #expect(await open.window.layout(ofMessage: "m100") == new)
    #expect(await stage.linesAsked == asked)
}

@Test func `what came of a text is kept with what is missing, and the rest is asked for the next time`() async throws {
    let text = try row(LongMessage.rightToLeft.body)
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 100)
    await stage.write(text, in: 100)
    await stage.refuseLines(.max)
    var open = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    await open.close()
    await stage.refuseLines(0)
    // Nobody answers before what is kept was looked at.
    await stage.fail(.max)
    open = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    let kept = try await open.wait { _ in true }
    await stage.fail(0)
    #expect(kept.window.source == .cache && !kept.window.isWhole)
    #expect(try await open.whole().layout(ofMessage: "m100") == text)
    await open.close()
    let asked = await stage.linesAsked
    open = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    let whole = try await open.wait { $0.window.source == .gateway }.window
    #expect(whole.layout(ofMessage: "m100") == text)
    #expect(await stage.linesAsked == asked)
}

@Test func `lines that come while changes are missing are followed by others when these have come`() throws {
    let lines = try RowLines(row(LongMessage.leftToRight.body))
    let decoration = Rows.Decoration(
        variant: .other, series: .single, height: 100, gapAbove: 0, gapBelow: 0, content: .zero,
        bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
    func told(_ range: Range<Int>) throws -> WindowRow {
        WindowRow(
            number: MessageNumber(1), message: try MessageID("m1"), order: 1, height: 100, lead: 0, strip: 100,
            body: .init(decoration: decoration, layout: lines.excerpt(range)))
    }
    func cursor(_ stamp: UInt64) -> WindowCursor { WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(stamp)) }
    func frame(_ stamp: UInt64) throws -> WindowFrame {
        WindowFrame(
            cursor: cursor(stamp), edition: try EditionID("0a"), isOld: false, rowsAbove: 0, rowsBelow: 0, top: 0,
            extent: 0..<100)
    }
    func changes(from old: UInt64, to new: UInt64) throws -> GatewayWord {
        .changes(
            ChangeSet(window: WindowID(1), since: cursor(old), changes: [], anchors: [], frame: try frame(new)))
    }
    let opening = WindowOpening(
        window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target, screen: 1_400)
    var course = WindowCourse(opening)
    _ = course.begin(line: "")
    var effects = course.hear(
        .window(
            WindowReply(
                window: WindowID(1), part: .whole, reason: .firstLoad, frame: try frame(1), rows: [try told(0..<40)],
                insertedAbove: 0, firstVisible: nil, contentFits: true,
                prefetch: PrefetchHint(older: nil, newer: nil))))
    func wanted(_ range: Range<Int>) -> WindowCourse.Effect {
        .ask(.lines(WindowID(1), WantedLines(row: MessageNumber(1), mark: lines.mark, lines: range)))
    }
    #expect(effects.last == wanted(40..<200))
    #expect(course.hear(try changes(from: 2, to: 3)) == [.ask(.changes(WindowID(1), since: cursor(1)))])
    guard case .ask(let question)? = effects.last else { return }
    effects = course.hear(.rows(WindowID(1), [try told(40..<200)]), answering: question)
    #expect(effects.count == 1)
    effects = course.hear(try changes(from: 1, to: 3), answering: .changes(WindowID(1), since: cursor(1)))
    #expect(effects.last == wanted(200..<1000))
}
