import Operations
import Pool
import Storage

private let log = Log("coordinator")

/// Removes files of shards that were put aside a day ago: soon after the start, and then each hour.
struct PutAsides {
    private var next = Moment.start

    mutating func remove(in folder: DataFolder, at now: Moment) {
        guard now >= next else { return }
        next = now + .seconds(3600)
        do throws(StorageError) {
            try ShardPlace.removePutAside(in: folder, before: WallClock.seconds - ShardPlace.timeAside)
        } catch {
            log.warning("files that were put aside cannot be removed", ["reason": "\(LaneShards.sentence(error))"])
        }
    }
}
