import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Storage
import Transport
import Wire

/// The thread that lays out: messages in, records in the cache out, one lease after the other.
///
/// It is alone with its engine and its connection to the cache. Leases and reports come and go through mailboxes, so that no
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
    init(folder: DataFolder, style: StyleSheet, fonts: @escaping @Sendable () throws -> FontList) throws {
        let leases = try Mailbox<Lease>()
        let reports = try Mailbox<Report>()
        self.leases = leases
        self.reports = reports
        Thread.detachNewThread {
            do {
                var bench = try Bench(folder: folder, style: style, fonts: fonts())
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
        private var engine: LayoutEngine
        private var encoder = RecordEncoder()
        private var sheet = LayoutSheet()
        private let cache: LayoutCache

        init(folder: DataFolder, style: StyleSheet, fonts: FontList) throws {
            let cache = try LayoutCache(in: folder)
            engine = try LayoutEngine(style: style, fonts: fonts)
            self.cache = cache
        }

        mutating func layOut(_ lease: Lease, _ reports: Mailbox<Report>) throws {
            var rows: [LayoutCache.Row] = []
            var results: [JobResult] = []
            for job in lease.jobs {
                do throws(Objection) {
                    rows.append(LayoutCache.Row(event: job.event, record: try record(of: job.event)))
                    results.append(JobResult(job: job.id, outcome: .stored))
                } catch {
                    results.append(JobResult(job: job.id, outcome: .refused(error)))
                }
            }
            do {
                try cache.store(rows)
                reports.post(.laidOut(lease.id, results))
            } catch {
                // The disk is at fault and no job is: hand the jobs back before this worker goes.
                reports.post(.laidOut(lease.id, lease.jobs.map { JobResult(job: $0.id, outcome: .returned) }))
                throw error
            }
        }

        /// All layouts of a message, for the targets of the style.
        private mutating func record(of event: Event) throws(Objection) -> [UInt8] {
            var bytes: [UInt8] = []
            do {
                let body = JSONDocument(name: "body", bytes: event.body, dialect: .json)
                try body.read { (message) throws(JSONError) in try engine.layOut(message, into: &sheet) }
                try encoder.encode(sheet, into: &bytes)
            } catch {
                // It is told to operators, so nothing of the message may be in it.
                throw Objection((error as? JSONError)?.discreet ?? "\(error)")
            }
            return bytes
        }
    }
}
