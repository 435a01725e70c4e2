import Conversation
import HTTP
import Pool
import TestSupport
import Testing
import Transport
import Wire

@testable import Gateway

/// A stream of one window, and what its reader heard.
private final class StreamReader {
    let stage: WindowStage
    let streams: WindowStreams
    private(set) var heard = ""
    /// False while it is away.
    private(set) var isThere = false
    var takesNothing = false

    init(_ stage: WindowStage) {
        self.stage = stage
        streams = WindowStreams(stage.desk)
    }

    /// Names of events, in order, since the last call.
    func takeNames() -> [String] {
        defer { heard = "" }
        return heard.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    private(set) var lastID = ""

    private func hear(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        heard += text
        for line in text.split(separator: "\n") where line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
    }

    func open(as id: String? = nil, wantsBodies: Bool = false) throws {
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 20, screen: 2000,
            wantsBodies: wantsBodies)
        var headers: Headers = [:]
        if let id { headers["Last-Event-ID"] = id }
        let target = try #require(RequestTarget(Array("/".utf8)))
        let request = Request(method: .get, target: target, headers: headers)
        stage.prepare(opening)
        let answer = streams.open(opening, for: .everything, request, at: .now)
        guard case .stream(let head) = answer, case .bytes(let bytes) = head.body else {
            Issue.record("\(answer)")
            return
        }
        hear(bytes)
        isThere = true
    }

    /// Waits until everything that is being written is told, and the words that wait for it, too.
    func settle() throws {
        let deadline = ContinuousClock.now + patience
        repeat {
            if let source = streams.source { _ = try wait(for: [source], atMost: .milliseconds(20)) }
            streams.tellWritten(at: .now) { take($1) }
            streams.settle(at: .now) { _, bytes in
                take(bytes)
            } _: { _ in
            }
        } while streams.isWriting && .now < deadline
    }

    private func take(_ bytes: [UInt8]) -> Sent {
        hear(bytes)
        return .done
    }

    /// Says a word, which the stream answers.
    func say(_ word: String) throws -> Int {
        let target = try #require(RequestTarget(Array("/".utf8)))
        let request = Request(method: .post, target: target, body: Array(word.utf8))
        let name = String(streams.names.first?.text ?? "")
        return streams.hear(request, on: name, of: stage.conversation, for: .everything, at: .now).status
    }

    func follow() {
        stage.desk.follow(at: .now + .seconds(1)) { client, word in
            guard case .stream(let name) = client else { return .gone }
            return streams.deliver(word, to: name, at: .now) { _, bytes in
                if takesNothing { return .slow }
                hear(bytes)
                return .done
            }
        }
    }
}

@Test func `a stream begins with a window, and tells every change of it`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    for number in 101...105 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        reader.follow()
    }
    #expect(reader.takeNames() == ["window", "changes", "changes", "changes", "changes", "changes"])
}

@Test func `a reader who is too slow is dropped, and goes on where the last event left it`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    try stage.commit([try stage.laidOut(101)])
    reader.follow()
    reader.takesNothing = true
    for number in 102...110 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        reader.follow()
    }
    #expect(reader.takeNames() == ["window", "changes"] && reader.streams.count == 0 && stage.desk.count == 1)
    reader.takesNothing = false
    try reader.open(as: reader.lastID)
    #expect(reader.heard.contains("\"m102\"") && reader.heard.contains("\"m110\""))
    #expect(reader.takeNames() == ["changes"])
}

@Test func `who lost some events on the way is told them again, and who lost more than is known gets the window`()
    throws
{
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    let first = reader.lastID
    for number in 101...110 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        reader.follow()
    }
    _ = reader.takeNames()
    try reader.open(as: first)
    #expect(reader.heard.contains("\"m101\"") && reader.takeNames() == ["changes"])
    for number in 111...160 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        reader.follow()
    }
    _ = reader.takeNames()
    try reader.open(as: first)
    #expect(reader.takeNames() == ["window"])
    // A reader who names an event that was never sent gets the window, too.
    try reader.open(as: "7.7.7.7")
    #expect(reader.takeNames() == ["window"])
}

