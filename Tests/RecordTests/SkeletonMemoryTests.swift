import Bytes
import MessageLayout
import TestSupport
import Testing

@testable import Record

@Test func `rows that are built alike are read as each is read by itself, also after one that is damaged`() {
    forEachSeed(40) { random in
        var samples = SheetSamples(random: random, draws: true)
        var encoder = RecordEncoder()
        let rows = try (0..<12).map { _ in try encoder.row(of: samples.sheet()) }.filter { !$0.isEmpty }
        guard !rows.isEmpty else { return true }
        var page = LayoutRows()
        var expected: [LayoutModel] = []
        for _ in 0..<60 {
            var row = rows.randomElement(using: &random)!
            let isDamaged = Int.random(in: 0...5, using: &random) == 0
            if isDamaged { row.removeLast(Int.random(in: 1...row.count, using: &random)) }
            do throws(ByteError) { try page.append(row) } catch {
                guard isDamaged else { return false }
                continue
            }
            var alone = LayoutRows()
            try alone.append(row)
            expected.append(alone.model(row: 0))
        }
        return page.rows.count == expected.count
            && expected.indices.allSatisfy { page.model(row: $0) == expected[$0] }
    }
}
