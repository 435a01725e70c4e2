import Foundation
import MessageLayout
import Shaping
import Storage
import Transport
import Wire

/// The thread that lays out: text in, rows in the cache out, one lease after the other.
///
/// It is alone with its shaper and its connection to the cache. Leases and reports come and go through mailboxes, so that no
/// layout, however long, keeps the socket thread from saying that this worker lives.
struct LayoutLane {
    enum Report: Sendable {
        /// Fonts and cache are open.
        case ready
        case laidOut(LeaseID, [JobResult])
        /// Nothing more will come.
        case failed(any Error)
    }

    let leases: Mailbox<Lease>
    let reports: Mailbox<Report>

    /// Starts the thread. It ends with the process.
    init(folder: DataFolder, fonts: @escaping @Sendable () throws -> FontList) throws {
        let leases = try Mailbox<Lease>()
        let reports = try Mailbox<Report>()
        self.leases = leases
        self.reports = reports
        Thread.detachNewThread {
            do {
                var bench = try Bench(folder: folder, fonts: fonts())
                reports.post(.ready)
                while true {
                    for lease in leases.takeAll() { try bench.layOut(lease, reports) }
                    _ = try wait(for: [leases.source], atMost: .seconds(60))
                }
            } catch {
                reports.post(.failed(error))
            }
        }
    }

    /// What the thread works with.
    private struct Bench: ~Copyable {
        var shaper: Shaper
        let cache: LayoutCache

        init(folder: DataFolder, fonts: FontList) throws {
            let cache = try LayoutCache(in: folder)
            shaper = try Shaper(fonts: fonts)
            self.cache = cache
        }

        mutating func layOut(_ lease: Lease, _ reports: Mailbox<Report>) throws {
            var rows: [LayoutCache.Row] = []
            for job in lease.jobs {
                let measured = shaper.measure(job.event.body)
                let record = ThinRecord(
                    lease.targets.map { (target: $0, model: ThinModel.compose(measured, for: $0)) })
                rows.append(LayoutCache.Row(event: job.event, record: record.encoded()))
            }
            do {
                try cache.store(rows)
                reports.post(.laidOut(lease.id, lease.jobs.map { JobResult(job: $0.id, outcome: .stored) }))
            } catch {
                // The disk is at fault and no job is: hand the jobs back before this worker goes.
                reports.post(.laidOut(lease.id, lease.jobs.map { JobResult(job: $0.id, outcome: .returned) }))
                throw error
            }
        }
    }
}
