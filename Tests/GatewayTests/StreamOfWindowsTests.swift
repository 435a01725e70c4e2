import Conversation
import Foundation
import JSON
import Names
import Pool
import Secrets
import TestSupport
import Testing
import Transport
import Wire

@testable import Gateway
@testable import HTTP

/// The reader of a stream of events with several windows, who believes what it is told.
private final class Page {
    let stage: WindowStage
    let streams: WindowStreams
    var bearer: Grant
    private(set) var name = ""
    private(set) var id: String?
    /// Events since they were taken last.
    private var events: [(name: String, window: UInt32, text: String)] = []
    /// Orders of the rows that each window shows.
    private(set) var shown: [UInt32: [Int64]] = [:]
    /// Events that are sent do not arrive, and nobody has noticed.
    var isCut = false
    private var request = Request.ID(number: 0)
    private(set) var isOver = false

    init(_ stage: WindowStage, for bearer: Grant = .everything, _ streams: WindowStreams? = nil) {
        (self.stage, self.bearer) = (stage, bearer)
        self.streams = streams ?? WindowStreams(stage.desk)
    }

    private static func opening(_ window: UInt32, _ conversation: ConversationID, _ place: WindowPlace) -> WindowOpening
    {
        WindowOpening(
            window: WindowID(window), conversation: conversation, target: WindowStage.target, place: place, count: 10,
            screen: 2000, wantsBodies: false)
    }

    /// Begins, or comes back with the name of the last event.
    func connect(window: UInt32 = 1) throws {
        (isCut, isOver) = (false, false)
        request = Request.ID(number: .random(in: 1 ... .max))
        var headers: Headers = [:]
        if let id { headers["Last-Event-ID"] = id }
        let opening = Self.opening(window, stage.conversation, .newest)
        stage.prepare(opening)
        let answer = streams.open(
            opening, for: bearer, Request(id: request, method: .get, target: try Self.nowhere(), headers: headers),
            at: .now)
        guard case .stream(let head) = answer, case .bytes(let bytes) = head.body else {
            throw NoStream(answer: "\(answer)")
        }
        name = try #require(head.headers["Forme-Stream"])
        try hear(bytes)
        try settle()
    }

    struct NoStream: Error { let answer: String }

