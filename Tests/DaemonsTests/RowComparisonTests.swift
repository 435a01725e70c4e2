import Foundation
import Names
import Replication
import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

private func counted(
    _ comparison: inout RowComparison, _ edition: EditionID
) throws -> [RowComparison.Counted] {
    let end = ContinuousClock.now + patience
    var found = comparison.takeCounted(edition)
    while found.isEmpty, .now < end {
        _ = try wait(for: [comparison.source], atMost: .milliseconds(100))
        found = comparison.takeCounted(edition)
    }
    return found
}

@Test func `rows are counted for this host and for others, one question after the other`() throws {
    let files = try TemporaryFolder()
    let edition = try EditionID("e1")
    var comparison = try RowComparison(in: DataFolder(files.path))
    let number = comparison.begin()
    comparison.hear(5, on: [1])
    let askers = try [counted(&comparison, edition), counted(&comparison, edition)].map { $0.map(\.asker) }
    #expect(askers == [[.init(number: number)], [.init(number: 5, route: [1])]])
}

@Test func `nothing is counted while nothing is served`() throws {
    let files = try TemporaryFolder()
    var comparison = try RowComparison(in: DataFolder(files.path))
    _ = comparison.begin()
    let none = comparison.takeCounted(nil)
    #expect(none.isEmpty)
    #expect(try wait(for: [comparison.source], atMost: .milliseconds(50)) == [false])
}

@Test func `an answer to an earlier question is not taken for one to this`() throws {
    let files = try TemporaryFolder()
    let (a, b) = (try HostID("a"), try HostID("b"))
    let count = RowCount(edition: try EditionID("e1"), rows: 4, digest: 9)
    var comparison = try RowComparison(in: DataFolder(files.path))
    let first = comparison.begin()
    comparison.take(count, first, of: a)
    #expect(comparison.counts == [a: count])
    let second = comparison.begin()
    comparison.take(count, first, of: a)
    #expect(comparison.counts.isEmpty)
    comparison.take(count, second, of: b)
    #expect(comparison.counts == [b: count])
}

@Test func `rows that cannot be read are told as such`() throws {
    let files = try TemporaryFolder()
    let folder = DataFolder(files.path)
    let edition = try EditionID("e1")
    try FileManager.default.createDirectory(atPath: files.file("shards/e1"), withIntermediateDirectories: true)
    try "no database".write(toFile: files.file("shards/e1/00.db"), atomically: true, encoding: .utf8)
    var comparison = try RowComparison(in: folder)
    _ = comparison.begin()
    let found = try counted(&comparison, edition)
    #expect(found.map(\.count) == [RowCount(edition: edition, rows: nil, digest: 0)])
}
