import Names
import Pool
import Wire

/// A shard that fails when it is told to.
struct MemoryShard: ShardStore {
    enum Failure: Error { case full }

    var origin = ShardOrigin(1)
    var epoch = LeaseEpoch(0)
    var stamp = Stamp.zero
    var rows: [MessageNumber: (key: [UInt8], job: JobNumber)] = [:]
    var commits: [[ShardChange]] = []
    var isFull = false

    mutating func adopt(_ epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        guard epoch >= self.epoch else { return nil }
        self.epoch = epoch
        return stamp
    }

    mutating func commit(_ changes: [ShardChange], under epoch: LeaseEpoch) throws(Failure) -> Stamp? {
        if isFull { throw .full }
        guard epoch >= self.epoch else { return nil }
        stamp = Stamp(stamp.number + 1)
        commits.append(changes)
        for change in changes {
            if case .laidOut(let row) = change.row { rows[change.message] = (row.key, change.job) }
            if case .removed = change.row { rows[change.message] = nil }
        }
        return stamp
    }

    func storedKey(of message: MessageNumber) -> [UInt8]? { rows[message]?.key }
    func unavailable() -> Int { 0 }
    func sync() -> ShardPoint { ShardPoint(origin: origin, stamp: stamp) }
}
