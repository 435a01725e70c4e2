import Foundation
import MessageLayout
import Pool
import Shaping
import Storage
import Transport
import Wire

/// The thread that lays out: batches in, commits in shards, reports out, one errand after the other.
///
/// It is alone with its layouter and its shards. Errands and reports come and go through mailboxes, so that no layout, however
/// long, keeps the socket thread from saying that this worker lives.
struct LayoutLane {
    enum Errand: Sendable {
        case work(Batch)
        /// Everything is done; shards are marked as left in order.
        case close
    }

    enum Report: Sendable {
        /// Fonts are open, and this is what it lays out with.
        case ready(EditionID, name: String)
        case done(BatchReport, StageTimes)
        /// Nil when the disk did not take it.
        case synced(Shard, ShardPoint?, StageTimes)
        case tidied(Shard, StageTimes)
        /// For the operator.
        case news(Shard, ShardNews)
        case closed
        /// Nothing more will come.
        case failed(any Error)
    }

    let errands: Mailbox<Errand>
    let reports: Mailbox<Report>

    /// Starts the thread. It ends with the process.
    init(folder: DataFolder, style: StyleSheet, fonts: @escaping @Sendable () throws -> FontList) throws {
        let errands = try Mailbox<Errand>()
        let reports = try Mailbox<Report>()
        self.errands = errands
        self.reports = reports
        Thread.detachNewThread {
            do {
                var bench = try LayoutBench(folder: folder, style: style, fonts: fonts(), reports: reports)
                while true {
                    for errand in errands.takeAll() { bench.run(errand) }
                    // Now and then there is something to tidy up, whether or not anything comes.
                    if try wait(for: [errands.source], atMost: .seconds(1)) == [false] { bench.tidy() }
                }
            } catch {
                reports.post(.failed(error))
            }
        }
    }
}
