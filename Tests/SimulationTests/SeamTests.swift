import Names
import Pool
import Replication
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

@Test func `the simulated log does what every log of turns must`() throws {
    func suite(quota: Int = .max) -> TurnLogSuite<SimulatedLog> {
        let engine = SimulatedEngine(dice: Dice(seed: 1))
        engine.quota = quota
        var clients = 0
        return TurnLogSuite {
            clients += 1
            return SimulatedLog(engine, client: clients)
        } pass: {
            $0.now = engine.now + 10 * Length.millisecond
        }
    }
    try TurnLogSuite.run(rounds: 10_000) { _ in suite() }
    try suite(quota: 1000).saysThatItIsFull(records: 300, most: 4)
}

@Test func `an append that the simulated log does not answer may be there, or come, or never come`() {
    var fates: Set<Bool> = []
    for seed in 0..<40 as Range<UInt64> {
        let engine = SimulatedEngine(dice: Dice(seed: seed))
        var log = SimulatedLog(engine, client: 1)
        log.begin(Partition(0), after: .zero)
        log.now = log.now + Length.second
        _ = log.takeEvents()
        engine.leaderlessUntil = log.now + 4 * Length.second
        let ticket = log.append([LogAppend(Partition(0), behind: .zero, [1])])
        log.now = log.now + SimulatedEngine.timeout
        #expect(log.takeEvents() == [.unknown(ticket)])
        log.now = log.now + 10 * Length.second
        #expect(log.takeEvents().isEmpty)
        fates.insert(engine.logs[Partition(0)]?.last == 1)
    }
    #expect(fates == [true, false])
}
