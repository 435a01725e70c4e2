import Foundation
import Names
import StandInService
import TestSupport
import Testing
import Wire

@testable import FormeClientZMQ

private func line(_ number: Int) -> String {
    #"{"conversation": "c", "message": "m\#(number)", "order": \#(number), "sender": "a", "time": 0, "text": "Hi"}"#
}

/// Imports a text, and returns the faults of lines that were not kept, the ledger, and the rows and lanes of the
/// service.
private func imported(
    _ text: String, from place: ImportLedger.Place = ImportLedger.Place(),
    habits: StandIn.Habits = StandIn.Habits(), turns: Int = .max
) throws -> (faults: [String], ledger: ImportLedger, rows: Int, lanes: Set<Lane>) {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    try Data(text.utf8).write(to: URL(filePath: folder.file("x.jsonl")))
    let file = try #require(FileHandle(forReadingAtPath: folder.file("x.jsonl")))
    let producer = try Producer(Endpoints(folder: folder.path).events)
    #expect(try producer.waitUntilWritable(atMost: patience))
    var faults: [String] = []
    var importer = try Importer(file, from: place, to: producer) { faults.append("\($0): \($1)") }
    var turn = 0
    while !importer.isDone, turn < turns {
        try importer.turn()
        turn += 1
    }
    return (faults, importer.ledger, service.messages(of: "c").count, Set(service.lanes))
}

@Test func `a file is imported line by line, behind what people write now`() throws {
    let text = (1...2000).map { line($0) + "\n" }.joined()
    let (faults, ledger, rows, lanes) = try imported(text)
    #expect(faults.isEmpty && rows == 2000 && lanes == [.backfill])
    #expect(ledger.counts.accepted == 2000)
    #expect(ledger.answered == ImportLedger.Place(offset: UInt64(text.utf8.count), lines: 2000))
}

@Test func `lines that are no events are told with their numbers, and the others are kept`() throws {
    let text = [line(1), "", "{", line(2), #"{"mesage": 1}"#, line(3)].joined(separator: "\n")
    let (faults, ledger, rows, _) = try imported(text)
    #expect(rows == 3 && ledger.counts.invalid == 2 && ledger.answered.lines == 6)
    #expect(faults.map { $0.prefix(2) } == ["3:", "5:"])
    #expect(faults[1].contains("mesage"))
}

@Test func `what the service refuses is told with its line, and what it has no room for is sent again`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 2
    let other = line(2).replacing("Hi", with: "Ho")
    let text = ((1...600).map(line) + [other]).joined(separator: "\n")
    let (faults, ledger, rows, _) = try imported(text, habits: habits)
    #expect(rows == 600 && ledger.counts.accepted == 600 && ledger.counts.invalid == 1)
    #expect(faults.count == 1 && faults[0].hasPrefix("601: body"))
}

@Test func `an import goes on where one before it got to`() throws {
    let lines = (1...10).map { line($0) + "\n" }
    let place = ImportLedger.Place(offset: UInt64(lines[..<7].joined().utf8.count), lines: 7)
    let (faults, ledger, rows, _) = try imported(lines.joined() + "}\n", from: place)
    #expect(rows == 3 && ledger.answered.lines == 11 && faults.map { $0.prefix(3) } == ["11:"])
}

@Test func `a file that ends with a whole request is answered to its end`() throws {
    // More requests than are under way at once, so that the end is met when some are answered.
    let (_, ledger, rows, _) = try imported((1...17 * 256).map { line($0) + "\n" }.joined())
    #expect(rows == 17 * 256 && ledger.answered.lines == 17 * 256)
}

@Test func `a mark before the first line is no part of it, and is a fault before any other`() throws {
    let (faults, _, rows, _) = try imported("\u{FEFF}\(line(1))\n\u{FEFF}\(line(2))\n")
    #expect(rows == 1 && faults.map { $0.prefix(2) } == ["2:"])
}

