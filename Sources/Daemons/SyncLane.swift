import Foundation
import Pool
import Storage
import Transport
import Wire

/// The thread that waits for the disk, shard by shard, while the lane beside it lays out.
///
/// It has connections of its own to the files that the other commits to, and the two share nothing but a mailbox.
struct SyncLane {
    enum Errand: Sendable {
        case sync(Shard)
        case tidy(Shard)
    }

    let errands: Mailbox<Errand>

    /// Starts the thread. It ends with the process.
    ///
    /// - Parameter purges: shards with content in their logs that was deleted.
    init(
        _ folder: DataFolder, _ edition: EditionID, purges: Mailbox<Shard>, reports: Mailbox<LayoutLane.Report>
    ) throws {
        let errands = try Mailbox<Errand>()
        self.errands = errands
        Thread.detachNewThread {
            do {
                var shards = OpenShards(folder: folder, edition: edition, reports: reports)
                var watch = Stopwatch()
                watch.lap(.start)
                while true {
                    for errand in errands.takeAll() {
                        watch.lap(.wake)
                        switch errand {
                        case .sync(let shard):
                            let point = shards.attempt(shard, endsTrouble: false) { (disk) throws(StorageError) in
                                try disk.sync()
                            }
                            shards.attempt(shard) { (disk) throws(StorageError) in try disk.tidy() }
                            watch.lap(.sync)
                            reports.post(.synced(shard, point, watch.take()))
                        case .tidy(let shard):
                            shards.attempt(shard) { (disk) throws(StorageError) in try disk.tidy() }
                            watch.lap(.sync)
                            reports.post(.tidied(shard, watch.take()))
                        }
                    }
                    for shard in Set(purges.takeAll()) {
                        watch.lap(.wake)
                        shards.attempt(shard) { (disk) throws(StorageError) in try disk.purge() }
                        watch.lap(.sync)
                        reports.post(.spent(watch.take()))
                    }
                    _ = try wait(for: [errands.source, purges.source], atMost: .seconds(60))
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
    let reports: Mailbox<LayoutLane.Report>
    private var shards: [Shard: OpenShard] = [:]
    /// The trouble of each shard that was told last.
    private var told: [Shard: String] = [:]

    /// A connection, to be found by its shard.
    private final class OpenShard {
        var disk: ShardSync
        init(_ disk: consuming ShardSync) { self.disk = disk }
    }

    init(folder: DataFolder, edition: EditionID, reports: Mailbox<LayoutLane.Report>) {
        (self.folder, self.edition, self.reports) = (folder, edition, reports)
    }

    /// Does one errand in one shard: the one rule for trouble. The errand comes again, and the operator hears of its
    /// trouble once, with the news of the shard. `ShardSync` never goes on over files that the disk did not confirm:
    /// it puts these aside.
    /// - Parameter endsTrouble: whether trouble that was told is over when this goes well.
    /// - Returns: nil where it could not be done.
    @discardableResult
    mutating func attempt<Result>(
        _ shard: Shard, endsTrouble: Bool = true, _ errand: (inout ShardSync) throws(StorageError) -> Result
    ) -> Result? {
        defer { tellNews(of: shard) }
        do throws(StorageError) {
            let result = try errand(&open(shard).disk)
            if endsTrouble { told[shard] = nil }
            return result
        } catch {
            // Files that were put aside come again with the next batch, and their news say why.
            if case .absent = error { return nil }
            if case .notSynced = error { return nil }
            // The thread beside this one may have the lock for a while.
            if case .blocked(_, getpid()) = error { return nil }
            tell(LaneShards.sentence(error), of: shard)
            return nil
        }
    }

    private mutating func tell(_ sentence: String, of shard: Shard) {
        guard told.updateValue(sentence, forKey: shard) != sentence else { return }
        reports.post(.trouble(shard, sentence))
    }

    private func tellNews(of shard: Shard) {
        guard let open = shards[shard], !open.disk.news.isEmpty else { return }
        for news in open.disk.news { reports.post(.news(shard, news)) }
        open.disk.news = []
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        let open = OpenShard(try ShardSync(shard, of: edition, in: folder))
        shards[shard] = open
        return open
    }
}
