import Bytes
import Conversation
import Names
import Pool
import Secrets
import TestSupport
import Testing
import Wire

@testable import Gateway
@testable import HTTP

/// The reader of a stream of frames, who holds the window, asks for things, and loses the connection now and then.
private final class FramedReader {
    let stage: WindowStage
    let streams: WindowStreams
    private(set) var mirror: WindowMirror?
    private(set) var name = ""
    private(set) var answers: [RequestID: GatewayWord] = [:]
    /// Frames that are sent do not arrive any more, and nobody has noticed.
    var isCut = false
    private var request = Request.ID(number: 0)
    private var bytes: [UInt8] = []
    private(set) var signsOfLife = 0
    /// The stream ended.
    private(set) var isOver = false

    init(_ stage: WindowStage, _ streams: WindowStreams? = nil) {
        self.stage = stage
        self.streams = streams ?? WindowStreams(stage.desk)
    }

    /// Begins, or goes on where the last word left it.
    func open() throws {
        (isCut, bytes, isOver) = (false, [], false)
        var headers: Headers = ["Accept": "application/vnd.forme"]
        if let cursor = mirror?.frame.cursor {
            headers["Last-Event-ID"] =
                "\(name).\(cursor.epoch.number).\(cursor.stamp.number).\(cursor.turn)"
        }
        request = Request.ID(number: UInt64.random(in: 1 ... .max))
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 20, screen: 2000)
        stage.prepare(opening)
        let answer = streams.open(opening, for: try reader("ada"), try asked(.get, headers), at: .now)
        guard case .stream(let head) = answer, case .bytes(let first) = head.body,
            let name = head.headers["Forme-Stream"]
        else { throw NoStream(answer: "\(answer)") }
        self.name = name
        try take(first)
        try settle()
    }

    private func reader(_ subject: String) throws -> Grant { Grant(as: try SenderID(subject), .read) }

    struct NoStream: Error { let answer: String }

    private func asked(_ method: Method, _ headers: Headers, _ body: [UInt8] = []) throws -> Request {
        Request(
            id: request, method: method, target: try #require(RequestTarget(Array("/".utf8))), headers: headers,
            body: body)
    }

    @discardableResult
    func say(
        _ word: ClientWord, request id: UInt64 = 0, on stream: String? = nil, of conversation: String = "c",
        for subject: String = "ada"
    ) throws -> Int {
        let request = try asked(
            .post, ["Content-Type": "application/vnd.forme"], Framed(word, request: RequestID(id)).encoded())
        let response = streams.hear(
            request, on: stream ?? name, of: try ConversationID(conversation), for: try reader(subject), at: .now)
        try settle()
        return response.status
    }

    func sayText(_ text: String) throws -> Int {
        let request = try asked(.post, ["Content-Type": "application/json"], Array(text.utf8))
        let response = streams.hear(request, on: name, of: try ConversationID("c"), for: try reader("ada"), at: .now)
        try settle()
        return response.status
    }

    private func settle() throws {
        var sent: [UInt8] = []
        streams.settle(at: .now) { request, bytes in
            if request == self.request { sent += bytes }
            return .done
        } _: { request in
            if request == self.request { isOver = true }
        }
        try take(sent)
    }

    func follow() throws {
        var sent: [UInt8] = []
        stage.desk.follow(at: .now + .seconds(1)) { client, word in
            guard case .stream(let name) = client else { return .gone }
            return streams.deliver(word, to: name, at: .now) { _, bytes in
                sent += bytes
                return .done
            }
        }
        try take(sent)
        try settle()
    }

    func tidy(in seconds: Int) throws {
        var sent: [UInt8] = []
        streams.tidy(at: .now + .seconds(seconds), absence: .seconds(60)) { _, bytes in
            sent += bytes
            return .done
        }
        try take(sent)
    }

    func leave() { streams.leave(request, at: .now) }

    private func take(_ new: [UInt8]) throws {
        guard !isCut else { return }
        bytes += new
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let frame = try reader.block(atMost: Limits.frame, of: "frame")
            if frame.isEmpty { signsOfLife += 1 } else { try hear(Framed<GatewayWord>(decoding: frame)) }
        }
        bytes = []
    }

    private func hear(_ framed: Framed<GatewayWord>) throws {
        answers[framed.request] = framed.word
        switch framed.word {
        case .window(let reply) where reply.part == .whole: mirror = try WindowMirror(reply)
        case .window(let reply): try mirror?.apply(reply)
        case .changes(let set): try mirror?.apply(set)
        case .adjusted(_, let set): if let set { try mirror?.apply(set) }
        case .heights, .rows, .place, .done, .refused, .pending, .unavailable, .preview, .rejected, .ranges,
            .unreadable:
            break
        }
    }

    /// Whether it has the window that the gateway follows for it.
    var isInStep: Bool {
        guard let name = StreamName(name), let seat = stage.desk.followers.seats[.stream(name)]?[WindowStreams.window],
            let mirror
        else { return false }
        let timeline = seat.shared.timeline
        let rows = timeline.rows(seat.window.range)
        return mirror.frame == seat.window.frame(on: timeline) && mirror.rows.map(\.number) == rows.map(\.number)
            && mirror.rows.map(\.height) == rows.map(\.height)
    }
}

