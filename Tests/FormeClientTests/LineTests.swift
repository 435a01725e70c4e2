import Conversation
import Names
import Synchronization
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// A gateway that forgets its streams, as one that was started again does: its second line has another window under a
/// name of its own, and breaks before a word of that has come.
private actor ForgetfulGateway: GatewayTransport {
    nonisolated let silence = Duration.seconds(3600)
    private let stage: Stage
    private(set) var calls: [GatewayCall] = []

    init(_ stage: Stage) { self.stage = stage }

    func connect(_ call: GatewayCall) async throws -> GatewayLine {
        calls.append(call)
        guard calls.count == 2 else { return try await stage.connect(call) }
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        told.finish()
        return GatewayLine(name: "another", frames: frames, send: { _ in }, close: {})
    }
}

@Test func `a line that breaks before its first word is not taken up, as it may have had another window`()
    async throws
{
    let stage = try Stage(rows: 100)
    let gateway = ForgetfulGateway(stage)
    let client = ChatClient(gateway, clock: FrameClock {}, patience: Patience(answer: patience))
    let open = try await client.open("c", on: Stage.screen)
    _ = try await open.wait { $0.isWhole }
    await stage.breakLines()
    try await expectSoon { await gateway.calls.count >= 3 }
    let resumed = await gateway.calls.map { $0.resume?.line }
    #expect(resumed == [nil, "1", "1"])
    try await stage.put(101...101)
    let update = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    try await expect(update.window, isAsFreshAt: stage)
    await open.close()
}

/// A gateway of one window, whose lines are like sockets: they end when nobody hears their frames any more, and what is
/// said on them afterwards is lost. Words stay on their way until a test lets them go.
private final class SocketGateway: GatewayTransport {
    let silence = Duration.seconds(3600)
    private let window: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var mayLeave = false
        var isOver = false
        var heard: [ClientWord] = []
    }

    /// - Parameter window: the frame that answers the call.
    init(_ window: [UInt8]) { self.window = window }

    var isOver: Bool { state.withLock { $0.isOver } }
    var heard: [ClientWord] { state.withLock { $0.heard } }
    func letWordsLeave() { state.withLock { $0.mayLeave = true } }

    func connect(_ call: GatewayCall) async throws -> GatewayLine {
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        told.onTermination = { [self] _ in state.withLock { $0.isOver = true } }
        told.yield(window)
        return GatewayLine(frames: frames, send: { [self] in try await say($0) }, close: { told.finish() })
    }

    private func say(_ frame: [UInt8]) async throws {
        let word = try Framed<ClientWord>(decoding: frame).word
        while !state.withLock({ $0.mayLeave }) { try await Task.sleep(for: .milliseconds(1)) }
        state.withLock { state in
            if !state.isOver { state.heard.append(word) }
        }
    }
}

@Test func `a window that is closed says so to its gateway before its line ends`() async throws {
    let opening = WindowOpening(
        window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target, count: 10,
        screen: Stage.screen.pixelHeight)
    let stage = try Stage(rows: 10)
    var frames = try await stage.connect(GatewayCall(opening)).frames.makeAsyncIterator()
    let gateway = SocketGateway(try #require(try await frames.next()))
    let client = ChatClient(gateway, clock: FrameClock {}, patience: Patience(answer: patience))
    let open = try await client.open(opening)
    await open.close()
    #expect(!gateway.isOver)
    gateway.letWordsLeave()
    try await expectSoon { gateway.isOver }
    #expect(gateway.heard == [.close(WindowID(1))])
}

extension Stage {
    fileprivate var holds: Int { words.count { if case .hold = $0 { true } else { false } } }
}

@Test func `anchors that a gateway may not have heard of are named again on the next line`() async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let anchor = Anchor(row: await open.window[49].id, edge: .top)
    try await open.hold([anchor])
    // The window is opened again, and its line breaks before the anchors are heard of.
    await stage.mute(true)
    await stage.forgetWindows()
    await stage.tell(.refused(WindowID(1), .resync))
    try await expectSoon { await stage.holds == 2 }
    await stage.mute(false)
    await stage.breakLines()
    try await expectSoon { await stage.calls.count == 3 }
    #expect(await stage.calls.last?.resume == nil)
    try await expectSoon { await stage.holds == 3 }
    _ = try await open.wait { $0.isWhole }
    await stage.change([.put(try Stage.row(90, height: 500), reason: .edit)])
    let update = try await open.wait { !$0.changes.isEmpty }
    #expect(update.moved[anchor] == update.changes.reduce(0) { $0 + $1.heightDelta })
}
