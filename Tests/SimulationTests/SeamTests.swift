import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Simulation

/// A simulated shard whose transactions end as soon as they begin.
private struct KeptShard: ShardStore {
    final class Disk { var file = ShardFile(origin: ShardOrigin(1), ordersAfter: [.zero], bug: nil) }
    typealias Failure = SimulatedShard.Failure

    let disk: Disk

    private func open<Result>(_ body: (inout SimulatedShard) throws(Failure) -> Result) throws(Failure) -> Result {
        var shard = SimulatedShard(file: disk.file, process: 1, isFull: false)
        let result = try body(&shard)
        disk.file = shard.file
        disk.file.end(firsts: [:])
        return result
    }

    var origin: ShardOrigin { disk.file.origin }
    func adopt(_ epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        try open { (shard) throws(Failure) in try shard.adopt(epoch) }
    }
    func commit(_ changes: [ShardChange], under epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        try open { (shard) throws(Failure) in try shard.commit(changes, under: epoch) }
    }
    func storedKey(of message: MessageNumber) -> [UInt8]? { disk.file.rows[message]?.key }
    func unavailable() -> Int { disk.file.lost.count }
    func sync() throws(Failure) -> ShardPoint { try open { (shard) throws(Failure) in shard.sync() } }
}

@Test func `the simulated shard does what every shard must`() throws {
    forEachSeed(40) { random in
        let disk = KeptShard.Disk()
        try ShardStoreSuite { KeptShard(disk: disk) }.keepsTheNewest(using: &random)
        return true
    }
    let disks = (KeptShard.Disk(), KeptShard.Disk(), KeptShard.Disk(), KeptShard.Disk())
    try ShardStoreSuite { KeptShard(disk: disks.0) }.fencesOlderLeases()
    try ShardStoreSuite { KeptShard(disk: disks.1) }.syncsForEverybody()
    try ShardStoreSuite { KeptShard(disk: disks.2) }.countsTheUnavailable()
    try ShardStoreSuite { KeptShard(disk: disks.3) }.makesAgain()
}
