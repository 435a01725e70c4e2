import Bytes
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Transport
import Wire

@testable import FormeClient

/// A gateway over HTTP that answers with a window of no rows, and does what a test wants besides.
private final class StandInGateway: Sendable {
    let port: UInt16
    private let stop: Bell
    let requests = Mutex<[Request]>([])

    private struct State {
        var stream: Request.ID?
        var opened = 0
    }

    /// - Parameter refusal: the answer to every request for a stream; nil where each gets one.
    init(
        refusing refusal: Response? = nil, _ says: @escaping @Sendable (ClientWord) -> [GatewayWord]
    ) throws {
        let stop = try Bell()
        let port = Mutex<UInt16>(0)
        let isOpen = DispatchSemaphore(value: 0)
        let requests = Mutex<(@Sendable (Request) -> Void)>({ _ in })
        Thread.detachNewThread {
            do {
                let server = try Server(ServerOptions(address: "127.0.0.1:0"))
                port.withLock { $0 = server.port }
                isOpen.signal()
                var state = State()
                while true {
                    let sources = [Source(descriptor: server.descriptor, of: server.owner), stop.source]
                    if try wait(for: sources, atMost: server.rest)[1] { return }
                    var later: [[UInt8]] = []
                    _ = server.turn { request in
                        requests.withLock { $0 }(request)
                        if let refusal, request.method != .post { return .response(refusal) }
                        return Self.answer(request, &state, &later, says)
                    }
                    if let stream = state.stream {
                        for bytes in later { _ = server.send(stream, bytes) }
                        if state.opened == 1, later.contains(where: { $0.isEmpty }) { server.end(stream) }
                    }
                }
            } catch {
                Issue.record("\(error)")
                isOpen.signal()
            }
        }
        isOpen.wait()
        self.port = port.withLock { $0 }
        self.stop = stop
        requests.withLock { heard in heard = { [weak self] request in self?.requests.withLock { $0.append(request) } } }
    }

    deinit { stop.ring() }

    private static func frame(_ word: GatewayWord, _ request: RequestID = .none) -> [UInt8] {
        let frame = Framed(word, request: request).encoded()
        var writer = ByteWriter()
        writer.block(frame)
        return writer.bytes
    }

    private static func answer(
        _ request: Request, _ state: inout State, _ later: inout [[UInt8]],
        _ says: (ClientWord) -> [GatewayWord]
    ) -> Answer {
        guard request.headers["Authorization"] == "Bearer secret" else { return .response(.problem(401, "No")) }
        if request.method == .post {
            do {
                let framed = try Framed<ClientWord>(decoding: request.body)
                later += says(framed.word).map { frame($0, framed.request) }
                // The end of the stream.
                if later.isEmpty { later.append([]) }
            } catch {
                return .response(.problem(400, "No word"))
            }
            return .response(Response(202))
        }
        state.stream = request.id
        state.opened += 1
        let first: GatewayWord? =
            request.headers["Last-Event-ID"] == nil
            ? says(.close(WindowID(0))).first : says(.changes(WindowID(1), since: .zero)).first
        guard let first else { return .response(.problem(404, "No")) }
        // A sign of life before the word, whose bytes come in two pieces.
        let bytes = frame(first)
        later.append(Array(bytes[7...]))
        return .stream(
            Response(
                200, headers: ["Content-Type": "application/vnd.forme", "Forme-Stream": "5ea"],
                body: .bytes([0, 0, 0, 0] + bytes[..<7])))
    }
}

extension WindowCursor {
    fileprivate static let zero = WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(5), turn: 2)
}

private func frame(_ turn: UInt32 = 2) throws -> WindowFrame {
    WindowFrame(
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(5), turn: turn), edition: try EditionID("0a"),
        isOld: false, rowsAbove: 0, rowsBelow: 0, top: 0, extent: 0..<0)
}

