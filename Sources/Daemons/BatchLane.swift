import Bytes
import FormeLayout
import MessageLayout
import Operations
import Pool
import Rows
import Shaping
import Storage
import Transport
import Wire

/// Lays out batches and writes them in shards, on the thread of a `LayoutLane`; it does chores beside them.
struct BatchLane: ~Copyable, LaneWork {
    private let reports: Mailbox<LayoutLane.Report>
    private var layouter: RowLayouter
    private var work = BatchWork()
    private var watch = Stopwatch()
    /// Figures since they were last sent, and those of the word cache at that time.
    private var figures = LayoutFigures()
    private var words = CacheTally()
    private let shards: LaneShards
    private let chores: ShardChores
    private var neighbour: NeighbourEdition
    private let carried: CarriedRows

    init(
        folder: DataFolder, style: StyleSheet, fonts: FontList, reports: Mailbox<LayoutLane.Report>,
        purges: Mailbox<Shard>? = nil
    ) throws {
        var layouter = try RowLayouter(style: style, fonts: fonts)
        let decoration = try style.decoration()
        let edition = try layouter.edition.id
        let engine = layouter.engineFacts()
        reports.post(.ready(edition, name: layouter.edition.name, style.targets, engine))
        self.layouter = layouter
        neighbour = NeighbourEdition(of: edition, in: folder)
        carried = CarriedRows(of: edition, in: folder)
        // The lane that waits for the disk empties logs much earlier: this one does so only where the other has no
        // chance to.
        shards = LaneShards(
            of: edition, in: folder, reports: reports, purges: purges, decoration: style.decorationText, patience: 4)
        chores = ShardChores(shards, decoration)
        self.reports = reports
        watch.lap(.start)
    }

    var retention: ShardRetention {
        get { chores.retention }
        nonmutating set { chores.retention = newValue }
    }

    mutating func run(_ errand: LayoutLane.Errand) {
        switch errand {
        case .work(let batch):
            let start = ContinuousClock.now
            watch.lap(.wake)
            let report = perform(batch)
            watch.lap(.store)
            watch.times.count += UInt64(batch.jobs.count)
            reports.post(.done(report, watch.take(), takeFigures()))
            shards.tellNews(of: batch.shard)
            watch.lap(.store)
            chores.step(beside: .now - start) { layouter.extended($0, $1) }
            watch.lap(.upkeep)
        case .prepare(let targets):
            layouter.prepare(targets)
            shards.prepare(layouter.added)
        case .close:
            shards.close()
            reports.post(.closed)
        }
    }

    mutating func tidy(idle: Bool) -> Duration {
        watch.lap(.wake)
        defer {
            watch.lap(.upkeep)
            // Otherwise they go with the next batch.
            if idle { reports.post(.spent(watch.take())) }
        }
        return chores.tidy(idle: idle) { layouter.extended($0, $1) }
    }

    private mutating func takeFigures() -> LayoutFigures {
        let words = layouter.words
        figures[.words] = words - self.words
        self.words = words
        defer { figures = LayoutFigures() }
        return figures
    }

    private mutating func perform(_ batch: Batch) -> BatchReport {
        let shard: LaneShards.OpenShard
        do throws(StorageError) {
            shard = try shards.open(batch.shard)
        } catch {
            let objection = Objection(LaneShards.sentence(error))
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(objection))
        }
        // Moved out: the layouter, which is a part of `self` as well, is changed meanwhile.
        var work = BatchWork()
        swap(&work, &self.work)
        defer { swap(&work, &self.work) }
        neighbour.look()
        let (others, rows, shards) = (neighbour.others, carried, shards)
        defer { reports.post(lost: rows.close(), of: batch.shard) }
        var borrowed = BorrowedRows(of: batch)
        var (traces, kinds) = (BatchTraces(), KindTimes())
        // To read a thread's clock is to ask the kernel: this is done once, behind the last layout.
        var left = batch.jobs.count { if case .layOut = $0.work { true } else { false } }
        var report = work.perform(
            batch, in: &shard.file, describing: LaneShards.sentence,
            carry: { (job) throws(Objection) in
                try rows.row(of: job, for: batch.shard, shard: shards.shard(of: job), shown: others)
            }
        ) { (job, message, stored) throws(Objection) in
            let (start, begin) = (Traces.start, KindTimes.now)
            defer {
                left -= 1
                if left == 0 { watch.lap(.layOut) }
                traces.note(job, from: start)
            }
            let (isFirst, isDoubted) = (message.isFirst, message.isDoubted)
            let message = try layouter.checked(message)
            let made = isDoubted ? nil : Self.fitting(&borrowed, job, message, layouter)
            if let made, !borrowed.isChecked(job.message) {
                return made.key == stored ? .asBefore : Self.laidOut(layouter.row(made))
            }
            if made == nil, !isDoubted, stored != nil || (neighbour.isThere && !isFirst) {
                let key = layouter.key(of: message)
                if stored != nil { figures[.rows].count(isHit: stored == key) }
                if stored == key { return .asBefore }
                let role = layouter.role(of: message)
                let row = role.flatMap { _ in neighbour.row(job.message, in: shards.shard(of: job), under: key) }
                if neighbour.isThere { figures[.editions].count(isHit: row != nil) }
                if let role, let row {
                    let role = RowRole(template: role.template, joinsSeries: role.joinsSeries)
                    let (layout, known) = layouter.extended(row.layout, row.measured) ?? (row.layout, row.heights)
                    // Rows of the release before have no list beside them.
                    let heights = known.isEmpty ? layouter.listedHeights(of: layout) : known
                    return .anew(role, key: key, layout: layout, measured: row.measured, heights: heights)
                }
            }
            let row = try layouter.row(of: message)
            kinds.note(message.template.kind, from: begin)
            if let made { borrowed.compare(made, with: MadeRow(row, at: made.place), of: job) }
            return row.key == stored && !isDoubted ? .asBefore : Self.laidOut(row)
        }
        // Nothing else has been counted of it since the batch before.
        kinds.add(of: watch.times[.layOut], to: &figures)
        report.difference = borrowed.difference
        traces.end(report)
        return report
    }

    /// The row of a job that was made elsewhere; nil where it is to be made here. A row of another key is no fault: a
    /// host that has forgotten the content of a message keeps the row that it had, whatever is said of the message
    /// since.
    private static func fitting(
        _ borrowed: inout BorrowedRows, _ job: LayoutJob, _ message: CheckedMessage, _ layouter: borrowing RowLayouter
    ) -> MadeRow? {
        guard let made = borrowed.row(of: job.message) else { return nil }
        do throws(ByteError) {
            return try layouter.fits(made) && made.key == layouter.key(of: message) ? made : nil
        } catch {
            borrowed.refuse("what came from elsewhere for the message \(job.messageID) is no row: \(error)")
            return nil
        }
    }

    private static func laidOut(_ row: RowLayouter.Row) -> BatchWork.LaidOut {
        let role = RowRole(template: row.template, joinsSeries: row.joinsSeries)
        return .anew(role, key: row.key, layout: row.layout, measured: row.measured, heights: row.heights)
    }
}
