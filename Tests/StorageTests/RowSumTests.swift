import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

private func changes(_ numbers: ClosedRange<Int64>, layout: [UInt8] = [1, 2, 3]) throws -> [ShardChange] {
    try numbers.map {
        try ShardSample.change(
            $0, job: UInt64($0), .laidOut(try ShardSample.row(order: $0, key: "k", layout: layout)))
    }
}

/// The sum over a folder whose shard 3 was written in these commits.
private func sum(_ commits: [[ShardChange]]) throws -> RowSum {
    let bench = try ShardBench()
    var shard = try bench.filled([])
    for changes in commits { _ = try shard.commit(changes, under: bench.epoch) }
    return try RowSum(of: bench.edition, in: bench.folder)
}

@Test func `rows that are the same have the same sum, in whatever order they were written`() throws {
    let sums = try [sum([changes(1...9)]), sum([changes(6...9), changes(1...5)])]
    #expect(sums[0] == sums[1] && sums[0].rows == 9)
}

@Test func `a row that lacks, or has one byte other, or was made by another job, has another sum`() throws {
    let all = try sum([changes(1...9)])
    let other = try ShardSample.row(order: 9, key: "k", layout: [1, 2, 4])
    let sums = try [
        sum([changes(1...8)]), sum([changes(1...8), [ShardSample.change(9, job: 9, .laidOut(other))]]),
        sum([changes(1...9), [ShardSample.change(9, job: 10, .laidOut(try ShardSample.row(order: 9, key: "k")))]]),
    ]
    for one in sums { #expect(one.digest != all.digest) }
    #expect(sums.map(\.rows) == [8, 9, 9])
}

@Test func `an edition without files has no rows`() throws {
    let bench = try ShardBench()
    #expect(try RowSum(of: bench.edition, in: bench.folder) == RowSum())
}
