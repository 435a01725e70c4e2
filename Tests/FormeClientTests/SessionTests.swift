import Conversation
import Names
import TestSupport
import Testing
import Wire

@testable import FormeClient

@Test func `a window follows its conversation, and many changes between two frames come as one update`() async throws {
    let stage = try Stage(rows: 100)
    let (frames, tick) = AsyncStream<Void>.makeStream()
    let client = ChatClient(
        stage, clock: FrameClock { for await _ in frames { return } }, patience: Patience(answer: patience))
    let open = try await client.open("c", on: Stage.screen)
    tick.yield()
    #expect(try await open.wait { _ in true }.isWhole)
    for order in 101...130 as ClosedRange<Int64> { try await stage.put(order...order) }
    try await expectSoon { await open.window.count >= 80 }
    tick.yield()
    let update = try await open.wait { _ in true }
    #expect(update.changes.count { if case .insert = $0.kind { true } else { false } } == 30)
    #expect(!update.isWhole && update.window.count == 80 && update.window.source == .gateway)
    try await expect(update.window, isAsFreshAt: stage)
}

@Test func `a change set that is lost is asked for again`() async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    await stage.lose(2)
    for order in 101...105 as ClosedRange<Int64> { try await stage.put(order...order) }
    let update = try await open.wait { $0.window.index(ofMessage: "m105") != nil }
    #expect(update.window.index(ofMessage: "m101") != nil && update.window.index(ofMessage: "m102") != nil)
    try await expect(update.window, isAsFreshAt: stage)
    #expect(await stage.calls.count == 1)
}

@Test func `a line that breaks is taken up where it broke off`() async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    _ = try await open.wait { $0.isWhole }
    try await stage.put(101...101)
    _ = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    await stage.fail(2)
    await stage.breakLines()
    try await stage.put(102...102)
    let update = try await open.wait { $0.window.index(ofMessage: "m102") != nil }
    #expect(!update.isWhole && update.link == .standing)
    let calls = await stage.calls
    #expect(calls.count == 4 && calls.dropFirst().allSatisfy { $0.resume?.line == "1" })
}

@Test func `a window that its gateway forgot is opened around what is seen, which does not move on the screen`()
    async throws
{
    let stage = try Stage(rows: 1_000)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, around: .message("m500"))
    var shown = try await open.wait { $0.isWhole }.window
    var viewport = Viewport(height: 1_400, prefetch: .init(edge: 0, screens: 0, lead: 0))
    viewport.show(shown)
    try await open.page(.older)
    let paged = try await open.wait { $0.window.count == 100 }.window
    viewport.follow(from: shown, to: paged)
    shown = paged
    await open.look(viewport)
    let anchor = viewport.anchor(in: shown)
    let before = try #require(shown.y(of: anchor)) - viewport.top

    await stage.forgetWindows()
    // It happens while nobody is told.
    try await stage.put(1_001...1_100)
    await stage.change((100...199).map { .removed(MessageNumber($0)) })
    await stage.tell(.refused(WindowID(1), .resync))
    let fresh = try await open.wait { $0.isWhole }.window
    viewport.follow(from: shown, to: fresh)
    #expect(try #require(fresh.y(of: anchor)) - viewport.top == before)
    #expect(fresh.count == 100)
    try await expect(fresh, isAsFreshAt: stage)
}

