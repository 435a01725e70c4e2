import Foundation
import Pool
import Storage
import Transport
import Wire

/// The thread that waits for the disk, shard by shard, while the lane beside it lays out.
///
/// It has connections of its own to the files that the other commits to, and the two share nothing.
struct SyncLane {
    enum Errand: Sendable {
        case sync(Shard)
        case tidy(Shard)
    }

    let errands: Mailbox<Errand>

    /// Starts the thread. It ends with the process.
    init(_ folder: DataFolder, _ edition: EditionID, reports: Mailbox<LayoutLane.Report>) throws {
        let errands = try Mailbox<Errand>()
        self.errands = errands
        Thread.detachNewThread {
            do {
                var shards = OpenShards(folder: folder, edition: edition)
                var watch = Stopwatch()
                watch.lap(.start)
                while true {
                    for errand in errands.takeAll() {
                        watch.lap(.wake)
                        switch errand {
                        case .sync(let shard):
                            let point = shards.sync(shard)
                            shards.tidy(shard)
                            watch.lap(.sync)
                            for news in shards.takeNews(of: shard) { reports.post(.news(shard, news)) }
                            reports.post(.synced(shard, point, watch.take()))
                        case .tidy(let shard):
                            shards.tidy(shard)
                            watch.lap(.sync)
                            for news in shards.takeNews(of: shard) { reports.post(.news(shard, news)) }
                            reports.post(.tidied(shard, watch.take()))
                        }
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

    /// A connection, to be found by its shard.
    private final class OpenShard {
        var disk: ShardSync
        init(_ disk: consuming ShardSync) { self.disk = disk }
    }

    init(folder: DataFolder, edition: EditionID) { (self.folder, self.edition) = (folder, edition) }

    /// Nil where it failed. It is tried again, but never over files that the disk did not confirm: `ShardSync` puts
    /// these aside.
    mutating func sync(_ shard: Shard) -> ShardPoint? {
        do throws(StorageError) { return try open(shard).disk.sync() } catch { return nil }
    }

    /// Empties a log. One that cannot be emptied now is tried again soon, and reported when a batch meets the same
    /// trouble.
    mutating func tidy(_ shard: Shard) {
        do throws(StorageError) { try open(shard).disk.tidy() } catch {}
    }

    /// News of a shard for the operator, each once.
    func takeNews(of shard: Shard) -> [ShardNews] {
        guard let open = shards[shard] else { return [] }
        defer { open.disk.news = [] }
        return open.disk.news
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        let open = OpenShard(try ShardSync(shard, of: edition, in: folder))
        shards[shard] = open
        return open
    }
}
