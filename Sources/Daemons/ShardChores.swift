import MessageLayout
import Pool
import Rows
import Storage
import Wire

/// What a lane does for its shards beside batches: seals rows into blocks, lays out what is there for targets that were added, gives
/// up rows that are not to be kept, and tends to the files.
///
/// Each has its `ChoreTime`; none waits for another, and trouble is dealt with in `LaneShards.attempt` alone.
final class ShardChores {
    private let shards: LaneShards
    private var sealer: RowSealer
    /// How much all shards together are to keep.
    var retention = ShardRetention() {
        didSet { shards.shrinks = retention != ShardRetention() }
    }
    /// Sealing and extending where batches never end. Beside as much time for batches, what is sealed keeps up with what is laid
    /// out; most of it is left for what is extended.
    private var besideBatches = ChoreTime(share: 0.05, most: .milliseconds(20))
    /// Giving up rows: the time that it may take in a second.
    private var eviction = ChoreTime(share: 0.02, most: .milliseconds(20))
    /// Extending while nothing comes: a fifth of that time, as others may need the processor, and a step at least every tenth of a
    /// second or so.
    private var idling = ChoreTime(share: 0.25, most: .zero, mostOwed: .milliseconds(25))
    private var idledAt = ContinuousClock.now
    private var nextTidying = ContinuousClock.now
    /// The shards that had their turn last.
    private var lastSealed = -1
    private var lastTidied = -1

    private static let pause: Duration = .seconds(1)

    init(_ shards: LaneShards, _ decoration: DecorationStyle?) {
        self.shards = shards
        sealer = RowSealer(style: decoration)
    }

    /// One step beside batches, where there is time for it and something to do: one shard after the other. What is to be sealed goes
    /// first.
    /// - Parameter batch: the time that a batch has taken.
    func step(beside batch: Duration, _ extend: SQLiteShard.Extend) {
        besideBatches.earn(beside: batch)
        besideBatches.spend {
            guard
                let shard = shards.next(after: lastSealed, where: { $0.isToSeal })
                    ?? shards.next(after: lastSealed, where: { $0.isToExtend })
            else { return }
            lastSealed = Int(shard.number)
            shards.attempt(shard) { (file) throws(StorageError) in
                if try !file.seal(&sealer) { _ = try file.extend(&sealer, extend) }
            }
        }
    }

    /// Chores of the second, and one step of what can wait until nothing comes.
    /// - Returns: for how long there is nothing more of the latter to do.
    func tidy(idle: Bool, _ extend: SQLiteShard.Extend) -> Duration {
        let now = ContinuousClock.now
        idling.earn(beside: now - idledAt)
        idledAt = now
        if nextTidying <= .now {
            nextTidying = .now + Self.pause
            shards.renewSuspects()
            shards.maintain(idle: idle)
            evict()
        }
        // The next pause, however short, is for what is to be sealed.
        guard idle else { return shards.contains { $0.isToSeal } ? .zero : rest }
        if sealAll() { return .zero }
        var isMore = true
        idling.spend { isMore = extendSome(extend) }
        idledAt = .now
        return isMore ? rest : Self.pause
    }

    /// Until the next step of extending.
    private var rest: Duration { shards.contains { $0.isToExtend } ? idling.wait : Self.pause }

    /// - Returns: whether there is more to do.
    private func sealAll() -> Bool {
        var isMore = false
        shards.attemptAll { (_, file) throws(StorageError) in if try file.seal(&sealer) { isMore = true } }
        return isMore
    }

    /// One step in the next shard of which there is more to do, and in no other: what comes meanwhile waits for it.
    private func extendSome(_ extend: SQLiteShard.Extend) -> Bool {
        // Each at most once: some may be another worker's by now.
        for _ in shards.numbers {
            guard let shard = shards.next(after: lastSealed, where: { $0.isToExtend }) else { return false }
            lastSealed = Int(shard.number)
            let isMore = shards.attempt(shard) { (file) throws(StorageError) in try file.extend(&sealer, extend) }
            if isMore == true { return true }
        }
        return false
    }

    /// Gives up rows that are not to be kept, one shard after the other.
    private func evict() {
        guard retention != ShardRetention() else { return }
        let (share, now) = (retention.divided(among: shards.count), WallClock.now)
        eviction.earn(beside: Self.pause)
        let numbers = shards.numbers
        for number in numbers.filter({ $0 > lastTidied }) + numbers.filter({ $0 <= lastTidied }) {
            var given = 1
            while given > 0 {
                let isTime = eviction.spend {
                    given =
                        shards.attempt(Shard(UInt16(number))) { (file) throws(StorageError) in
                            try file.keep(within: share, at: now)
                        } ?? 0
                }
                guard isTime else { return }
            }
            lastTidied = number
        }
    }
}
