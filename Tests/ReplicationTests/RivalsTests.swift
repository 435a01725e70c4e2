import Names
import Pool
import Testing
import Wire

@testable import Replication

/// The rivals of a host, which have told how much of the log each has.
private func rivals(of host: HostID = Sample.hosts[0], _ places: [HostID: UInt64]) -> Rivals {
    rivals(of: host, at: places.mapValues { anchor($0) })
}

private func rivals(of host: HostID = Sample.hosts[0], at anchors: [HostID: LogAnchor]) -> Rivals {
    let marks = anchors.sorted { $0.key < $1.key }.map { host, anchor in
        Mark(host: host, partition: Partition(0), anchor: anchor, keys: [], wiped: .zero, isLost: false)
    }
    return Rivals(host: host, partition: Partition(0), marks: marks)
}

private func anchor(_ place: UInt64, reign: UInt64 = 0) -> LogAnchor {
    var anchor = LogAnchor.start
    (anchor.sequence, anchor.reign) = (LogSequence(place), Reign(reign))
    return anchor
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
    let before = rivals(of: heir!, heir == b ? [a: 7, c: 7] : [a: 7, b: 7]).rank(at: anchor(7))
    let aloneBefore = rivals(of: heir!, [a: 7]).rank(at: anchor(7))
    #expect(before == aloneBefore)
}

@Test func `a host with more records of an earlier reign is not ahead, as the log forgot these`() {
    let other = rivals([Sample.hosts[1]: 26])
    #expect(!other.areAhead(of: anchor(25, reign: 1)) && other.areAhead(of: anchor(25)))
}

@Test func `a host with more records of an earlier reign is no heir, and tries before nobody`() {
    let (b, c) = (Sample.hosts[1], Sample.hosts[2])
    #expect(rivals(at: [b: anchor(26), c: anchor(25, reign: 1)]).heir == c)
    let ranks = Sample.hosts.map { host -> Int in
        var places: [HostID: UInt64] = [:]
        for other in Sample.hosts where other != host { places[other] = 26 }
        return rivals(of: host, places).rank(at: anchor(25, reign: 1))
    }
    #expect(ranks == [0, 0, 0])
}
