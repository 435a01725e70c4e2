import CAllocations
import Conversation
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// A long window, and its conversation.
private func opened(_ rows: Int = 1_000, most: Int = 256) async throws -> (stage: Stage, open: OpenWindow) {
    let stage = try Stage(rows: rows)
    return (stage, try await ChatClient.eager(stage).open("c", on: Stage.screen, rows: most))
}

@Test(.enabled(if: forme_counts_allocations()))
func `a window hands out the rows of every frame of a scroll without allocating`() async throws {
    let (_, open) = try await opened()
    let window = await open.window
    #expect(window.count == 256)
    var viewport = Viewport(height: 1_400)
    viewport.show(window)
    func scroll() -> (rows: Int, allocations: UInt64) {
        let before = forme_allocations()
        var (rows, heights) = (0, Int64(0))
        for frame in 0..<600 {
            viewport.scroll(to: window.loaded.lowerBound - window.extent.lowerBound + Int64(frame) * 25, in: window)
            for i in window.rows(in: viewport.visible) {
                let row = window[i]
                heights += Int64(row.height) + (row.y - viewport.top)
                rows += 1
            }
            _ = viewport.wanted(of: window, velocity: 3_000)
        }
        return (rows, forme_allocations() - before)
    }
    _ = scroll()
    let (rows, allocations) = scroll()
    #expect(rows > 600 * 8)
    #expect(allocations == 0)
    // The counter of allocations works.
    let before = forme_allocations()
    let array = Array(repeating: rows, count: 100)
    #expect(array.count == 100 && forme_allocations() > before)
}

@Test func `rows follow each other, and are found by their y, their id and their message`() async throws {
    let (_, open) = try await opened(100, most: 100)
    let window = await open.window
    for i in window.indices.dropFirst() { #expect(window[i].y == window[i - 1].range.upperBound) }
    #expect(window.extent == window.loaded && !window.hasOlder && !window.hasNewer)
    let row = window[70]
    #expect(window.rows(in: row.range) == 70..<71)
    #expect(window.index(of: row.id) == 70 && window.index(ofMessage: row.message) == 70)
    #expect(window.index(of: .none) == nil && FormeClient.Window.none.rows(in: 0..<100).isEmpty)
}

@Test func `a resend or a local echo never moves a row`() async throws {
    let (stage, open) = try await opened(40)
    let shown = try await open.wait { $0.isWhole }.window
    let before = try #require(shown.index(ofMessage: "m40").map { shown[$0] })
    // The name that the sender gave, the name of the backend, and the same again.
    for name in ["echo", "server-40", "server-40"] {
        await stage.change([.put(try Stage.row(40, message: name), content: .equal, reason: .edit)])
        let window = await open.window
        let row = window[try #require(window.index(of: before.id))]
        #expect(row.y == before.y && row.height == before.height && row.id == before.id)
    }
    let update = try await open.wait { $0.window.index(ofMessage: "server-40") != nil }
    #expect(update.changes.allSatisfy { $0.heightDelta == 0 && $0.effect != .geometry && $0.kind == .replace(at: 39) })
    #expect(update.window.loaded == shown.loaded && update.window.count == shown.count)
    var viewport = Viewport(height: 1_400)
    viewport.show(shown)
    let top = viewport.top
    viewport.follow(from: shown, to: update.window)
    #expect(viewport.top == top)
}

@Test func `pages are asked for before they are seen, the sooner the faster the reader scrolls`() async throws {
    let (stage, open) = try await opened(1_000, most: 100)
    let window = await open.window
    var viewport = Viewport(height: 1_400, prefetch: .init(edge: 0, screens: 1, lead: 0.5))
    viewport.show(window)
    viewport.scroll(to: window.loaded.lowerBound + 2_500 - window.extent.lowerBound, in: window)
    #expect(viewport.wanted(of: window).isEmpty)
    #expect(viewport.wanted(of: window, velocity: 9_000).isEmpty)
    #expect(viewport.wanted(of: window, velocity: -9_000) == .older)
    await open.look(viewport, velocity: -9_000)
    await open.look(viewport, velocity: -9_000)
    // The page is asked for in the background, and answered before every later question.
    for _ in 0..<100 where await open.window.count < 150 { _ = try await open.heights(in: 0..<1_000) }
    let paged = await open.window
    #expect(paged.count == 150 && paged.index(of: window[0].id) == 50)
    #expect(await stage.words.filter { if case .page = $0 { true } else { false } }.count == 1)
}
