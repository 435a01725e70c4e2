import Conversation
import Names
import Synchronization
import TestSupport
import Testing
import Wire

@testable import FormeClient

@Test func `what happens beside other changes is told change by change, never as a reload of all rows`() async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let before = try await open.wait { $0.isWhole }.window
    await stage.change([
        .put(try Stage.row(101)), .put(try Stage.row(70, height: 300), reason: .edit), .removed(MessageNumber(80)),
    ])
    let update = try await open.wait { $0.window.index(ofMessage: "m101") != nil }
    #expect(!update.isWhole)
    func places(_ isMeant: (Change.Kind) -> Bool) -> Int { update.changes.count { isMeant($0.kind) } }
    #expect(places { if case .insert(_, count: 1) = $0 { true } else { false } } == 1)
    #expect(places { if case .replace = $0 { true } else { false } } == 1)
    #expect(places { if case .remove(_, count: 1) = $0 { true } else { false } } == 1)
    let grown = update.window.loaded.upperBound - update.window.loaded.lowerBound
    #expect(update.changes.reduce(0) { $0 + $1.heightDelta } == grown - Int64(before.loaded.count))
}

@Test func `a page is told as one, and a new message as new`() async throws {
    let stage = try Stage(rows: 200)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    _ = try await open.wait { $0.isWhole }
    try await open.page(.older)
    let page = try await open.wait { !$0.changes.isEmpty }
    #expect(page.changes.map(\.kind) == [.insert(at: 0, count: 50)] && page.changes.map(\.reason) == [.pagination])
    try await stage.put(201...201)
    let message = try await open.wait { !$0.changes.isEmpty }
    #expect(message.changes.first?.kind == .insert(at: 100, count: 1) && message.changes.first?.reason == .live)
}

@Test func `rows that go out of sight move no anchor, neither in the window nor on the screen`() async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, rows: 100)
    let window = try await open.wait { $0.isWhole }.window
    let anchor = Anchor(row: window[99].id, edge: .top)
    try await open.hold([anchor])
    #expect(try await open.adjust(rows: 40, focus: 1))
    let update = try await open.wait { !$0.changes.isEmpty }
    #expect(update.window.count == 40 && update.changes.first?.kind == .remove(at: 0, count: 60))
    #expect(update.moved[anchor] == 0 && update.window.y(of: anchor) == window.y(of: anchor))
}

@Test(arguments: [(0.0, 0), (0.25, 15), (0.5, 30), (1.0, 60)])
func `a window is adjusted around any place between its first row and its last, and says whether rows went`(
    focus: Double, first: Int
) async throws {
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, rows: 100)
    let before = await open.window
    #expect(try await open.adjust(rows: 40, focus: focus))
    let after = await open.window
    #expect(after.indices.map { after[$0].id } == (first..<first + 40).map { before[$0].id })
    #expect(try await !open.adjust(rows: 40, focus: focus))
}

@Test func `an update waits for the next frame, and tells all that happened until then`() async throws {
    enum Event {
        case waits
        case told(Update)
    }
    let (events, tell) = AsyncStream<Event>.makeStream()
    let (frames, begin) = AsyncStream<Void>.makeStream()
    let stage = try Stage(rows: 100)
    let client = ChatClient(
        stage,
        clock: FrameClock {
            tell.yield(.waits)
            for await _ in frames { return }
        },
        // A window that is opened again, as its line was silent for too long, has other rows.
        patience: Patience(answer: patience))
    let open = try await client.open("c", on: Stage.screen)
    let reader = Task { for try await update in open.updates { tell.yield(.told(update)) } }
    defer { reader.cancel() }
    var happens = events.makeAsyncIterator()
    for newest in [100, 130] as [Int64] {
        if newest > 100 { try await stage.put(101...101) }
        guard case .waits = await happens.next() else {
            Issue.record("an update came within a frame")
            return
        }
        if newest > 100 { for order in 102...newest { try await stage.put(order...order) } }
        try await expectSoon { await open.window.count >= newest - 50 }
        begin.yield()
        guard case .told(let update) = await happens.next() else {
            Issue.record("a frame began without an update")
            return
        }
        #expect(update.window.count == Int(newest) - 50 && update.window.index(ofMessage: "m\(newest)") != nil)
    }
}

@Test func `of very many words an update keeps those about messages without a row, and no part of a way`() throws {
    let anchor = WindowAnchor(row: MessageNumber(1))
    let frame = WindowFrame(
        cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)), edition: try EditionID("0a"), isOld: false,
        rowsAbove: 0, rowsBelow: 0, top: 0, extent: 0..<0)
    let set = ChangeSet(
        window: WindowID(1), since: frame.cursor, changes: [], anchors: [AnchorDelta(anchor: anchor, delta: 5)],
        frame: frame)
    var update = Update.nothing(.standing)
    update.add(.pending(WindowID(1), try MessageID("early"), order: 6))
    update.add(.changes(set))
    #expect(!update.isWhole && update.moved == [Anchor(anchor): 5])
    for _ in 0..<1_000 { update.add(.changes(set)) }
    update.add(.unavailable(WindowID(1), try MessageID("late"), order: 7))
    #expect(update.isWhole && update.moved.isEmpty && update.words.count <= 256)
    #expect(update.pending.map(\.message) == ["early"] && update.unavailable.map(\.message) == ["late"])
}

extension OpenWindow {
    /// The next update; nil for a reader that was called off.
    fileprivate func next() async throws -> Update? {
        var updates = updates.makeAsyncIterator()
        return try await updates.next()
    }
}

@Test func `a reader that is called off takes no update away, and one that comes too late waits for the next`()
    async throws
{
    let stage = try Stage(rows: 100)
    let (waiting, told, isFrame) = (Counter(), Counter(), Counter())
    let client = ChatClient(
        stage,
        clock: FrameClock {
            waiting.add()
            // It is there for others, and goes on where a task is cancelled.
            while isFrame.count == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        }, patience: Patience(answer: patience))
    let open = try await client.open("c", on: Stage.screen)
    let gone = Task { try await open.next() }
    try await expectSoon { waiting.count == 1 }
    gone.cancel()
    let readers = (0..<2).map { _ in
        Task {
            let update = try await open.next()
            told.add()
            return update
        }
    }
    try await expectSoon { waiting.count == 3 }
    isFrame.add()
    let isTaken = try await gone.value != nil
    try #require(!isTaken)
    try await expectSoon { told.count > 0 }
    try await stage.put(101...101)
    // The window as it was opened, and the message that came later.
    var isWhole: [Bool] = []
    for reader in readers { isWhole.append(try #require(try await reader.value).isWhole) }
    #expect(isWhole.count { $0 } == 1)
}

private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
}

@Test func `frames of the usual clock are a sixtieth of a second apart`() async throws {
    let start = ContinuousClock.now
    for _ in 0..<8 { try await FrameClock.usual.next() }
    // The first had begun already, and none is shorter than the others.
    #expect(ContinuousClock.now - start > .microseconds(6 * 16_667))
}
