import Pool
import Storage
import Transport
import Wire

/// What the lane of a caretaker works with: the shards of an edition that nobody here can lay out, as its fonts are gone or its rules are
/// another release's. It removes what is deleted, and the rows of messages that are not any more what these show; readers then are
/// given the row of the next edition.
struct CaretakerBench: ~Copyable, LaneBench {
    private let edition: EditionID
    private let folder: DataFolder
    private let reports: Mailbox<LayoutLane.Report>
    private var work = BatchWork()
    private let carried: CarriedRows
    private var shards: [Shard: OpenShard] = [:]
    private var nextTidying = ContinuousClock.now
    /// Rows that are not to be kept any more go with the edition.
    var retention = ShardRetention()

    private static let pause: Duration = .seconds(1)

    /// A file, to be found under its shard.
    private final class OpenShard {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    init(folder: DataFolder, edition: EditionID, name: String, reports: Mailbox<LayoutLane.Report>) {
        (self.folder, self.edition, self.reports) = (folder, edition, reports)
        carried = CarriedRows(of: edition, in: folder)
        reports.post(.ready(edition, name: name, []))
    }

    mutating func run(_ errand: LayoutLane.Errand) {
        switch errand {
        case .work(let batch): reports.post(.done(perform(batch), StageTimes()))
        case .prepare: break
        case .close:
            // A shard that cannot be closed in order counts as left in the middle, which costs its readers a fresh start.
            for open in shards.values {
                do throws(StorageError) { try open.file.close() } catch {}
            }
            shards = [:]
            reports.post(.closed)
        }
    }

    private mutating func perform(_ batch: Batch) -> BatchReport {
        do throws(StorageError) {
            let shard = try open(batch.shard)
            let rows = carried
            defer { reports.post(lost: rows.close(), of: batch.shard) }
            // What nobody can lay out any more is taken over from files that were put aside.
            return work.perform(
                batch, in: &shard.file, describing: LayoutBench.sentence,
                carry: { (job) throws(Objection) in try rows.row(of: job, in: batch.shard, served: nil) }
            ) { _, _, _ in .beyondUs }
        } catch {
            let objection = Objection(LayoutBench.sentence(error))
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(objection))
        }
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        guard let manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        let open = OpenShard(
            try SQLiteShard(shard, of: edition, in: folder, settings: ShardSettings(era: manifest.era)))
        shards[shard] = open
        return open
    }

    /// What is deleted leaves the files, about once a second.
    mutating func tidy(idle: Bool) -> Duration {
        guard nextTidying <= .now else { return nextTidying - .now }
        nextTidying = .now + Self.pause
        for (shard, open) in shards {
            // What cannot be tidied up now is tried again in a second.
            do throws(StorageError) {
                if try open.file.isRenewed() { reports.post(.renewed(shard, try open.file.sync())) }
                try open.file.maintain(idle: idle)
            } catch {}
        }
        return Self.pause
    }
}
