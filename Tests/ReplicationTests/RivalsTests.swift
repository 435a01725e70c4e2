import Names
import Pool
import Testing
import Wire

@testable import Replication

/// The rivals of a host, which have told how much of the log each has.
private func rivals(of host: HostID = Sample.hosts[0], _ places: [HostID: UInt64]) -> Rivals {
    let marks = places.sorted { $0.key < $1.key }.map { host, place in
        var anchor = LogAnchor.start
        anchor.sequence = LogSequence(place)
        return Mark(host: host, partition: Partition(0), anchor: anchor, keys: [], wiped: .zero, isLost: false)
    }
    return Rivals(host: host, partition: Partition(0), marks: marks)
}

@Test func `the heir is who has most of the log, whatever the order of claims`() {
    let (b, c) = (Sample.hosts[1], Sample.hosts[2])
    #expect(rivals([b: 7, c: 8]).heir == c && rivals([b: 8, c: 7]).heir == b)
    #expect(rivals([:]).heir == nil)
}

@Test func `of hosts that have as much, the heir is who would claim first`() {
    let (a, b, c) = (Sample.hosts[0], Sample.hosts[1], Sample.hosts[2])
    let heir = rivals([b: 7, c: 7]).heir
    // No host but a, which hands over, tries before.
    let before = rivals(of: heir!, heir == b ? [a: 7, c: 7] : [a: 7, b: 7]).rank(at: LogSequence(7))
    let aloneBefore = rivals(of: heir!, [a: 7]).rank(at: LogSequence(7))
    #expect(before == aloneBefore)
}

@Test func `a host with more records of an earlier reign is not ahead, as the log forgot them before the later claim`() {
    let other = rivals([Sample.hosts[1]: 26])
    var read = LogAnchor.start
    (read.sequence, read.reign) = (LogSequence(25), Reign(1))
    #expect(!other.areAhead(of: read))
    read.reign = .zero
    #expect(other.areAhead(of: read))
}
