import Names
import Pool

/// A log that changes its owner without a silence. The owner takes no more turns and says where the log ends; it is deposed by the claim of
/// the other, as by any claim. Where none comes, it goes on.
struct HandOver: Equatable, Sendable {
    var heir: HostID
    var since: Moment
    var isSaid = false
}

/// A word of an owner that waits to be deposed.
struct Calling: Equatable, Sendable {
    /// Last record of its log.
    var end: LogSequence
    var at: Moment
}

extension Replica {
    /// - Parameter heir: nil for the one that would claim first.
    mutating func handOver(to heir: HostID?) {
        guard standing == .owning, handOver == nil, let heir = heir ?? rivals.heir, peers.contains(heir) else { return }
        handOver = HandOver(heir: heir, since: now)
        rule()
    }

    /// Waits for the other's claim.
    mutating func yield(_ asked: HandOver) {
        guard now - limits.yielding <= asked.since else { return handOver = nil }
        guard !asked.isSaid, applied == read else { return }
        handOver?.isSaid = true
        effects.append(.call(asked.heir, end: read.sequence))
    }

    mutating func hearCall(_ end: LogSequence) {
        calling = Calling(end: end, at: now)
        if end > read.sequence { nextRead = min(nextRead, lastRead + limits.nudge) }
        considerClaim()
    }

    /// The owner waits for a claim, and all that it has is here.
    var isCalled: Bool {
        guard let calling else { return false }
        return now - limits.yielding <= calling.at && calling.end == read.sequence
    }

    /// An owner that gives its log to another host.
    package var isHandingOver: Bool { handOver != nil }
}
