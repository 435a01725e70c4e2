import Pool
import Storage
import Transport
import Wire

/// Tends the shards of an edition that cannot be laid out here, as its fonts are gone or its rules are another
/// release's, on the thread of a `LayoutLane`. It removes the rows of messages that were deleted or have changed;
/// readers are then shown the rows of the next edition.
struct CaretakerLane: ~Copyable, LaneWork {
    private let reports: Mailbox<LayoutLane.Report>
    private var work = BatchWork()
    private let carried: CarriedRows
    private let shards: LaneShards
    private var nextTidying = ContinuousClock.now
    /// The retention is without effect: rows that are not to be kept any more go with the edition.
    var retention = ShardRetention()

    private static let pause: Duration = .seconds(1)

    init(
        folder: DataFolder, edition: EditionID, name: String, reports: Mailbox<LayoutLane.Report>,
        purges: Mailbox<Shard>? = nil
    ) {
        self.reports = reports
        carried = CarriedRows(of: edition, in: folder)
        shards = LaneShards(of: edition, in: folder, reports: reports, purges: purges)
        reports.post(.ready(edition, name: name, [], nil))
    }

    mutating func run(_ errand: LayoutLane.Errand) {
        switch errand {
        case .work(let batch): reports.post(.done(perform(batch), StageTimes(), LayoutFigures()))
        case .prepare: break
        case .close:
            shards.close()
            reports.post(.closed)
        }
    }

    private mutating func perform(_ batch: Batch) -> BatchReport {
        do throws(StorageError) {
            let shard = try shards.open(batch.shard)
            let rows = carried
            defer { reports.post(lost: rows.close(), of: batch.shard) }
            // Rows that cannot be laid out any more are taken over from files that were put aside.
            return work.perform(
                batch, in: &shard.file, describing: LaneShards.sentence,
                carry: { (job) throws(Objection) in
                    try rows.row(of: job, for: batch.shard, shard: batch.shard, shown: [])
                }
            ) { _, _, _ in .beyondUs }
        } catch {
            let objection = Objection(LaneShards.sentence(error))
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(objection))
        }
    }

    /// Tends the files about once a second.
    mutating func tidy(idle: Bool) -> Duration {
        guard nextTidying <= .now else { return nextTidying - .now }
        nextTidying = .now + Self.pause
        shards.maintain(idle: idle)
        return Self.pause
    }
}
