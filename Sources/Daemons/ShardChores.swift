import MessageLayout
import Pool
import Rows
import Storage
import Wire

/// The chores of a lane for its shards, beside batches: it seals rows into blocks, lays out stored messages for
/// targets that were added, gives up rows that are not to be kept, and tends to the files.
///
/// Each has its `ChoreTime`; none waits for another, and trouble is dealt with in `LaneShards.attempt` alone.
final class ShardChores {
    private let shards: LaneShards
    private var sealer: RowSealer
    /// The amount that all shards together are to keep.
    var retention = ShardRetention() {
        didSet { shards.shrinks = retention != ShardRetention() }
    }
    /// The time for sealing and extending where batches never end. Beside as much time for batches, sealing keeps up
    /// with layout; most of the time is left for extending.
    private var besideBatches = ChoreTime(share: 0.05, most: .milliseconds(20))
    /// The number of conversations with something to seal at which sealing has twice that time, and the most times of it.
    /// Where processors are short, a turn for sealing costs more than it did; and each row behind the blocks is read by
    /// itself in each opening of its conversation, which takes from the same processors.
    private static let debt = 32
    private static let mostUrgency = 5
    /// The time for giving up rows in a second.
    private var eviction = ChoreTime(share: 0.02, most: .milliseconds(20))
    /// The time for sealing and extending while nothing comes: a fifth of that time, as others may need the processor,
    /// and a step at least about every tenth of a second. Ranges that wait may be torn again meanwhile, and are sealed
    /// once all the same.
    private var idling = ChoreTime(share: 0.25, most: .zero, mostOwed: .milliseconds(25))
    /// The time for tending to the files: what was deleted leaves them within the minute, so a long step puts the next
    /// one off for some seconds at most.
    private var tending = ChoreTime(share: 0.1, most: .milliseconds(20), mostOwed: .milliseconds(300))
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

    /// Does one step beside batches, if there is time for it and something to do: one shard after the other, sealing
    /// first.
    /// - Parameter batch: the time that a batch has taken.
    func step(beside batch: Duration, _ extend: SQLiteShard.Extend) {
        besideBatches.earn(beside: batch * Self.urgency(of: shards.most { $0.conversationsToSeal }))
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

    /// The factor of the time for sealing where so many conversations of a file wait for it.
    static func urgency(of conversations: Int) -> Int { min(1 + conversations / debt, mostUrgency) }

    /// Does the chores of the second, and one step of those that wait until nothing comes.
    /// - Returns: the time for which there are no more of the latter.
    func tidy(idle: Bool, _ extend: SQLiteShard.Extend) -> Duration {
        let now = ContinuousClock.now
        idling.earn(beside: now - idledAt)
        idledAt = now
        if nextTidying <= .now {
            nextTidying = .now + Self.pause
            tending.earn(beside: Self.pause)
            tending.spend {
                shards.renewSuspects()
                shards.maintain(idle: idle)
            }
            evict()
        }
        // The next pause, however short, is for them.
        guard idle else { return rest }
        var isMore = true
        idling.spend {
            isMore = sealSome()
            if !isMore { isMore = extendSome(extend) }
        }
        idledAt = .now
        return isMore ? rest : Self.pause
    }

    /// The time until the next step of sealing or extending.
    private var rest: Duration {
        let isMore = shards.contains { $0.isToSeal } || shards.contains { $0.isToExtend }
        return isMore ? idling.wait : Self.pause
    }

    /// Does one step in the next shard where there is something to seal, and in no other: errands that come meanwhile
    /// wait for it.
    /// - Returns: false where nothing was done.
    private func sealSome() -> Bool {
        // Each shard at most once: some may be another worker's by now.
        for _ in shards.numbers {
            guard let shard = shards.next(after: lastSealed, where: { $0.isToSeal }) else { return false }
            lastSealed = Int(shard.number)
            let isDone = shards.attempt(shard) { (file) throws(StorageError) -> Bool in
                if try file.seal(&sealer) { return true }
                return !file.isToSeal
            }
            if isDone == true { return true }
        }
        return false
    }

    /// Does one step in the next shard where there is more to extend, and in no other: errands that come meanwhile
    /// wait for it.
    private func extendSome(_ extend: SQLiteShard.Extend) -> Bool {
        // Each shard at most once: some may be another worker's by now.
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
