import Pool
import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

@Test func `a purge wakes the thread that waits for the disk`() throws {
    let folder = try TemporaryFolder()
    let (purges, reports) = (try Mailbox<Shard>(), try Mailbox<LayoutLane.Report>())
    let edition = try EditionID("aa")
    let lane = try SyncLane(DataFolder(folder.path), edition, purges: purges, reports: reports)
    // The first may be found before the thread waits; it then waits, or is about to.
    for _ in 0..<2 {
        purges.post(Shard(0))
        let isThere = try wait(for: [reports.source], atMost: .seconds(30)) == [true]
        #expect(isThere && !reports.takeAll().isEmpty)
    }
    _ = lane
}
