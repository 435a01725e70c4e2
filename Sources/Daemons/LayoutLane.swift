import Foundation
import MessageLayout
import Pool
import Shaping
import Storage
import Transport
import Wire

/// The thread that lays out: batches in, commits in shards, reports out, one errand after the other.
///
/// It is alone with its layouter and its shards. Errands and reports come and go through mailboxes, so that no
/// layout, however long, keeps the socket thread from sending signs of life.
struct LayoutLane {
    enum Errand: Sendable {
        case work(Batch)
        /// Layouts are made for these targets from now on, beside those of the style.
        case prepare([Target])
        /// Everything is done; shards are marked as left in order.
        case close
    }

    enum Report: Sendable {
        /// Fonts are open; these are the targets and the engine that it lays out with. Without an engine it lays
        /// nothing out.
        case ready(EditionID, name: String, [Target], EngineFacts?)
        case done(BatchReport, StageTimes, LayoutFigures)
        /// Nil when the disk did not take it.
        case synced(Shard, ShardPoint?, StageTimes)
        case tidied(Shard, StageTimes)
        /// The time of work that was not for a batch.
        case spent(StageTimes)
        /// The file was damaged, and was replaced by another.
        case renewed(Shard, ShardPoint)
        /// News for the operator.
        case news(Shard, ShardNews)
        /// The disk's lane could not do an errand, which comes again.
        case trouble(Shard, String)
        case closed
        /// Nothing more will come.
        case failed(any Error)
    }

    let errands: Mailbox<Errand>
    let reports: Mailbox<Report>
    /// Shards with content in their logs that was deleted: `SyncLane` empties these logs.
    let purges: Mailbox<Shard>

    /// Starts the thread. It ends with the process.
    ///
    /// - Parameter retention: the amount that all shards together are to keep; the last one counts.
    init(folder: DataFolder, task: WorkerTask, retention: Mailbox<ShardRetention>) throws {
        let errands = try Mailbox<Errand>()
        let reports = try Mailbox<Report>()
        let purges = try Mailbox<Shard>()
        (self.errands, self.reports, self.purges) = (errands, reports, purges)
        Thread.detachNewThread {
            do {
                switch task {
                case .layOut(let style, let fonts):
                    var lane = try BatchLane(
                        folder: folder, style: style, fonts: fonts(), reports: reports, purges: purges)
                    try Self.run(&lane, errands, retention)
                case .takeCare(let edition, let name):
                    var lane = CaretakerLane(
                        folder: folder, edition: edition, name: name, reports: reports, purges: purges)
                    try Self.run(&lane, errands, retention)
                }
            } catch {
                reports.post(.failed(error))
            }
        }
    }

    private static func run<Work: LaneWork & ~Copyable>(
        _ lane: inout Work, _ errands: Mailbox<Errand>, _ retention: Mailbox<ShardRetention>
    ) throws {
        var rest: Duration = .zero
        while true {
            // The retention comes first, as files are made with it.
            if let latest = retention.takeAll().last { lane.retention = latest }
            for errand in errands.takeAll() { lane.run(errand) }
            // Now and then there is something to tidy up, whether or not an errand comes.
            rest = lane.tidy(idle: try wait(for: [errands.source], atMost: rest) == [false])
        }
    }
}

/// The work of a lane, on its thread.
protocol LaneWork: ~Copyable {
    /// The amount that all shards together are to keep.
    var retention: ShardRetention { get set }
    mutating func run(_ errand: LayoutLane.Errand)
    /// Does the work beside errands.
    /// - Returns: the time for which there is no more of it.
    mutating func tidy(idle: Bool) -> Duration
}

extension Mailbox<LayoutLane.Report> {
    /// - Parameter count: the number of messages for which a batch found neither content nor a row.
    func post(lost count: Int, of shard: Shard) {
        if count > 0 { post(.news(shard, .notKept(messages: count))) }
    }
}