@Test(arguments: [WindowError.unknownMessage, .unknownConversation])
func `a window that is opened again when the row that was seen is gone goes on where that stood`(
    error: WindowError
) async throws {
    let stage = try Stage(rows: 300)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, around: .message("m100"))
    let shown = try await open.wait { $0.isWhole }.window
    var viewport = Viewport(height: 1_400, prefetch: .init(edge: 0, screens: 0, lead: 0))
    viewport.show(shown)
    await open.look(viewport)
    let seen = try #require(shown.index(of: viewport.anchor(in: shown).row))
    let (before, after) = (shown[seen - 1].message, shown[seen + 1].message)

    await stage.refuse(with: error)
    await stage.fail(.max)
    await stage.breakLines()
    await stage.change([.removed(MessageNumber(shown[seen].id.number))])
    await stage.forgetWindows()
    await stage.fail(0)
    let fresh = try await open.wait { $0.isWhole }.window
    #expect(fresh.index(ofMessage: before) != nil && fresh.index(ofMessage: after) != nil)
    #expect(fresh.index(ofMessage: shown[seen].message) == nil)
    try await expect(fresh, isAsFreshAt: stage)
}

@Test func `a question is asked again on the next line, and may be called off`() async throws {
    let stage = try Stage(rows: 300)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    await stage.mute(true)
    async let heights = open.heights(in: 0..<1_000)
    let called = Task { try await open.page(.older) }
    try await expectSoon { await stage.words.count >= 2 }
    called.cancel()
    await #expect(throws: CancellationError.self) { try await called.value }
    await stage.mute(false)
    await stage.breakLines()
    #expect(try await heights.heights.count > 5)
    // The gateway may have made the page, so the window is opened anew.
    #expect(await stage.calls.last?.resume == nil)
    #expect(try await open.page(.older) == 50)
    let window = await open.window
    try await expect(window, isAsFreshAt: stage)
}

@Test func `a question about a window that its gateway forgot is answered by the one that is opened for it`()
    async throws
{
    let stage = try Stage(rows: 300)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    await stage.forgetWindows()
    #expect(try await open.heights(in: 0..<1_000).heights.count > 5)
    await stage.forgetWindows()
    #expect(try await open.page(.older) == 50)
    let window = await open.window
    #expect(window.count == 100)
    try await expect(window, isAsFreshAt: stage)
}

@Test func `a gateway that says nothing any more is left for another line`() async throws {
    let stage = try Stage(rows: 100, silence: .milliseconds(20))
    let client = ChatClient(
        stage, clock: FrameClock {}, patience: Patience(answer: .milliseconds(100)))
    // On a busy machine it may not be opened so soon.
    var opened: OpenWindow?
    try await expectSoon {
        opened = try? await client.open("c", on: Stage.screen)
        return opened != nil
    }
    let open = try #require(opened)
    let calls = await stage.calls.count
    await stage.mute(true)
    try await expectSoon { await stage.calls.count > calls }
    await stage.mute(false)
    try await stage.put(101...101)
    _ = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    await open.close()
    await #expect(throws: WindowError.closed) { try await open.page(.older) }
    var updates = open.updates.makeAsyncIterator()
    while try await updates.next() != nil {}
}

@Test func `a window that is given up is not handed out, though its rows come in the same moment`() async throws {
    let (stage, nowhere) = (try Stage(rows: 10), try Stage(rows: 10))
    await nowhere.loseConnections(true)
    let opening = WindowOpening(
        window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target, place: .newest,
        count: 10, screen: Stage.screen.pixelHeight)
    let session = WindowSession(
        opening, transport: nowhere, cache: nil, clock: FrameClock {}, patience: Patience(answer: .seconds(3600)))
    let opened = Task { try await session.open() }
    try await expectSoon { await !session.watchers.isEmpty }
    var frames = try await stage.connect(GatewayCall(opening)).frames.makeAsyncIterator()
    let first = try #require(try await frames.next())
    try await session.giveUp(then: Framed(decoding: first))
    await #expect(throws: WindowError.self) { try await opened.value }
}

extension WindowSession {
    /// Nothing comes between the two.
    fileprivate func giveUp(then frame: Framed<GatewayWord>) {
        giveUp()
        hear(frame)
    }
}