    private static func nowhere() throws -> RequestTarget { try #require(RequestTarget(Array("/".utf8))) }

    /// - Parameter waits: whether all answers are heard, also those that wait for a conversation.
    @discardableResult
    func say(_ word: String, for other: Grant? = nil, waits: Bool = true) throws -> Int {
        let request = Request(
            method: .post, target: try Self.nowhere(), headers: ["Content-Type": "application/json"],
            body: Array(word.utf8))
        let status = streams.hear(request, on: name, of: stage.conversation, for: other ?? bearer, at: .now).status
        if waits { try proceed() } else { try settle() }
        return status
    }

    /// Lets conversations come into memory, and hears the answers to words that waited for them.
    func proceed() throws {
        var sent: [UInt8] = []
        while stage.desk.isComing {
            _ = stage.desk.proceed(at: .now) { client, word in
                guard case .stream(let name) = client else { return .gone }
                return streams.deliver(word, to: name, isAnswer: true, at: .now) { _, bytes in
                    sent += bytes
                    return .done
                }
            }
        }
        try hear(sent)
        try settle()
    }

    func open(
        _ window: UInt32, _ conversation: String = "c", around place: String = #""newest""#, waits: Bool = true
    ) throws -> Int {
        try say(
            """
            {"open":{"window":\(window),"conversation":"\(conversation)","target":{"width":320,"scale":2},"count":10,\
            "screen":2000,"bodies":false,"around":\(place)}}
            """, waits: waits)
    }

    private func settle() throws {
        var sent: [UInt8] = []
        streams.settle(at: .now) { to, bytes in
            if to == request { sent += bytes }
            return .done
        } _: { ended in
            if ended == request { isOver = true }
        }
        try hear(sent)
    }

    func happen(_ changes: [ShardChange]) throws {
        try stage.commit(changes)
        var sent: [UInt8] = []
        stage.desk.follow(at: .now + .seconds(1)) { client, word in
            guard case .stream(let name) = client else { return .gone }
            return streams.deliver(word, to: name, at: .now) { _, bytes in
                sent += bytes
                return .done
            }
        }
        try hear(sent)
        try settle()
    }

    /// The gateway closes a window, while an answer about another one waits to be told.
    func lose(_ window: UInt32) throws {
        let client = try #require(StreamName(name))
        let question = Request(
            method: .post, target: try Self.nowhere(), headers: ["Content-Type": "application/json"],
            body: Array(#"{"locate":{"window":1,"y":0}}"#.utf8))
        _ = streams.hear(question, on: name, of: stage.conversation, for: bearer, at: .now)
        stage.desk.followers.close(WindowID(window), of: .stream(client))
        let refusal = ToldWord(.refused(WindowID(window), .resync))
        let outcome = streams.deliver(refusal, to: client, at: .now) { _, _ in .done }
        #expect(outcome == .done)
        try settle()
    }

    func leave() { streams.leave(request, at: .now) }

    private func hear(_ bytes: [UInt8]) throws {
        guard !isCut else { return }
        for event in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") {
            var fields: [String: String] = [:]
            for line in event.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                if parts.count == 2 { fields[parts[0]] = parts[1] }
            }
            if let id = fields["id"] { self.id = id }
            guard let name = fields["event"], let data = fields["data"] else { continue }
            let told = try JSONValue.parse(Array(data.utf8)).object?[name]
            let window = UInt32(try #require(told?["window"]?.number?.integer))
            events.append((name, window, data))
            apply(told, name, window)
        }
    }

    private func apply(_ told: JSONValue?, _ name: String, _ window: UInt32) {
        func orders(_ value: JSONValue?) -> [Int64] {
            (value?["rows"]?.array ?? []).compactMap { $0["order"]?.number?.integer }.map(Int64.init)
        }
        switch name {
        case "window": shown[window] = orders(told)
        case "changes":
            for change in told?["changes"]?.array ?? [] {
                if let at = change["insert"]?.number?.integer {
                    shown[window]?.insert(contentsOf: orders(change), at: at)
                } else if let at = change["remove"]?.number?.integer, let count = change["count"]?.number?.integer {
                    shown[window]?.removeSubrange(at..<at + count)
                }
            }
        case "refused": if !(told?["because"] == .string("busy")) { shown[window] = nil }
        case "done": shown[window] = nil
        default: break
        }
    }

    /// The events that were told since, such as `window 2`.
    func told() -> [String] {
        defer { events = [] }
        return events.map { event in
            let because = event.text.firstRange(of: "because").map { event.text[$0.upperBound...] } ?? ""
            return "\(event.name) \(event.window)" + because.filter(\.isLetter).map(String.init).joined().withSpace
        }
    }

    /// Orders of the rows that the gateway has in each window of it.
    var held: [UInt32: [Int64]] {
        guard let name = StreamName(name) else { return [:] }
        var held: [UInt32: [Int64]] = [:]
        for (window, seat) in stage.desk.followers.seats[.stream(name)] ?? [:] {
            held[window.number] = seat.shared.timeline.rows(seat.window.range).map(\.order)
        }
        return held
    }
}

extension String {
    fileprivate var withSpace: String { isEmpty ? "" : " " + self }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? { object?[key] }
}

private func stage() throws -> WindowStage {
    let stage = try WindowStage()
    try stage.fill(100)
    return stage
}

@Test func `a stream takes further windows up and lets them go, and each is told what happens in it`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    #expect(try page.open(2, around: #"{"message":"m50"}"#) == 202 && page.open(7) == 202)
    #expect(page.told() == ["window 1", "window 2", "window 7"] && page.shown[2]?.contains(50) == true)
    try page.happen([stage.laidOut(101)])
    #expect(Set(page.told()) == ["changes 1", "changes 2", "changes 7"])
    #expect(page.shown == page.held && page.shown[1]?.last == 101 && page.shown[2]?.last != 101)
    // A word is about the window that it names.
    #expect(
        try page.say(#"{"locate":{"window":2,"y":0}}"#) == 202
            && page.say(#"{"heights":{"window":3,"from":0,"to":9}}"#) == 202)
    #expect(page.told() == ["place 2", "refused 3 unknownWindow"])
    #expect(try page.say(#"{"close":{"window":1}}"#) == 202)
    try page.happen([stage.laidOut(102)])
    #expect(Set(page.told()) == ["done 1", "changes 2", "changes 7"])
    try page.say(#"{"close":{"window":2}}"#)
    #expect(!page.isOver)
    // With the last of them the stream ends.
    try page.say(#"{"close":{"window":7}}"#)
    #expect(page.isOver && page.streams.count == 0 && stage.desk.count == 0)
}

@Test func `that a window is closed is told, also behind an answer that is not told yet`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    _ = try page.open(2)
    _ = page.told()
    try page.lose(2)
    #expect(page.told() == ["place 1", "refused 2 resync"] && page.shown == page.held)
}

@Test func `who comes back with the last event is told of every window what followed`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    _ = try page.open(2, around: #"{"message":"m50"}"#)
    try page.happen([stage.laidOut(101)])
    _ = page.told()
    page.leave()
    try page.happen([stage.laidOut(102), stage.change(50, .removed)])
    try page.connect()
    #expect(page.told() == ["changes 1", "changes 2"] && page.shown == page.held)
    #expect(page.shown[1]?.last == 102 && page.shown[2]?.contains(50) == false)
}

@Test func `a window of which nothing has arrived comes whole, and one that is gone is refused`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    _ = try page.open(2)
    try page.happen([stage.laidOut(101)])
    page.isCut = true
    // It hears neither of the window that is opened nor of the other that is closed.
    _ = try page.open(3)
    try page.say(#"{"close":{"window":2}}"#)
    _ = page.told()
    try page.connect()
    #expect(page.told() == ["changes 1", "window 3", "refused 2 resync"] && page.shown == page.held)
}

@Test func `who comes back to a window with a row that cannot be shown is not told of the others`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    try page.happen([stage.laidOut(101)])
    page.leave()
    try page.happen([stage.laidOut(102)])
    try page.happen([stage.laidOutElsewhere(103)])
    #expect(throws: Page.NoStream.self) { try page.connect() }
    #expect(stage.desk.count == 0)
    try page.happen([stage.laidOut(103)])
    _ = page.told()
    try page.connect()
    #expect(page.told() == ["window 1"] && page.shown == page.held && page.shown[1]?.last == 103)
}

@Test func `the request that comes back says which window it describes, and one that was closed is opened again`()
    throws
{
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    _ = try page.open(2)
    try page.say(#"{"close":{"window":1}}"#)
    try page.happen([stage.laidOut(101)])
    let name = page.name
    _ = page.told()
    try page.connect()
    #expect(page.told() == ["window 1", "changes 2"] && page.name == name && page.shown == page.held)
    try page.say(#"{"close":{"window":1}}"#)
    try page.happen([stage.laidOut(102)])
    _ = page.told()
    // Window 2 is on another screen than the query says, so this is another stream.
    try page.connect(window: 2)
    #expect(page.told() == ["window 2"] && page.name != name)
}

@Test func `windows are told as they are, whatever is lost and in whatever order they come and go`() {
    forEachSeed(40) { random in
        let stage = try stage()
        let page = Page(stage)
        try page.connect()
        var number: Int64 = 100
        for _ in 0..<60 {
            switch Int.random(in: 0...8, using: &random) {
            case 0...3:
                number += 1
                try page.happen([stage.laidOut(number)])
            case 4: try page.happen([stage.change(.random(in: 1...number, using: &random), .removed)])
            case 5:
                let place = Int64.random(in: 1...number, using: &random)
                _ = try page.open(.random(in: 2...5, using: &random), around: #"{"date":\#(place)}"#)
            case 6: try page.say(#"{"close":{"window":\#(Int.random(in: 2...5, using: &random))}}"#)
            case 7: page.isCut = true
            default: try page.connect()
            }
            if !page.isCut, page.shown != page.held { return false }
        }
        try page.connect()
        return page.shown == page.held
    }
}

@Test func `another conversation comes into a stream where the tokens of both cover it`() throws {
    let stage = try stage()
    let all = Grant(as: try SenderID("ada"), [.read, .write])
    let own = Grant(as: try SenderID("ada"), [.read, .write], .prefix("c"))
    let wide = Page(stage, for: all)
    try wide.connect()
    _ = wide.told()
    #expect(try wide.open(2, "d") == 202)
    #expect(wide.told() == ["refused 2 busy"])
    let narrow = Page(stage, for: own)
    try narrow.connect()
    _ = narrow.told()
    let word = #"{"open":{"window":2,"conversation":"d","target":{"width":320,"scale":2},"screen":2000}}"#
    #expect(try narrow.say(word) == 403 && narrow.say(word, for: all) == 403 && wide.say(word, for: own) == 403)
    #expect(try narrow.say(#"{"prewarm":{"conversation":"d","targets":[]}}"#) == 403)
    #expect(try narrow.open(2) == 202)
    try narrow.happen([stage.laidOut(101)])
    _ = narrow.told()
    // Back with a token that covers less.
    narrow.leave()
    narrow.bearer = Grant(as: try SenderID("ada"), .read, .conversation("other"))
    try narrow.connect()
    #expect(narrow.told() == ["changes 1", "refused 2 unauthorized"])
}

@Test(arguments: [true, false])
func `a window that waits for its conversation opens where the token that its reader came back with covers it`(
    isCovered: Bool
) throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let page = Page(stage, for: Grant(as: try SenderID("ada"), .read))
    try page.connect()
    _ = page.told()
    // Its timeline is that of another screen, which is not in memory.
    #expect(try page.open(2, waits: false) == 202)
    #expect(page.told().isEmpty && stage.desk.isComing)
    let name = page.name
    page.bearer = Grant(as: try SenderID("ada"), .read, .conversation(isCovered ? "c" : "other"))
    try page.connect()
    #expect(page.name == name && stage.desk.isComing)
    _ = page.told()
    try page.proceed()
    #expect(page.told() == [isCovered ? "window 2" : "refused 2 unauthorized"])
    #expect((page.held[2] != nil) == isCovered && page.shown == page.held)
}

/// The grant of a token, by which streams are counted.
private func counted() throws -> Grant {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let key = try folder.signingKey()
    let now = TokenTime(seconds: 1_800_000_000)
    let token = key.token(
        TokenClaims(
            key: key.publicKey.id, rights: .read, scope: .all, subject: "ada", issued: now,
            expires: now + .seconds(3600)))
    var verifier = TokenVerifier(try folder.ring())
    let verified = try verifier.verify(token, at: now)
    return try #require(Grant(verified))
}

@Test func `one of too many streams ends, though a window of it still waits for its conversation`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let streams = WindowStreams(stage.desk, perHolder: 1)
    let bearer = try counted()
    let (old, new) = (Page(stage, for: bearer, streams), Page(stage, for: bearer, streams))
    try old.connect()
    // Its timeline is that of another screen, which is not in memory.
    #expect(try old.open(2, waits: false) == 202)
    #expect(stage.desk.isComing && streams.count == 1)
    try new.connect()
    #expect(streams.count == 1)
    try new.proceed()
    #expect(!new.isOver && streams.names.count == 1 && stage.desk.count == 1)
}

@Test func `the subject of a token reads as nobody else in any window`() throws {
    let stage = try stage()
    let page = Page(stage, for: Grant(as: try SenderID("ada"), .read))
    try page.connect()
    try page.say(
        #"{"open":{"window":2,"conversation":"c","target":{"width":320,"scale":2},"screen":2000,"reader":{"own":"bob"}}}"#
    )
    let seats = stage.desk.followers.seats[.stream(try #require(StreamName(page.name)))]
    #expect(seats?[WindowID(2)]?.shared.key.reader.own == (try SenderID("ada")))
}

@Test func `a stream has as many windows as its place can name, and one more is busy`() throws {
    let stage = try stage()
    let page = Page(stage)
    try page.connect()
    let most = UInt32(WindowLimits().windowsPerStream)
    for window in 2...most { #expect(try page.open(window) == 202) }
    _ = page.told()
    #expect(try page.open(most + 1) == 202)
    #expect(page.told() == ["refused \(most + 1) busy"])
    // A window in the place of another does not add to their number.
    #expect(try page.open(most) == 202)
    #expect(page.told() == ["window \(most)"])
    try page.happen([stage.laidOut(101)])
    let id = try #require(page.id)
    #expect(id.utf8.count < 1000 && EventMark(id)?.cursors.count == Int(most) && EventMark(id)?.text == id)
}

@Test(arguments: [
    "", ".", ";", "7.1.2", "7.1.2.3.4", "7.1.2.x", "7;1", "7;2.1.2", "7;2.1.2.3.4", "7;x.1.2.3", "7;;", "g.1.2.3",
    "0.1.2.3", "7.1.2.3;4294967296.1.2.3", "7" + String(repeating: ";2.1.2.3", count: 65),
])
func `what names no place in a stream is none`(text: String) { #expect(EventMark(text) == nil) }

@Test func `a window that is opened for a reader who has gone is closed again`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let streams = WindowStreams(stage.desk)
    let name = StreamName()
    let opening = WindowOpening(
        window: WindowID(2), conversation: stage.conversation, target: WindowStage.target, screen: 2000)
    #expect(stage.desk.answer(.open(opening), from: .stream(name), at: .now).count == 0)
    while stage.desk.isComing {
        _ = stage.desk.proceed(at: .now) { client, word in
            guard case .stream(let name) = client else { return .gone }
            return streams.deliver(word, to: name, isAnswer: true, at: .now) { _, _ in .done }
        }
    }
    #expect(stage.desk.count == 0)
}

@Test func `an answer that comes while a long one is written follows it, and costs no window`() throws {
    let stage = try WindowStage()
    let layout = try SampleRecord.heavy(bytes: 8 << 10)
    try stage.commit(
        (1...20).map { try stage.change($0, .laidOut(ShardSample.row(order: $0, key: "k", layout: layout))) })
    let page = Page(stage)
    try page.connect()
    let name = try #require(StreamName(page.name))
    let long = stage.desk.answer(
        .open(
            WindowOpening(
                window: WindowID(2), conversation: stage.conversation, target: WindowStage.target, count: 20,
                screen: 2000)), from: .stream(name), at: .now)
    var heard: [UInt8] = []
    func take(_ bytes: [UInt8]) -> Sent {
        heard += bytes
        return .done
    }
    for word in long + [.done(WindowID(9))] {
        let sent = page.streams.deliver(ToldWord(word), to: name, isAnswer: true, at: .now) { take($1) }
        #expect(sent == .done)
    }
    #expect(page.streams.isWriting && heard.isEmpty)
    let deadline = ContinuousClock.now + patience
    while page.streams.isWriting, .now < deadline {
        if let source = page.streams.source { _ = try wait(for: [source], atMost: .milliseconds(20)) }
        page.streams.tellWritten(at: .now) { take($1) }
        page.streams.settle(at: .now) {
            take($1)
        } _: { _ in
        }
    }
    let events = String(decoding: heard, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("event: ") }
    #expect(events == ["event: window", "event: done"] && stage.desk.count == 2)
}

@Test func `one whose words wait for a long answer is told to come back, and others are heard`() throws {
    let stage = try WindowStage()
    let layout = try SampleRecord.heavy(bytes: 8 << 10)
    try stage.commit(
        (1...20).map { try stage.change($0, .laidOut(ShardSample.row(order: $0, key: "k", layout: layout))) })
    let streams = WindowStreams(stage.desk)
    let target = try #require(RequestTarget(Array("/".utf8)))
    func settle() {
        streams.settle(at: .now) { _, _ in
            .done
        } _: { _ in
        }
    }
    func open(_ number: UInt64, for bearer: Grant, wantsBodies: Bool) throws -> String {
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 20, screen: 2000,
            wantsBodies: wantsBodies)
        stage.prepare(opening)
        let request = Request(id: Request.ID(number: number), method: .get, target: target)
        guard case .stream(let head) = streams.open(opening, for: bearer, request, at: .now) else {
            throw Page.NoStream(answer: "none")
        }
        settle()
        return try #require(head.headers["Forme-Stream"])
    }
    func say(on name: String, for bearer: Grant) -> Int {
        let word = Request(method: .post, target: target, body: Array(#"{"locate":{"window":1,"y":0}}"#.utf8))
        return streams.hear(word, on: name, of: stage.conversation, for: bearer, at: .now).status
    }
    let (ada, bob) = (Grant(as: try SenderID("ada"), .read), Grant(as: try SenderID("bob"), .read))
    // The window itself is being written.
    let long = try open(1, for: ada, wantsBodies: true)
    let short = try open(2, for: bob, wantsBodies: false)
    for _ in 0..<64 { #expect(say(on: long, for: ada) == 202) }
    #expect(say(on: long, for: ada) == 503)
    // Nothing of these waits for longer than a turn of the loop.
    for _ in 0..<100 { #expect(say(on: short, for: bob) == 202) }
    let deadline = ContinuousClock.now + patience
    while streams.isWriting, .now < deadline {
        if let source = streams.source { _ = try wait(for: [source], atMost: .milliseconds(20)) }
        streams.tellWritten(at: .now) { _, _ in .done }
        settle()
    }
    #expect(say(on: long, for: ada) == 202)
}