@Test func `what a reader says about its window is answered in its stream, in order with what happens`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    let reader = FramedReader(stage)
    try reader.open()
    #expect(reader.isInStep && reader.mirror?.rows.count == 20 && reader.mirror?.rows[3].body != nil)
    #expect(try reader.say(.page(WindowID(1), .older, count: 30), request: 7) == 202)
    guard case .window(let page)? = reader.answers[RequestID(7)] else {
        Issue.record("no page")
        return
    }
    #expect(page.rows.count == 30 && reader.mirror?.rows.count == 50)
    try stage.commit([try stage.laidOut(301)])
    try reader.follow()
    #expect(reader.mirror?.rows.count == 51 && reader.isInStep)
    #expect(try reader.sayText(#"{"adjust": {"window": 1, "most": 10, "focus": 0.5}}"#) == 202)
    #expect(reader.mirror?.rows.count == 10 && reader.isInStep)
    #expect(try reader.say(.locate(WindowID(1), y: 0), request: 9) == 202)
    guard case .place? = reader.answers[RequestID(9)] else {
        Issue.record("no place")
        return
    }
}

@Test func `a reader whose connections break has the gateway's window again, whatever was lost`() {
    forEachSeed(12) { random in
        let stage = try WindowStage()
        try stage.fill(400)
        let reader = FramedReader(stage)
        try reader.open()
        var number: Int64 = 400
        for _ in 0..<80 {
            switch Int.random(in: 0...6, using: &random) {
            case 0, 1:
                number += 1
                let order = Bool.random(using: &random) ? number : Int64.random(in: 1...400, using: &random)
                try stage.commit([try stage.laidOut(number, order: order)])
                try reader.follow()
            case 2:
                try stage.commit([try stage.change(Int64.random(in: 1...400, using: &random), .removed)])
                try reader.follow()
            case 3:
                try reader.say(.page(WindowID(1), .random(using: &random) ? .older : .newer, count: 7))
            case 4:
                try reader.say(
                    .adjust(
                        WindowID(1), maxCount: .random(in: 10...30, using: &random),
                        focus: .random(in: 0...1000, using: &random)))
            case 5: reader.isCut = true
            default:
                if Bool.random(using: &random) { reader.leave() }
                try reader.open()
                guard reader.isInStep else { return false }
            }
        }
        try reader.open()
        return reader.isInStep
    }
}

@Test func `a stream is heard by whoever opened it, and about its own window`() throws {
    let stage = try WindowStage()
    try stage.fill(30)
    let streams = WindowStreams(stage.desk)
    let reader = FramedReader(stage, streams)
    let other = FramedReader(stage, streams)
    try reader.open()
    let word = ClientWord.locate(WindowID(1), y: 0)
    #expect(try other.say(word, on: reader.name, for: "eve") == 404)
    #expect(try other.say(word, on: reader.name, of: "d") == 404)
    #expect(try other.say(word, on: "77") == 404)
    #expect(try other.say(word, on: "") == 404)
    #expect(reader.answers[.none] != nil && reader.answers.count == 1)

    #expect(try reader.sayText("{}") == 400)
    // Something was told, so that it may come back.
    #expect(try reader.say(word) == 202)
    reader.leave()
    #expect(try reader.say(word) == 409)
}

@Test func `a stream that has no window any more ends, and one where nothing happens gives signs of life`() throws {
    let stage = try WindowStage()
    try stage.fill(30)
    let reader = FramedReader(stage)
    try reader.open()
    try reader.tidy(in: 16)
    #expect(reader.signsOfLife == 1 && !reader.isOver)
    try reader.say(.close(WindowID(1)), request: 3)
    #expect(reader.answers[RequestID(3)] == .done(WindowID(1)) && reader.isOver && reader.streams.count == 0)

    try reader.open()
    try stage.loseShard()
    try stage.fill(10)
    stage.desk.followers.isHinted = true
    try reader.follow()
    #expect(reader.answers[.none] == .refused(WindowID(1), .resync) && reader.isOver)
    try reader.open()
    #expect(reader.isInStep && reader.mirror?.rows.count == 10)
}