@Test func `over HTTP a window is a stream, what is asked is posted to it, and it is taken up where it broke off`()
    async throws
{
    let window = GatewayWord.window(
        WindowReply(
            window: WindowID(1), part: .whole, reason: .firstLoad, frame: try frame(), rows: [], insertedAbove: 0,
            firstVisible: nil, contentFits: true, prefetch: PrefetchHint(older: nil, newer: nil)))
    let missed = GatewayWord.changes(
        ChangeSet(window: WindowID(1), since: .zero, changes: [], anchors: [], frame: try frame(3)))
    let gateway = try StandInGateway { word in
        switch word {
        case .close: [window]
        case .changes: [missed]
        case .heights: [.heights(HeightsReply(window: WindowID(1), cursor: .zero, rank: 3, top: 9, heights: [4, 5]))]
        // Says nothing, and the stream ends.
        default: []
        }
    }
    let url = try #require(URL(string: "http://127.0.0.1:\(gateway.port)"))
    let client = ChatClient(
        HTTPTransport(url) { "secret" }, clock: FrameClock {}, patience: Patience(answer: patience))
    let open = try await client.open(
        "a/b +c", on: Screen(width: 390, height: 844, scale: 2.625), as: Reader(own: "ada", unread: .from(order: 7)),
        around: .message("m 1"))
    #expect(await open.window.source == .gateway)
    #expect(try await open.heights(in: 0..<10) == Heights(rank: 3, y: 9, heights: [4, 5]))
    let first = gateway.requests.withLock { $0[0] }
    #expect(first.target.segments == ["v1", "conversations", "a/b +c", "changes"])
    #expect(first.target.value("target") == "390@2.625" && first.target.value("around") == "message:m 1")
    #expect(first.target.value("as") == "ada" && first.target.value("unreadFrom") == "7")
    #expect(first.headers["Accept"] == "application/vnd.forme; rows=2")

    await #expect(throws: WindowError.noAnswer) {
        let hasty = Task { try await open.position(of: "ends") }
        try await expectSoon { gateway.requests.withLock { $0.contains { $0.headers["Last-Event-ID"] != nil } } }
        hasty.cancel()
        do { _ = try await hasty.value } catch is CancellationError { throw WindowError.noAnswer }
    }
    // On a busy machine an attempt to connect may come twice.
    let again = gateway.requests.withLock { $0.compactMap { $0.headers["Last-Event-ID"] } }
    #expect(again.first == "5ea.1.5.2")
    await open.close()

    await #expect(throws: WindowError.forbidden) {
        try await ChatClient(HTTPTransport(url), patience: Patience(answer: patience)).open("c", on: Stage.screen)
    }
}

@Test func `over HTTP a window that cannot be had is refused for the reason that the gateway says`() async throws {
    let reasons: [(String?, WindowError)] = [
        ("unknownConversation", .unknownConversation), ("unknownMessage", .unknownMessage),
        ("unprepared", .unprepared), ("a name of a later version", .unknownConversation), (nil, .unknownConversation),
    ]
    for (name, error) in reasons {
        let refusal = Response.problem(404, "Not found", "said otherwise", because: name)
        let gateway = try StandInGateway(refusing: refusal) { _ in [] }
        let url = try #require(URL(string: "http://127.0.0.1:\(gateway.port)"))
        let client = ChatClient(HTTPTransport(url) { "secret" }, patience: Patience(answer: patience))
        await #expect(throws: error) { try await client.open("c", on: Stage.screen, around: .message("m")) }
        let requests = gateway.requests.withLock { $0.count }
        #expect(requests == 1)
    }
    let page = Data("<p>Not found</p>".utf8)
    #expect(WindowError(status: 404, problem: page) == .unknownConversation)
}

@Test func `a list of conversations is asked for by names as they are, whatever signs are in them`() async throws {
    let list = Array(#"{"conversations":[]}"#.utf8)
    let gateway = try StandInGateway(refusing: Response(200, "application/json", list)) { _ in [] }
    let url = try #require(URL(string: "http://127.0.0.1:\(gateway.port)"))
    let transport = HTTPTransport(url) { "secret" }
    let page = try await transport.conversations(count: 7, after: "5.a.b", for: "ada+work @c&d=e%2B")
    #expect(page == Data(list))
    let target = gateway.requests.withLock { $0[0].target }
    #expect(target.segments == ["v1", "conversations"] && target.query.map(\.name) == ["count", "after", "as"])
    #expect(target.value("count") == "7" && target.value("after") == "5.a.b")
    #expect(target.value("as") == "ada+work @c&d=e%2B")
}

@Test func `a stream is cut into frames wherever its pieces end`() throws {
    let frames: [[UInt8]] = [[1, 2, 3], [], [4], Array(repeating: 7, count: 300)]
    var writer = ByteWriter()
    for frame in frames { writer.block(frame) }
    for size in [1, 2, 3, 5, 64, 1_000] {
        var splitter = FrameSplitter()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: writer.bytes.count, by: size) {
            splitter.add(writer.bytes[start..<min(start + size, writer.bytes.count)])
            while let frame = try splitter.next() { found.append(frame) }
        }
        #expect(found == frames)
    }
    var splitter = FrameSplitter()
    splitter.add([0xFF, 0, 0, 0])
    #expect(throws: ByteError.self) { try splitter.next() }
}

@Test func `each piece of a frame is a sign of life, before the frame is whole`() async throws {
    let (events, come) = AsyncStream<StreamEvent>.makeStream()
    for piece in [[0, 0, 0, 3, 7], [8], [9]] as [[UInt8]] { come.yield(.bytes(Data(piece))) }
    come.finish()
    var heard: [[UInt8]] = []
    for try await frame in HTTPLine.frames(events, {}) { heard.append(frame) }
    #expect(heard == [[], [], [], [7, 8, 9]])
}
