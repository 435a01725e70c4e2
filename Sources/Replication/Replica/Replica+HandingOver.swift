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

    /// Gives the log away, and lets others go first, as this journal is to be replaced by one that may have less of it;
    /// the rest is read again. A journal that has what the log lacks is not to be replaced.
    mutating func makeWay() {
        guard hasNoSurplus, shortfall == nil else { return }
        // Others keep the log for a copy, and not for ever. It counts for a moment, so that they keep it for the next.
        if let way = gaveWay, trimming.last > way.anchor.sequence {
            self.way = nil
            return effects.append(.tell(mark))
        }
        var way = gaveWay ?? MakingWay(behind: applied, at: now)
        let offers = way.renew(at: now, limits)
        self.way = way
        guard offers else { return }
        handOver(to: nil)
        effects.append(.tell(mark))
    }

    /// The time in which others do not count on this journal; nil where they do.
    var gaveWay: MakingWay? { way.flatMap { $0.holds(at: now) ? $0 : nil } }

    /// Whether the journal may be replaced because of another log: others own this one meanwhile, and keep it.
    var makesWay: Bool { !isLost && gaveWay != nil }

    /// The time for which a host that makes way leaves a claim to those that are there. Maybe none of them reaches the
    /// engine.
    var courtesy: Duration { makesWay && !rivals.marks.isEmpty ? limits.solitude : .zero }

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