@Test(.timeLimit(.minutes(3)))
func `a connection from which nothing comes back is given up, and the line is said to be broken meanwhile`()
    async throws
{
    let stage = try Stage(rows: 100)
    let client = ChatClient(
        stage, clock: FrameClock {}, patience: Patience(answer: .milliseconds(100)))
    // On a busy machine it may not be opened so soon.
    var opened: OpenWindow?
    try await expectSoon {
        opened = try? await client.open("c", on: Stage.screen)
        return opened != nil
    }
    let open = try #require(opened)
    await stage.loseConnections(true)
    await stage.breakLines()
    try await stage.put(101...101)
    _ = try await open.wait { $0.link == .broken }
    await stage.loseConnections(false)
    let update = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    #expect(update.link == .standing)
    try await expect(update.window, isAsFreshAt: stage)
}

@Test func `what cannot be had is said, and why`() async throws {
    let stage = try Stage(rows: 10)
    let client = ChatClient(stage, patience: Patience(answer: patience))
    await #expect(throws: WindowError.unknownMessage) {
        try await client.open("c", on: Stage.screen, around: .message("nobody's"))
    }
    await #expect(throws: WindowError.name("")) { try await client.open("", on: Stage.screen) }
    let nowhere = Screen(width: 0, height: 10, scale: 1)
    await #expect(throws: WindowError.screen(nowhere)) { try await client.open("c", on: nowhere) }
    await stage.fail(.max)
    let hasty = ChatClient(stage, patience: Patience(answer: .milliseconds(200)))
    await #expect(throws: WindowError.self) { try await hasty.open("c", on: Stage.screen) }
}

@Test func `places are found, loaded or not, and what is not laid out yet is pending`() async throws {
    let stage = try Stage(rows: 1_000)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    await stage.accept("soon")
    #expect(try await open.position(of: "soon") == .pending(order: 7))
    await #expect(throws: WindowError.unknownMessage) { try await open.position(of: "never") }
    guard case .there(let place) = try await open.position(of: "m10") else {
        Issue.record("not there")
        return
    }
    #expect(place.rank == 9 && place.row.message == "m10")
    #expect(try await open.row(atY: place.row.y).rank == 9)
    #expect(try await open.heights(in: place.row.range).heights == [place.row.height])
    #expect(try await open.adjust(rows: 20, focus: 1))
    let trimmed = try await open.wait { $0.window.count == 20 }
    #expect(trimmed.window[19].message == "m1000")
    let anchor = Anchor(row: trimmed.window[19].id, edge: .top)
    try await open.hold([anchor])
    await stage.change([.put(try Stage.row(990, height: 500), reason: .edit)])
    let update = try await open.wait { !$0.changes.isEmpty }
    #expect(update.moved[anchor] == update.changes.reduce(0) { $0 + $1.heightDelta })
    await stage.tell(.pending(WindowID(1), try MessageID("next"), order: 1_001))
    let told = try await open.wait { !$0.pending.isEmpty }
    #expect(told.pending == [Update.Pending(message: "next", order: 1_001)])
}

@Test func `bodies are asked for of every row that is named, in as many questions as that takes`() async throws {
    let stage = try Stage(rows: 400)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, rows: 256, withBodies: false)
    try await open.page(.older, rows: 100)
    let window = await open.window
    let rows = window.indices.map { window[$0].id }
    #expect(rows.count == 356)
    try await open.bodies(of: rows)
    let asked = await stage.words.flatMap { word -> [MessageNumber] in
        if case .rows(_, let numbers) = word { numbers } else { [] }
    }
    #expect(asked.map(\.number) == rows.map(\.number))
}

@Test func `attempts are further apart each time, and never all clients' together`() {
    var backOff = BackOff()
    #expect(backOff.next(1) == .zero)
    #expect((0..<3).map { _ in backOff.next(1) } == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    #expect(backOff.next(0.5) == .milliseconds(400))
    for _ in 0..<100 { #expect(backOff.next(1) <= .seconds(10)) }
    backOff.reset()
    #expect(backOff.next() == .zero)
}
