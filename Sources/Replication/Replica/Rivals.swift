import Names
import Pool
import Wire

/// The other hosts that may claim a partition, as they were heard lately, for a host that considers a claim.
struct Rivals {
    let host: HostID
    let partition: Partition
    let marks: [Mark]

    /// Returns the number of hosts that try before this one: they know as much, and come first in an order that each
    /// partition has of its own.
    func rank(at read: LogAnchor) -> Int {
        let own = turn(of: host)
        return marks.count { length($0.anchor) >= length(read) && turn(of: $0.host) < own }
    }

    private func turn(of host: HostID) -> UInt64 {
        var hash = StableHash()
        hash.add(UInt64(partition.number))
        hash.add(host.text.utf8)
        return hash.value
    }

    /// Whether another host has read what is still to come here; or the log forgot it, and that host is to claim.
    /// A host with more records of an earlier reign is not: the log forgot these before the later claim.
    func areAhead(of read: LogAnchor) -> Bool { marks.contains { length($0.anchor) > length(read) } }

    /// Whether another host has read a later claim.
    func haveClaimed(after read: LogAnchor) -> Bool { marks.contains { $0.anchor.reign > read.reign } }

    /// The mark of the host that has most of the log; nil where none is heard.
    var longest: Mark? { marks.max { length($0.anchor) < length($1.anchor) } }

    private func length(_ anchor: LogAnchor) -> (UInt64, UInt64) { (anchor.reign.number, anchor.sequence.number) }

    /// The host that would claim first if this one were gone; nil where there is none.
    var heir: HostID? {
        marks.max {
            let (one, other) = ($0.anchor, $1.anchor)
            return (one.reign, one.sequence, turn(of: $1.host)) < (other.reign, other.sequence, turn(of: $0.host))
        }?.host
    }
}
