import Conversation
import Foundation
import Names
import TestSupport
import Testing
import Wire

@testable import FormeClient

private func opening(_ conversation: String = "c") throws -> WindowOpening {
    WindowOpening(
        window: WindowID(1), conversation: try ConversationID(conversation), target: try Stage.screen.target,
        screen: 1_400)
}

private func page(rows: Int = 30) async throws -> WindowReply {
    let open = try await ChatClient.eager(try Stage(rows: 100)).open("c", on: Stage.screen)
    return try #require(await open.window.mirror?.end(rows, of: WindowID(1)))
}

@Test func `a page that is kept is found again, by what its rows depend on and nothing else`() async throws {
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let reply = try await page()
    #expect(reply.rows.count == 30 && reply.frame.rowsAbove == 70)
    #expect(cache.window(of: try opening()) == nil)
    cache.keep(reply, of: try opening())
    #expect(cache.window(of: try opening()) == reply)
    var later = try opening()
    (later.reader.unreadFrom, later.place, later.count) = (7, .unread, 20)
    #expect(cache.window(of: later) == reply)
    var other = try opening()
    other.reader.own = try SenderID("ada")
    #expect(cache.window(of: other) == nil)
    #expect(cache.window(of: try opening("d")) == nil)
    // Rows have bodies, messages and fonts where a window asks for them, and none where another one did not.
    for part in [\.wantsBodies, \.wantsMessages, \.wantsFonts] as [WritableKeyPath<WindowOpening, Bool>] {
        other = try opening()
        other[keyPath: part].toggle()
        #expect(cache.window(of: other) == nil)
    }
}

@Test func `a file that is damaged anywhere is absent`() async throws {
    let reply = try await page(rows: 3)
    let key = CachedPage.key(of: try opening())
    let bytes = CachedPage.bytes(of: reply, key)
    #expect(CachedPage.window(in: bytes, of: key) == reply)
    for place in bytes.indices {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(place % 8)
        #expect(CachedPage.window(in: damaged, of: key) == nil, "byte \(place)")
        #expect(CachedPage.window(in: Array(bytes[..<place]), of: key) == nil)
    }
    #expect(CachedPage.window(in: bytes + [0], of: key) == nil)
    #expect(CachedPage.window(in: bytes, of: CachedPage.key(of: try opening("d"))) == nil)
}

@Test func `a cache keeps within its bounds, and the oldest go`() async throws {
    let folder = try TemporaryFolder()
    let reply = try await page()
    let size = CachedPage.bytes(of: reply, CachedPage.key(of: try opening("c0"))).count
    for bounds in [(files: 4, bytes: 1 << 20), (files: 100, bytes: 4 * size + size / 2)] {
        let path = URL(filePath: folder.file("\(bounds.files)"))
        let cache = PageCache(folder: path, mostFiles: bounds.files, mostBytes: bounds.bytes)
        for i in 0..<10 {
            cache.keep(reply, of: try opening("c\(i)"))
            #expect(cache.window(of: try opening("c\(i)")) != nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path.path).count == 4)
        #expect(try cache.window(of: opening("c9")) != nil)
        #expect(try cache.window(of: opening("c0")) == nil)
    }
}

@Test func `a window is there before its gateway answers, and gives way to the live one without a movement`()
    async throws
{
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 100)
    let first = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    await first.close()

    // Many changes, some of them of rows that were seen.
    try await stage.put(101...103)
    await stage.change([.put(try Stage.row(80, height: 400), reason: .edit), .removed(MessageNumber(90))])
    // Nobody answers before what is kept was looked at.
    await stage.fail(.max)
    let second = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    let kept = await second.window
    await stage.fail(0)
    #expect(kept.source == .cache && kept.count == 50 && kept[49].message == "m100")
    var viewport = Viewport(height: 1_400)
    viewport.show(kept)
    #expect(viewport.isAtBottom(of: kept))
    let anchor = viewport.anchor(in: kept)
    let before = try #require(kept.y(of: anchor)) - viewport.top

    let live = try await second.wait { $0.window.source == .gateway }
    #expect(live.isWhole)
    viewport.follow(from: kept, to: live.window)
    #expect(try #require(live.window.y(of: anchor)) - viewport.top == before)
    #expect(live.window.index(ofMessage: "m103") != nil)
    try await expect(live.window, isAsFreshAt: stage)
}

@Test func `a row that is removed is kept no longer, also where the app is ended a moment later`() async throws {
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    let key = try opening()
    #expect(cache.window(of: key)?.rows.contains { $0.message.text == "m90" } == true)
    await stage.change([.removed(MessageNumber(90))])
    let live = try await open.wait { $0.window.index(ofMessage: "m90") == nil }
    // The session has done with the change when it answers this.
    #expect(await open.window.count == live.window.count)
    #expect(cache.window(of: key)?.rows.contains { $0.message.text == "m90" } == false)
}

@Test func `a reader who may not read any more is shown nothing at the next start`() async throws {
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 100)
    let first = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    await first.close()
    let key = try opening()
    #expect(cache.window(of: key) != nil)
    await stage.change([.removed(MessageNumber(100))])
    await stage.refuse(with: .forbidden)
    let second = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    await #expect(throws: WindowError.forbidden) { _ = try await second.wait { $0.window.source == .gateway } }
    #expect(cache.window(of: key) == nil)
}

@Test(arguments: [WindowError.unknownMessage, .unknownConversation])
func `a window whose last row is gone at the next start is opened where that stood, also where a refusal is no word`(
    error: WindowError
) async throws {
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 100)
    let first = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    await first.close()
    await stage.change([.removed(MessageNumber(100))])
    await stage.refuse(with: error)

    let second = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen)
    #expect(await second.window[49].message == "m100")
    let live = try await second.wait { $0.window.source == .gateway }.window
    #expect(live.count == 50 && live[49].message == "m99")
    try await expect(live, isAsFreshAt: stage)
    let places = await stage.calls.map(\.opening.place)
    let last = WindowPlace.message(try MessageID("m100"))
    #expect(places.count == 3 && places[1] == last && places[2] != last)
    await second.close()
}

@Test func `a search hit that the cache shows is in the live window that follows, which is opened around it`()
    async throws
{
    let folder = try TemporaryFolder()
    let cache = PageCache(folder: URL(filePath: folder.file("cache")))
    let stage = try Stage(rows: 300)
    let first = try await ChatClient.eager(stage, cache: cache).open("c", on: Stage.screen, rows: 100)
    await first.close()

    // Nobody answers before what is kept was looked at.
    await stage.fail(.max)
    let second = try await ChatClient.eager(stage, cache: cache)
        .open("c", on: Stage.screen, around: .message("m210"), rows: 50)
    let kept = await second.window
    await stage.fail(0)
    #expect(kept.source == .cache && kept.index(ofMessage: "m210") == 9)
    let live = try await second.wait { $0.window.source == .gateway }.window
    #expect(live.count == 50 && live.index(ofMessage: "m210") == 25)
    await second.close()
}
