import Names
import Pool

/// A change of owner without a silence. The owner takes no more turns, and says where the log ends; the claim of the
/// other deposes it, as any claim does. Where none comes, it goes on.
struct HandOver: Equatable, Sendable {
    var heir: HostID
    var since: Moment
    var isSaid = false
}

/// A call from an owner that waits to be deposed.
struct Calling: Equatable, Sendable {
    /// The last record of its log.
    var end: LogSequence
    var at: Moment

    /// Whether the owner still waits, for a host that has all of its log.
    func isFor(_ read: LogAnchor, within patience: Duration, at now: Moment) -> Bool {
        now - patience <= at && end == read.sequence
    }
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

    /// Gives the log away, and claims it no more as long as another host is there: this journal is replaced by one that
    /// may have less of it, and what it has no more is read again.
    mutating func makeWay() {
        guard !isLost, !makesWay else { return }
        makesWay = true
        handOver(to: nil)
    }

    mutating func hearCall(_ end: LogSequence) {
        calling = Calling(end: end, at: now)
        if end > read.sequence { nextRead = min(nextRead, lastRead + limits.nudge) }
        considerClaim()
    }

    /// Whether an owner waits for the claim of this host, which has all of its log.
    var isCalled: Bool { calling?.isFor(read, within: limits.yielding, at: now) ?? false }

    /// Whether this owner gives its log to another host.
    package var isHandingOver: Bool { handOver != nil }
}
