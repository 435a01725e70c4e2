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
import Transport
import Typography
import Wire

@testable import Gateway

/// The engine that lays messages out; workers and gateways have one each.
private final class Engine {
    private var composer: Composer
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()

    init(_ style: StyleSheet) { composer = Composer(style, targets: style.targets, measure: Worker.measure) }

    func row(of message: MessageState) throws(Objection) -> DraftLayouter.Row {
        var (layout, measured): ([UInt8], [UInt8]) = ([], [])
        do {
            let checked = try CheckedMessage(JSONReader(message.message()), of: composer.style)
            composer.layOut(checked, into: &sheet, measure: Worker.measure)
            try encoder.encode(sheet, into: &layout)
        } catch {
            throw Objection("\(error)")
        }
        composer.encodeMeasuredTexts(into: &measured)
        let role = RowRole(template: composer.rowTemplate, joinsSeries: composer.joinsSeries)
        return DraftLayouter.Row(role: role, layout: layout, measured: measured)
    }
}

/// A conversation, and the people who write in it.
private struct WritingStage {
    let stage: WindowStage
    private let worker: Engine
    static let minute: Int64 = 60_000

    init(_ name: String = "bubble", opening: DraftLayouter.Open? = nil) throws {
        let style = try StyleFiles.open(Project.file("config/styles/\(name).json5").path)
        let open: DraftLayouter.Open =
            opening ?? {
                let engine = Engine(style)
                return DraftLayouter { (message) throws(Objection) in try engine.row(of: message) }
            }
        let source = LayoutSource(
            edition: try EditionID("0a"), style: style, texts: StyleTexts(style, measure: Worker.measure),
            drafting: open)
        stage = try WindowStage(source: source, style: style.decoration())
        worker = Engine(style)
        stage.desk.asking = Asker(.anybody, writer: .backend)
    }

    func draft(_ number: Int64, _ body: String, by sender: String = "ada", after minutes: Int64 = 1) -> MessageDraft {
        let time = 1_700_000_000_000 + minutes * Self.minute
        return MessageDraft(
            Array(
                #"{"message":"m\#(number)","order":\#(number),"sender":"\#(sender)","time":\#(time),"body":\#(body)}"#
                    .utf8
            ))
    }

    /// Commits the row that a worker makes of a draft when it is posted.
    func accept(_ number: Int64, _ draft: MessageDraft) throws {
        let event = try draft.event(in: stage.conversation, by: nil, at: Timestamp(milliseconds: 0))
        let state = MessageState(
            order: try #require(event.order), body: try #require(event.body), status: event.status,
            reactions: event.reactions, revision: event.revision)
        let row = try worker.row(of: state)
        let stored = ShardRow(
            facts: state.facts, role: row.role, key: [], layout: row.layout, measured: row.measured)
        try stage.commit([stage.change(number, .laidOut(stored))])
    }

    func preview(_ draft: MessageDraft, by reader: Reader) throws -> GatewayWord {
        let words = stage.say(.preview(WindowID(1), draft), as: reader.client)
        return try words.first ?? (try heard(1)[0].word)
    }

