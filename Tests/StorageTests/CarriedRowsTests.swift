import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

private func amendment(_ number: UInt64, _ message: Int64) throws -> LayoutJob {
    LayoutJob(
        number: JobNumber(number), message: MessageNumber(message), conversation: try ConversationID("c"),
        messageID: try MessageID("m\(message)"), work: .amend(order: 1, status: nil))
}

@Test func `what was laid out is found in the edition that is served, whatever came to it since`() throws {
    let bench = try ShardBench()
    let shard = try bench.filled([try ShardSample.laidOut(1, job: 4, layout: [1, 2])])
    let carried = CarriedRows(of: try EditionID("e2"), in: bench.folder)
    let row = try carried.row(of: amendment(9, 1), in: Shard(3), served: bench.edition)
    #expect(row?.layout == [1, 2])
    let others = [
        try carried.row(of: amendment(9, 2), in: Shard(3), served: bench.edition),
        try carried.row(of: amendment(9, 1), in: Shard(4), served: bench.edition),
    ]
    #expect(others == [nil, nil])
    #expect(carried.close() == 2 && shard.origin != ShardOrigin(0))
}

@Test func `of a file that was put aside a row counts only where nothing came to its message since`() throws {
    let bench = try ShardBench()
    do {
        var shard = try bench.filled([try ShardSample.laidOut(1, job: 1), try ShardSample.laidOut(2, job: 2)])
        _ = try shard.adopt(LeaseEpoch(2))
        _ = try shard.commit([try ShardSample.laidOut(2, job: 3)], under: LeaseEpoch(2))
    }
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: bench.path + suffix) }
    let shard = try bench.open()
    #expect(shard.news.count == 1)
    let carried = CarriedRows(of: bench.edition, in: bench.folder)
    let first = try carried.row(of: amendment(1, 1), in: Shard(3), served: nil)
    let second = try carried.row(of: amendment(3, 2), in: Shard(3), served: nil)
    #expect(first != nil && second == nil && carried.close() == 1 && carried.close() == 0)
}
