import Conversation
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// A window of two hundred rows in the middle of a thousand, and a screen over the middle of them.
private struct Scroll {
    let stage: Stage
    let open: OpenWindow
    let window: FormeClient.Window
    var viewport: FormeClient.Viewport

    init(_ prefetch: FormeClient.Viewport.Prefetch) async throws {
        stage = try Stage(rows: 1_000)
        open = try await ChatClient.eager(stage).open("c", on: Stage.screen, around: .message("m500"), rows: 200)
        window = await open.window
        viewport = FormeClient.Viewport(height: 1_400, prefetch: prefetch)
        viewport.show(window)
        move(to: (window.loaded.lowerBound + window.loaded.upperBound) / 2)
    }

    /// - Parameter y: the top of the screen.
    mutating func move(to y: Int64) { viewport.scroll(to: y - window.extent.lowerBound, in: window) }

    func wanted(_ velocity: Double = 0) -> FormeClient.Viewport.Pages {
        viewport.wanted(of: window, velocity: velocity)
    }

    /// The sides at which pages were asked for, once all words before this have been heard. It asks for heights
    /// meanwhile, and gives up after a hundred times where no page is asked for.
    func sidesAsked() async throws -> [WindowSide] {
        var sides: [WindowSide] = []
        for _ in 0..<100 where sides.isEmpty {
            _ = try await open.heights(in: 0..<1_000)
            sides = await stage.words.compactMap { if case .page(_, let side, _) = $0 { side } else { nil } }
        }
        // The page was answered before this.
        _ = try await open.heights(in: 0..<1_000)
        return sides
    }
}

@Test(arguments: WindowSide.allCases)
func `a reader who scrolls fast has the next page at that side long before it is seen`(side: WindowSide) async throws {
    let scroll = try await Scroll(.init(edge: 0, screens: 1, lead: 0.5))
    await scroll.open.look(scroll.viewport)
    #expect(try await scroll.sidesAsked() == [], "both ends are several screens away")
    await scroll.open.look(scroll.viewport, velocity: side == .older ? -30_000 : 30_000)
    #expect(try await scroll.sidesAsked() == [side])
    let paged = await scroll.open.window
    #expect(paged.count == 250)
    let (loaded, more) = (scroll.window.loaded, paged.loaded)
    #expect((more.lowerBound < loaded.lowerBound) == (side == .older))
    #expect((more.upperBound > loaded.upperBound) == (side == .newer))
}

@Test(arguments: [1.0, 2, 3.5])
func `pages are asked for as many screens ahead as a client chose, at either side`(screens: Double) async throws {
    var scroll = try await Scroll(.init(edge: 0, screens: screens, lead: 0))
    let (loaded, ahead) = (scroll.window.loaded, Int64(screens * 1_400))
    #expect(scroll.wanted().isEmpty)
    scroll.move(to: loaded.lowerBound + ahead + 1)
    #expect(scroll.wanted().isEmpty)
    scroll.move(to: loaded.lowerBound + ahead)
    #expect(scroll.wanted() == .older)
    scroll.move(to: loaded.upperBound - ahead - 1_400 - 1)
    #expect(scroll.wanted().isEmpty)
    scroll.move(to: loaded.upperBound - ahead - 1_400)
    #expect(scroll.wanted() == .newer)
}

@Test func `older pages are asked for at the very top alone where a client chose that, and newer ones as ever`()
    async throws
{
    var scroll = try await Scroll(.init(screens: 2, olderAtTopOnly: true))
    let loaded = scroll.window.loaded
    scroll.move(to: loaded.lowerBound + 1)
    #expect(scroll.wanted().isEmpty && scroll.wanted(-9_000).isEmpty)
    scroll.move(to: loaded.lowerBound)
    #expect(scroll.wanted() == .older)
    scroll.move(to: loaded.upperBound - 2 * 1_400 - 1_400)
    #expect(scroll.wanted() == .newer)
}

@Test(arguments: [Side.older, .newer])
func `a page is a change that says how much higher the window is, which a list adds to its offset above`(
    side: Side
) async throws {
    let stage = try Stage(rows: 300)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen, around: .message("m150"))
    let shown = try await open.wait { $0.isWhole }.window
    let place = side == .older ? 0 : shown.count
    #expect(try await open.page(side) == 50)
    let update = try await open.wait { !$0.changes.isEmpty }
    #expect(update.changes.map(\.kind) == [.insert(at: place, count: 50)])
    #expect(update.changes.map(\.reason) == [.pagination])
    let (height, old, new) = (update.changes.first?.heightDelta, shown.loaded, update.window.loaded)
    let added = side == .older ? old.lowerBound - new.lowerBound : new.upperBound - old.upperBound
    #expect(height == added && added > 0)
    #expect(Int(added) == new.count - old.count)
}

@Test func `a screen that is turned has rows of its own width, then and whenever its window is opened again`()
    async throws
{
    let stage = try Stage(rows: 100)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let turned = Screen(width: 844, height: 340, scale: 2)
    try await open.resize(to: turned)
    let asked = await stage.words.compactMap { word -> Screen? in
        guard case .resize(_, let target, let height, _) = word else { return nil }
        return Screen(target, pixelHeight: height)
    }
    #expect(asked == [turned])
    await stage.forgetWindows()
    _ = try await open.heights(in: 0..<1_000)
    let call = try #require(await stage.calls.last)
    #expect(Screen(call.opening.target, pixelHeight: call.opening.screen) == turned)
    #expect(await stage.calls.count == 2)
}
