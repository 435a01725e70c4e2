import Foundation
import Pool
import Storage
import Transport
import Wire

/// The thread that waits for the disk, shard by shard, while the lane beside it lays out.
///
/// It reads what the other has committed, over connections of its own, and they share nothing.
struct SyncLane {
    let errands: Mailbox<Shard>

    /// Starts the thread. It ends with the process.
    init(_ folder: DataFolder, _ edition: EditionID, reports: Mailbox<LayoutLane.Report>) throws {
        let errands = try Mailbox<Shard>()
        self.errands = errands
        Thread.detachNewThread {
            do {
                var shards = OpenShards(folder: folder, edition: edition)
                var watch = Stopwatch()
                while true {
                    for shard in errands.takeAll() {
                        watch.start()
                        let point = shards.sync(shard)
                        watch.lap(.sync)
                        reports.post(.synced(shard, point, watch.take()))
                    }
                    _ = try wait(for: [errands.source], atMost: .seconds(60))
                }
            } catch {
                reports.post(.failed(error))
            }
        }
    }
}

private struct OpenShards: ~Copyable {
    let folder: DataFolder
    let edition: EditionID
    private var shards: [Shard: OpenShard] = [:]

    /// A connection, to be found under its shard.
    private final class OpenShard {
        var disk: ShardSync
        init(_ disk: consuming ShardSync) { self.disk = disk }
    }

    init(folder: DataFolder, edition: EditionID) { (self.folder, self.edition) = (folder, edition) }

    /// Nil where it failed; it is tried again.
    mutating func sync(_ shard: Shard) -> ShardPoint? {
        do throws(StorageError) { return try open(shard).disk.sync() } catch { return nil }
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        let open = OpenShard(try ShardSync(shard, of: edition, in: folder))
        shards[shard] = open
        return open
    }
}
