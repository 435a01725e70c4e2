import FormeLayout
import MessageLayout
import Pool
import Shaping
import Storage
import Transport
import Wire

/// What a lane works with: its layouter, and the shards that it writes.
struct LayoutBench: ~Copyable {
    private let edition: EditionID
    private let folder: DataFolder
    private let reports: Mailbox<LayoutLane.Report>
    private var layouter: RowLayouter
    private var work = BatchWork()
    private var watch = Stopwatch()
    private var shards: [Shard: OpenShard] = [:]

    /// A file, to be found under its shard.
    private final class OpenShard {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    init(
        folder: DataFolder, style: StyleSheet, fonts: FontList, reports: Mailbox<LayoutLane.Report>
    ) throws {
        let layouter = try RowLayouter(style: style, fonts: fonts)
        let edition = try layouter.edition.id
        reports.post(.ready(edition, name: layouter.edition.name))
        self.layouter = layouter
        (self.edition, self.folder, self.reports) = (edition, folder, reports)
    }

    mutating func run(_ errand: LayoutLane.Errand) {
        switch errand {
        case .work(let batch):
            watch.start()
            let report = perform(batch)
            watch.lap(.store)
            watch.times.count += UInt64(batch.jobs.count)
            reports.post(.done(report, watch.take()))
            tellNews(of: batch.shard)
        case .close:
            close()
            reports.post(.closed)
        }
    }

    private mutating func perform(_ batch: Batch) -> BatchReport {
        let shard: OpenShard
        do throws(StorageError) {
            shard = try open(batch.shard)
        } catch {
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(Objection(sentence(error))))
        }
        // Out of `self`, which the layouter is changed in meanwhile.
        var work = BatchWork()
        swap(&work, &self.work)
        defer { swap(&work, &self.work) }
        return work.perform(batch, in: &shard.file, describing: sentence) { (message, stored) throws(Objection) in
            defer { watch.lap(.layOut) }
            if let stored, try layouter.key(of: message) == stored { return .asBefore }
            let row = try layouter.row(of: message)
            return .anew(key: row.key, layout: row.layout, measured: row.measured)
        }
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        guard let manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        let open = OpenShard(
            try SQLiteShard(shard, of: edition, in: folder, settings: Self.settings(manifest.era)))
        shards[shard] = open
        return open
    }

    /// The lane that waits for the disk empties logs much earlier: only where it does not get to it, this one does.
    private static func settings(_ era: UInt64) -> ShardSettings {
        var settings = ShardSettings(era: era)
        settings.checkpoint *= 4
        return settings
    }

    /// Passes on what an operator should hear of a shard.
    private func tellNews(of shard: Shard) {
        guard let open = shards[shard], !open.file.news.isEmpty else { return }
        for news in open.file.news { reports.post(.news(shard, news)) }
        open.file.news = []
    }

    func tidy() {
        for (shard, open) in shards {
            // What cannot be tidied up now is tried again in a second, and told when a batch meets the same trouble.
            do throws(StorageError) { try open.file.maintain(idle: true) } catch {}
            tellNews(of: shard)
        }
    }

    /// A shard that cannot be closed in order counts as left in the middle, which costs its readers a fresh start.
    private mutating func close() {
        for open in shards.values {
            do throws(StorageError) { try open.file.close() } catch {}
        }
        shards = [:]
    }
}

/// What an operator reads of trouble with a shard.
private func sentence(_ error: StorageError) -> String {
    switch error {
    case .blocked(let path, let process?): "\(path) is held by process \(process), which does not go on"
    case .blocked(let path, nil): "\(path) is held by a process that does not go on"
    case .full(let path): "there is no room left on the disk of \(path)"
    default: "\(error)"
    }
}
