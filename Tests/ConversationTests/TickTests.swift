import MessageLayout
import Names
import Record
import TestSupport
import Testing
import Wire

@testable import Conversation

@Test func `a message that is edited again and again within a tick is told once, as it was last`() throws {
    var random = SplitMix64(seed: 2)
    var row = try random.sealedRow(1, order: 5, time: 0)
    let other = try random.sealedRow(2, order: 6, time: 0)
    var collector = ChangeCollector()
    for height in [100, 200, 300] as [Int32] {
        row.heights = row.heights.map { _ in ContentHeights(all: height) }
        collector.add(.put(NewRow(row, target: 0), content: height == 200 ? .geometry : .appearance, reason: .edit))
        collector.add(.put(NewRow(other, target: 0), content: .appearance, reason: .edit))
    }
    #expect(
        collector.take() == [
            .put(NewRow(row, target: 0), content: .geometry, reason: .edit),
            .put(NewRow(other, target: 0), content: .appearance, reason: .edit),
        ])
}
