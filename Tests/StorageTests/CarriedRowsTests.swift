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
    let row = try carried.row(of: amendment(9, 1), for: Shard(3), shard: Shard(3), shown: [bench.edition])
    #expect(row?.layout == [1, 2])
    let others = [
        try carried.row(of: amendment(9, 2), for: Shard(3), shard: Shard(3), shown: [bench.edition]),
        try carried.row(of: amendment(9, 1), for: Shard(4), shard: Shard(4), shown: [bench.edition]),
    ]
    #expect(others == [nil, nil])
    #expect(carried.close() == 2 && shard.origin != ShardOrigin(0))
}

@Test func `a file of another life of the journal is put aside, and no row of it counts`() throws {
    let bench = try ShardBench()
    func rowOfAside() throws -> ShardRow? {
        try CarriedRows(of: bench.edition, in: bench.folder).row(
            of: amendment(1, 1), for: Shard(3), shard: Shard(3), shown: [])
    }
    do { _ = try bench.filled([try ShardSample.laidOut(1, job: 1)]) }
    try FolderManifest(shards: 16, era: 7).write(in: bench.folder)
    let shard = try SQLiteShard(
        Shard(3), of: bench.edition, in: bench.folder, settings: ShardSettings(era: 7, boot: "b"))
    guard case .putAside(let path, _) = shard.news.first else { Issue.record("not put aside"); return }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try rowOfAside() == nil)
    // In the life of the journal that wrote it, the row counts.
    try FolderManifest(shards: 16, era: 0).write(in: bench.folder)
    #expect(try rowOfAside() != nil)
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
    let first = try carried.row(of: amendment(1, 1), for: Shard(3), shard: Shard(3), shown: [])
    let second = try carried.row(of: amendment(3, 2), for: Shard(3), shard: Shard(3), shown: [])
    #expect(first != nil && second == nil && carried.close() == 1 && carried.close() == 0)
}