    /// Waits for so many answers.
    func heard(_ count: Int) throws -> [ToldWord] {
        var words: [ToldWord] = []
        let deadline = ContinuousClock.now + patience
        while words.count < count {
            try #require(ContinuousClock.now < deadline, "\(words.count) of \(count) answers came")
            _ = try wait(for: [try #require(stage.desk.drafts)], atMost: .seconds(10))
            stage.desk.tellPreviews { _, word in
                words.append(word)
                return .done
            }
        }
        return words
    }
}

/// Every kind of message, as its page has it.
private let bodies: [String] = {
    let page = (try? String(contentsOf: Project.file("Sources/Wire/Wire.docc/Kinds.md"), encoding: .utf8)) ?? ""
    return page.components(separatedBy: "```json\n").dropFirst().map {
        $0.components(separatedBy: "\n```")[0].replacing("\n", with: " ")
    }
}()

private enum Neighbour: CaseIterable { case none, own, other, yesterday }

/// The row without its number, which nobody can know before the message is posted.
private func unnumbered(_ row: WindowRow) -> WindowRow {
    var row = row
    row.number = .draft
    return row
}

@Test(arguments: ["bubble", "flat"], ["390@3", "347@2.5"])
private func `a preview is the row that the message has when it is posted, whatever its kind and its neighbours`(
    style: String, screen: String
) throws {
    #expect(bodies.count > 20)
    let target = try #require(Target(text: screen))
    for neighbour in Neighbour.allCases {
        // As its sender sees it, and as another does.
        for (own, version) in [("ada", RowVersion.second), ("ben", .first)] {
            let place = try WritingStage(style)
            try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#, by: "ben", after: -3000))
            var number: Int64 = 2
            var reader = try Reader(
                "r", on: place.stage, reader: WindowReader(own: try SenderID(own)), target: target, rowVersion: version)
            for body in bodies {
                if neighbour != .none {
                    let sender = neighbour == .other ? "ben" : "ada"
                    let before: Int64 = neighbour == .yesterday ? -2000 : 0
                    let text = #"{"kind":"text","text":"Before"}"#
                    try place.accept(number, place.draft(number, text, by: sender, after: before))
                    place.stage.tick()
                    try reader.listen()
                    number += 1
                }
                let draft = place.draft(number, body)
                guard case .preview(_, let preview) = try place.preview(draft, by: reader) else {
                    Issue.record("\(body)")
                    return
                }
                let old = reader.mirror.rows
                try place.accept(number, draft)
                place.stage.tick()
                try reader.listen()
                let row = try #require(reader.mirror.rows.last)
                #expect(row.body?.layout.isEmpty == false)
                #expect(preview.row == unnumbered(row), "\(body) beside \(neighbour)")
                // And the rows beside it, as far as these have changed.
                let changed = zip(old, reader.mirror.rows).filter { $0 != $1 }.map(\.1)
                #expect(preview.neighbours == changed, "\(body) beside \(neighbour)")
                number += 1
            }
        }
    }
}

@Test(arguments: ["390@3", "347@2.5"], ["ada", "ben"])
private func `the draft of an edit has the row that the message gets, in its place and beside its neighbours`(
    screen: String, sender: String
) throws {
    let target = try #require(Target(text: screen))
    let place = try WritingStage()
    for number in 6...8 as ClosedRange<Int64> {
        try place.accept(number, place.draft(number, #"{"kind":"text","text":"Before"}"#))
    }
    // The first message, one between two others, and the last.
    for number in [6, 7, 8] as [Int64] {
        var reader = try Reader("r\(number)", on: place.stage, target: target)
        let old = reader.mirror.rows
        let draft = place.draft(number, #"{"kind":"text","text":"Edited, and much longer than it was"}"#, by: sender)
        guard case .preview(_, let preview) = try place.preview(draft, by: reader) else {
            Issue.record("no preview of \(number)")
            return
        }
        try place.accept(number, draft)
        place.stage.tick()
        try reader.listen()
        let rows = reader.mirror.rows
        #expect(rows.map(\.number) == old.map(\.number))
        let row = try #require(rows.first { $0.number == MessageNumber(number) })
        #expect(preview.row == unnumbered(row))
        let changed = zip(old, rows).filter { $0 != $1 }.map(\.1)
        #expect(preview.neighbours == changed.filter { $0.number != row.number })
    }
}

@Test func `nothing of a draft is left: the window, its conversation and who opens it next are as before`() throws {
    let place = try WritingStage()
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    let reader = try Reader("r", on: place.stage)
    let tally = place.stage.desk.answers.cutter.bytes
    for _ in 0..<3 {
        guard case .preview(_, let reply) = try place.preview(place.draft(2, bodies[0]), by: reader) else {
            Issue.record("no preview")
            return
        }
        #expect(reply.row.number == .draft && reply.cursor == reader.mirror.frame.cursor)
    }
    #expect(place.stage.desk.answers.cutter.bytes == tally)
    place.stage.letTimePass()
    #expect(place.stage.told.isEmpty)
    #expect(try Reader("s", on: place.stage).mirror.rows == reader.mirror.rows)
}

@Test(arguments: [
    (#"{"sender":"ada","time":1}"#, "sender", "expected no 'sender' without a body, found 'ada'"),
    (#"{}"#, "", "an event that sets"), (#"{"body":{"text":"Hello"}}"#, "body", "kind"),
    (#"{"text":"Hello","conversation":"d"}"#, "conversation", "expected 'c', of which the window is"),
    (#"{"text":"Hello","deleted":true}"#, "deleted", "a draft is"), (#"{"text":"Hello","txet":1}"#, "txet", "unknown"),
    (#"{"text":"Hello","sender":"ben"}"#, "sender", "expected 'ada', who posts this"),
    (#"{"text":"Hello","order":5}"#, "order", "is for backends"),
    (#"{"status":"read"}"#, "body", "is missing"),
    (#"{"body":{"kind":"photo","photo":{"width":"wide"}}}"#, "body", "width"),
])
private func `a draft that would not be accepted, or not be laid out, is answered with the field and the reason`(
    draft: String, field: String, reason: String
) throws {
    let place = try WritingStage()
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    let reader = try Reader("r", on: place.stage)
    place.stage.desk.asking = Asker(.anybody, writer: .person(try SenderID("ada")))
    let word = try place.preview(MessageDraft(Array(draft.utf8)), by: reader)
    guard case .rejected(_, .invalid(let fault)) = word else {
        Issue.record("\(word)")
        return
    }
    #expect(fault.field == field && fault.reason.contains(reason), "\(fault)")
}

@Test func `who writes in the own name need not say so, and stands at the end of the conversation`() throws {
    let place = try WritingStage()
    try place.accept(7, place.draft(7, #"{"kind":"text","text":"First"}"#))
    let reader = try Reader("r", on: place.stage, reader: WindowReader(own: try SenderID("ada")))
    place.stage.desk.asking = Asker(.anybody, writer: .person(try SenderID("ada")))
    let word = try place.preview(MessageDraft(Array(#"{"text":"Hello"}"#.utf8)), by: reader)
    guard case .preview(_, let reply) = word else {
        Issue.record("\(word)")
        return
    }
    #expect(reply.row.order == 8 && reply.row.message == MessageDraft.name)
    #expect(reply.row.body?.decoration.variant == .own)
}

@Test func `who may only read is refused, whatever the draft`() throws {
    let place = try WritingStage()
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    let reader = try Reader("r", on: place.stage)
    place.stage.desk.asking = .anybody
    #expect(try place.preview(place.draft(2, bodies[0]), by: reader) == .rejected(WindowID(1), .forbidden))
    #expect(try place.preview(MessageDraft([]), by: reader) == .rejected(WindowID(1), .forbidden))
}

@Test func `a draft is refused past the limits that hold at the moment, though they changed since the start`() throws {
    let place = try WritingStage()
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    let reader = try Reader("r", on: place.stage)
    let draft = place.draft(2, #"{"kind":"text","text":"See you at nine"}"#)
    var limits = IngestLimits()
    limits.textBytes = 10
    place.stage.desk.takeUp(drafts: limits)
    let fault = EventFault(field: "body", reason: "expected texts of at most 10 bytes")
    #expect(try place.preview(draft, by: reader) == .rejected(WindowID(1), .invalid(fault)))
    place.stage.desk.takeUp(drafts: IngestLimits())
    guard case .preview = try place.preview(draft, by: reader) else {
        Issue.record("no preview")
        return
    }
}

@Test func `of drafts that wait for one window the newest is laid out, and the others are superseded`() throws {
    let gate = DispatchSemaphore(value: 0)
    let place = try WritingStage(opening: {
        let engine = Engine(try StyleFiles.open(Project.file("config/styles/bubble.json5").path))
        return DraftLayouter { (message) throws(Objection) in
            gate.wait()
            return try engine.row(of: message)
        }
    })
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    let readers = try ["r", "s"].map { try Reader($0, on: place.stage) }
    for number in 2...4 as ClosedRange<Int64> {
        for reader in readers {
            let words = place.stage.desk.answer(
                .preview(WindowID(1), place.draft(number, bodies[0])), from: reader.client,
                request: RequestID(UInt64(number)), at: .now)
            #expect(words.isEmpty)
        }
    }
    for _ in 0..<4 { gate.signal() }
    let words = try place.heard(6)
    let superseded = words.filter { $0.word == .rejected(WindowID(1), .superseded) }.map(\.request.number)
    // The first of one reader is being laid out when the others come.
    #expect(superseded.sorted() == [2, 3, 3])
    let orders = words.compactMap { word -> Int64? in
        if case .preview(_, let reply) = word.word { reply.row.order } else { nil }
    }
    #expect(orders.sorted() == [2, 4, 4])
}

/// A stage whose drafts are laid out when a gate lets them.
private func gated(by gate: DispatchSemaphore) throws -> WritingStage {
    let place = try WritingStage(opening: {
        let engine = Engine(try StyleFiles.open(Project.file("config/styles/bubble.json5").path))
        return DraftLayouter { (message) throws(Objection) in
            gate.wait()
            return try engine.row(of: message)
        }
    })
    try place.accept(1, place.draft(1, #"{"kind":"text","text":"First"}"#))
    return place
}

extension WritingStage {
    /// Asks in the window of a reader, at the cost of somebody.
    fileprivate func ask(_ number: Int, in reader: Reader, paidBy name: String) throws -> [GatewayWord] {
        stage.desk.asking = Asker(.reader(try SenderID(name)), writer: .backend)
        return stage.desk.answer(
            .preview(WindowID(1), draft(Int64(number) + 2, bodies[0])), from: reader.client,
            request: RequestID(UInt64(number)), at: .now)
    }
}

/// The asker pays, in whatever window, by the time that the layout took, as for screens that nobody foresaw.
@Test func `who has had much laid out waits until others who write have had as much`() throws {
    let gate = DispatchSemaphore(value: 0)
    let place = try gated(by: gate)
    let readers = try (0..<5).map { try Reader("r\($0)", on: place.stage) }
    for number in 0..<3 { #expect(try place.ask(number, in: readers[number], paidBy: "ada").isEmpty) }
    for number in 3..<5 { #expect(try place.ask(number, in: readers[number], paidBy: "ben").isEmpty) }
    // The first one takes as long as hundreds of turns may.
    let end = ContinuousClock.now + .milliseconds(400)
    while .now < end {}
    for _ in 0..<5 { gate.signal() }
    #expect(try place.heard(5).map(\.request.number) == [0, 3, 4, 1, 2])
}

@Test func `who has sixteen drafts waiting is told to come back, in whatever window, and others are not`() throws {
    let gate = DispatchSemaphore(value: 0)
    let place = try gated(by: gate)
    let readers = try (0..<19).map { try Reader("r\($0)", on: place.stage) }
    // One is being laid out.
    for number in 0..<17 { #expect(try place.ask(number, in: readers[number], paidBy: "ada").isEmpty) }
    #expect(try place.ask(17, in: readers[17], paidBy: "ada") == [.refused(WindowID(1), .busy)])
    #expect(try place.ask(18, in: readers[18], paidBy: "ben").isEmpty)
    for _ in 0..<18 { gate.signal() }
    #expect(Set(try place.heard(18).map(\.request.number)) == Set(0...18).subtracting([17]))
}