@Test func `where nothing was told after the first window, a reader gets it whole, whatever moment it names`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    // The stream has its name from the head, and the moment may be that of another stream, with other rows.
    try reader.open(as: reader.lastID)
    #expect(reader.takeNames() == ["window", "window"])
    try stage.commit([try stage.laidOut(101)])
    reader.follow()
    _ = reader.takeNames()
    try reader.open(as: reader.lastID)
    #expect(reader.takeNames() == ["changes"])
}

@Test func `a moment of a window that was closed is none of the window that takes its number`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    try stage.commit([try stage.laidOut(101)])
    reader.follow()
    _ = reader.takeNames()
    let id = reader.lastID
    // Nothing happens from here on, so the windows are of the same moment.
    #expect(try reader.say(#"{"close":{"window":1}}"#) == 202)
    try reader.open(as: id)
    // What it was told is lost, and it comes back once more.
    try reader.open(as: id)
    #expect(reader.takeNames() == ["window", "window"])
    #expect(try reader.say(#"{"close":{"window":1}}"#) == 202)
    let word = """
        {"open":{"window":1,"conversation":"c","target":{"width":320,"scale":2},"count":10,"screen":2000,\
        "bodies":false,"around":"newest"}}
        """
    #expect(try reader.say(word) == 202)
    let client = WindowClient.stream(try #require(reader.streams.names.first))
    let seat = try #require(stage.desk.followers.seats[client]?[WindowID(1)])
    #expect(!seat.isSure(at: seat.window.cursor))
}

@Test func `an answer on its way is not told to a connection that began with what it did`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = StreamReader(stage)
    try reader.open()
    try stage.commit([try stage.laidOut(101)])
    reader.follow()
    _ = reader.takeNames()
    #expect(try reader.say(#"{"adjust":{"window":1,"most":10,"focus":0}}"#) == 202)
    #expect(try reader.say(#"{"page":{"window":1,"side":"older","count":10}}"#) == 202)
    // In the same turn its reader is back, and is told the window as those words made it.
    try reader.open(as: reader.lastID)
    #expect(reader.takeNames() == ["window"])
    try reader.settle()
    #expect(reader.takeNames().isEmpty)
}

@Test func `who stays away is forgotten`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let reader = StreamReader(stage)
    try reader.open()
    try stage.commit([try stage.laidOut(11)])
    reader.follow()
    reader.takesNothing = true
    try stage.commit([try stage.laidOut(12)])
    reader.follow()
    reader.streams.tidy(at: .now + .seconds(30), absence: .seconds(60)) { _, _ in .done }
    #expect(stage.desk.count == 1)
    reader.streams.tidy(at: .now + .seconds(61), absence: .seconds(60)) { _, _ in .done }
    #expect(stage.desk.count == 0)
}

@Test func `who goes before anything was told leaves nothing behind`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let reader = StreamReader(stage)
    try reader.open()
    reader.takesNothing = true
    try stage.commit([try stage.laidOut(11)])
    reader.follow()
    #expect(stage.desk.count == 0 && reader.streams.count == 0)
}

@Test func `a long word is written beside the loop, and what follows is told behind it`() throws {
    let stage = try WindowStage()
    let layout = try SampleRecord.heavy(bytes: 8 << 10)
    try stage.commit(
        (1...20).map { number in
            try stage.change(number, .laidOut(ShardSample.row(order: number, key: "k", layout: layout)))
        })
    let reader = StreamReader(stage)
    try reader.open(wantsBodies: true)
    // The head is there; the window itself is not written yet.
    #expect(reader.takeNames().isEmpty)
    #expect(try reader.say(#"{"locate":{"window":1,"y":0}}"#) == 202)
    try stage.commit([try stage.laidOut(21)])
    reader.follow()
    #expect(reader.takeNames().isEmpty)
    try reader.settle()
    #expect(reader.takeNames() == ["window", "place"])
    // The change that happened meanwhile is told next.
    reader.follow()
    try reader.settle()
    #expect(reader.takeNames() == ["changes"])
    #expect(reader.lastID.contains("."))
    // A reader who goes before anything was told after the window leaves nothing behind, however long it took.
    let other = StreamReader(stage)
    try other.open(wantsBodies: true)
    try other.settle()
    #expect(other.takeNames() == ["window"] && other.streams.count == 1)
    other.streams.leave(Request(method: .get, target: try #require(RequestTarget(Array("/".utf8)))).id, at: .now)
    #expect(other.streams.count == 0 && other.streams.names.isEmpty)
}
