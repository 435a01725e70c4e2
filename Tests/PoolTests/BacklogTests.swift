import Testing
import Wire

@testable import Pool

private func backlog(returned strikes: [Int], fresh: Int64) throws -> Backlog {
    var backlog = Backlog()
    for number in 100..<(100 + fresh) { backlog.append(try job(number)) }
    backlog.putBack(try strikes.enumerated().map { Attempt(job: try job(Int64($0)), strikes: $1) })
    return backlog
}

/// The numbers of the jobs of each batch until none are left.
private func batches(_ backlog: Backlog, jobs: Int = 10, bytes: Int = 1000) -> [[Int64]] {
    var backlog = backlog
    var batches: [[Int64]] = []
    while backlog.count > 0 { batches.append(backlog.takeBatch(jobs: jobs, bytes: bytes).map(\.job.id.number)) }
    return batches
}

@Test func `what comes back goes first, in its own order`() throws {
    #expect(batches(try backlog(returned: [0, 0], fresh: 2)) == [[0, 1, 100, 101]])
}

@Test func `a job with a strike goes alone, whatever stands before or behind it`() throws {
    #expect(batches(try backlog(returned: [1, 2], fresh: 2)) == [[0], [1], [100, 101]])
    #expect(batches(try backlog(returned: [0, 1, 0], fresh: 1)) == [[0], [1], [2, 100]])
}

@Test func `a batch ends at its number of jobs, and where its bytes are passed`() throws {
    #expect(batches(try backlog(returned: [], fresh: 5), jobs: 2) == [[100, 101], [102, 103], [104]])
    // Each text has eight bytes.
    #expect(batches(try backlog(returned: [], fresh: 5), bytes: 17) == [[100, 101, 102], [103, 104]])
    #expect(batches(try backlog(returned: [], fresh: 2), bytes: 1) == [[100], [101]])
}

@Test func `nothing is lost or doubled when much has been taken and much put back`() throws {
    var backlog = try backlog(returned: [], fresh: 100)
    var seen: [Int64] = []
    for number in 200..<300 as Range<Int64> {
        let batch = backlog.takeBatch(jobs: 3, bytes: 1000)
        backlog.putBack(Array(batch.dropFirst()))
        seen += batch.prefix(1).map(\.job.id.number)
        backlog.append(try job(number))
    }
    seen += batches(backlog).joined()
    #expect(seen == Array(100..<300))
}
