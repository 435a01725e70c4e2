import Conversation
import TestSupport
import Testing
import Wire

@testable import FormeClient

@Test func `a list that stands on its head begins at its newest row, and counts from there`() async throws {
    let stage = try Stage(rows: 200)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    let window = await open.window
    var (down, up) = (Viewport(height: 1_400), Viewport(height: 1_400, axis: .up))
    down.show(window)
    up.show(window)
    #expect(up.visible == down.visible && up.isAtBottom(of: window))
    #expect(up.offset(in: window) == 0)
    #expect(down.offset(in: window) == window.extent.upperBound - window.extent.lowerBound - 1_400)
    up.scroll(to: 500, in: window)
    #expect(up.visible.upperBound == window.extent.upperBound - 500 && up.offset(in: window) == 500)
    // The list counts from the newest row, so that older rows come after everything else.
    try await open.page(.older)
    let paged = await open.window
    #expect(paged.count > window.count)
    up.follow(from: window, to: paged)
    #expect(up.offset(in: paged) == 500)
}
