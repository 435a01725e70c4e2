import Conversation
import Names
import TestSupport
import Testing
import Wire

@testable import FormeClient

@Test func `a row that moves is told with the place that it had, and the one that it has`() async throws {
    let stage = try Stage(rows: 40)
    let open = try await ChatClient.eager(stage).open("c", on: Stage.screen)
    var shown = try await open.wait { $0.isWhole }.window
    for (message, order) in [(35, 20), (5, 30)] as [(Int64, Int64)] {
        var row = try Stage.row(message)
        row.position = Position(order: order, message: try MessageID("m\(message)"))
        await stage.change([.put(row, reason: .edit)])
        let id = RowID(number: message)
        let update = try await open.wait { !$0.changes.isEmpty }
        let (old, new) = (try #require(shown.index(of: id)), try #require(update.window.index(of: id)))
        #expect(old != new)
        let moves = update.changes.map(\.kind).filter { if case .move = $0 { true } else { false } }
        #expect(moves == [.move(from: old, to: new)])
        // The moves, done to the shown rows one after the other, lead to the rows that are there now.
        var rows = shown.indices.map { shown[$0].id }
        for change in update.changes {
            if case .move(let from, let to) = change.kind { rows.insert(rows.remove(at: from), at: to) }
        }
        #expect(rows == update.window.indices.map { update.window[$0].id })
        shown = update.window
    }
}