@Test func `lines that are not kept are counted up to the place that is answered`() throws {
    var ledger = ImportLedger()
    let event = MessageEvent(conversation: try ConversationID("c"), message: try MessageID("m"))
    let ends = (1...2).map { ImportLedger.Place(offset: UInt64($0) * 100, lines: $0 * 3) }
    ledger.refuse()
    #expect(ledger.refused == 0)
    _ = ledger.send([(2, .message(event)), (3, .message(event))], upTo: ends[0])
    ledger.refuse()
    _ = ledger.send([(5, .message(event))], upTo: ends[1])
    _ = ledger.answer(2, [.accepted])
    #expect(ledger.refused == 0 && ledger.counts.invalid == 2)
    _ = ledger.answer(1, [.invalid(field: "body", reason: "no"), .accepted])
    #expect(ledger.answered == ends[1] && ledger.refused == 3)
}

@Test func `a place is answered when all before it is, whatever the order of answers`() throws {
    var ledger = ImportLedger()
    let event = MessageEvent(conversation: try ConversationID("c"), message: try MessageID("m"))
    let ends = (1...3).map { ImportLedger.Place(offset: UInt64($0) * 100, lines: $0) }
    let requests = ends.map { ledger.send([($0.lines, .message(event))], upTo: $0)?.number }
    #expect(requests == [1, 2, 3] && ledger.flightCount == 3)
    #expect(ledger.answer(2, [.accepted]).faults.isEmpty && ledger.answered == ImportLedger.Place())
    let (faults, wait) = ledger.answer(1, [.busy(retryAfter: 30)])
    #expect(faults.isEmpty && wait == 30 && ledger.answered.lines == 0 && ledger.open == [1, 3])
    _ = ledger.answer(1, [.invalid(field: "body", reason: "no")])
    #expect(ledger.answered == ends[1] && ledger.counts.invalid == 1)
    #expect(ledger.send([], upTo: ImportLedger.Place(offset: 400, lines: 4)) == nil && ledger.answered == ends[1])
    _ = ledger.answer(3, [.duplicate])
    #expect(ledger.isEmpty && ledger.answered.lines == 4 && ledger.counts.total == 3)
}

@Test(arguments: [RequestLimits(events: 7, bytes: 1 << 20), RequestLimits(events: 256, bytes: 900)])
func `an import sends no more at once than the service takes`(limits: RequestLimits) throws {
    var habits = StandIn.Habits()
    (habits.limits, habits.busyEvery) = (limits, 4)
    let (faults, ledger, rows, _) = try imported((1...600).map { line($0) + "\n" }.joined(), habits: habits)
    #expect(faults.isEmpty && rows == 600 && ledger.counts.accepted == 600 && ledger.answered.lines == 600)
}

@Test func `the fault of a request marks no line of it as imported`() throws {
    let folder = try TemporaryFolder()
    var habits = StandIn.Habits()
    habits.refusesMessage = "m5"
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    try Data((1...9).map { line($0) + "\n" }.joined().utf8).write(to: URL(filePath: folder.file("x.jsonl")))
    let file = try #require(FileHandle(forReadingAtPath: folder.file("x.jsonl")))
    let endpoint = Endpoints(folder: folder.path).events
    let producer = try Producer(endpoint)
    #expect(try producer.waitUntilWritable(atMost: patience))
    var importer = try Importer(file, from: ImportLedger.Place(), to: producer) { Issue.record("\($0): \($1)") }
    func run() throws {
        while !importer.isDone { try importer.turn() }
    }
    #expect(throws: ClientError.requestRefused(endpoint: endpoint, reason: "no")) { try run() }
    #expect(importer.ledger.answered == ImportLedger.Place() && importer.ledger.counts.invalid == 0)
}

@Test func `lines are read with their places, whatever their length`() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: LineReader.longestLine + 1)
    let texts = ["a", "", long, "ö" + String(repeating: "y", count: 300_000), "last"]
    try Data(texts.joined(separator: "\n").utf8).write(to: URL(filePath: folder.file("x")))
    let file = try #require(FileHandle(forReadingAtPath: folder.file("x")))
    var reader = try LineReader(file)
    var read: [LineReader.Line] = []
    while let line = try reader.next() { read.append(line) }
    #expect(read.map { $0.bytes?.count } == [1, 0, nil, 300_002, 4] && read.map(\.number) == [1, 2, 3, 4, 5])
    var again = try LineReader(file, from: read[2].end, after: 3)
    #expect(try again.next() == read[3] && again.next() == read[4] && again.next() == nil)
}
