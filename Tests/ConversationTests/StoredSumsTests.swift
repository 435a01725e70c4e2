import Record
import TestSupport
import Testing

@testable import Conversation

/// The place of a row takes no longer to find in a long conversation: the heights above it are summed up beforehand.
@Test func `where a row is takes as long to tell in a long conversation as in a short one`() throws {
    var random = SplitMix64(seed: 1)
    let times = try [1_000, 40_000].map { count -> Duration in
        let tree = try RowTree(random.sealedRows(count), sealed: 256)
        var y: Int64 = 0
        let times = (0..<20).map { _ -> Duration in
            processorTime { for place in 1...10 { y &+= tree.y(ofRank: count * place / 10 - 1) } }
        }
        #expect(y != 0)
        return try #require(times.min())
    }
    #expect(times[1] < times[0] * 8)
}
