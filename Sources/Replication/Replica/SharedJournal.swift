import Names
package import Pool

/// The one journal of a host with the logs of all partitions, where some of these cannot go on by reading: decides
/// when a copy of another host's journal is asked for, given, and taken in place of this one.
///
/// ```text
///  a log is lost ──▶ a better journal is heard ──▶ make way ──▶ that journal has all that others may take this host to
///                                                               have ──▶ copy ──▶ still making way ──▶ taken
/// ```
///
/// **A copy is a whole journal**, as its places are its own, and no log can be taken out of it. So a journal is better
/// than another one only if it has each log that goes on in the other one, and one more. A host with a lost log gives
/// a copy to no host in which that log goes on: that one may have the only journal of it. Where both have lost the log,
/// the copy costs nothing.
///
/// **Two hosts that have lost different logs** copy nothing of each other. Each log goes on with its owner, no host
/// makes way, and an owner trims nothing that it has alone. They wait for a host with a better journal; where none will
/// come, an operator begins the logs anew with one of the two journals, and the other host posts again what that one
/// lacks, as far as the engine still had it (the page `Replication`).
package struct SharedJournal {
    private let replicas: [Replica]

    /// - Parameter replicas: those of all partitions.
    package init(of replicas: [Replica]) { self.replicas = replicas }

    package enum Step: Equatable, Sendable {
        /// No better journal is heard, or this one has what a log lacks: logs that go on here are left alone.
        case wait
        /// Each replica is to make way. The copy begins later.
        case makeWay
        /// Each replica is to make way, and the copy begins, if none is on its way.
        case copy(from: HostID)
    }

    /// The step towards a copy that a lost replica asks for.
    package var step: Step {
        let better = (replicas.first?.peers ?? []).filter(isWorse)
        guard !better.isEmpty, replicas.allSatisfy(Self.hasNothingAlone) else { return .wait }
        let ready = better.filter { host in replicas.allSatisfy { $0.isLost || Self.isCovered($0, by: host) } }
        guard let most = ready.max(by: { rank(of: $0) < rank(of: $1) }) else { return .makeWay }
        return .copy(from: most)
    }

    package enum Fate: Equatable, Sendable {
        /// It takes the place of this journal now.
        case taken
        /// A turn is on its way, or events are still to be posted again.
        case kept
        /// It may lack records that others take this host to have, or that their log has no more. It is removed, and
        /// the next one is asked for.
        case dropped
    }

    /// Returns the fate of a copy that is whole.
    /// - Parameter start: the time at which it was asked for.
    package func fate(ofCopyFrom start: Moment) -> Fate {
        let isGood = replicas.allSatisfy { replica in
            guard let way = replica.gaveWay, way.since <= start else { return false }
            return replica.isLost || replica.trimming.last <= way.anchor.sequence
        }
        guard isGood else { return .dropped }
        return replicas.allSatisfy(Self.isReplaceable) ? .taken : .kept
    }

    /// Whether a copy of this journal is given to a host: each log goes on here, or those that do not are lost there,
    /// too, and one goes on that is lost there. Without a record it is no better than an empty disk.
    package func isGiven(to host: HostID) -> Bool {
        let sound = replicas.filter(Self.isSound)
        if sound.count == replicas.count { return true }
        guard sound.contains(where: { Self.isLost($0, at: host) }) else { return false }
        return replicas.allSatisfy { Self.isSound($0) || Self.isLost($0, at: host) }
    }

    /// Whether a host's journal is better, by its marks.
    private func isWorse(than host: HostID) -> Bool {
        guard replicas.contains(where: { $0.isLost && Self.anchor(of: $0, at: host) != nil }) else { return false }
        return replicas.allSatisfy { $0.isLost || Self.anchor(of: $0, at: host) != nil }
    }

    /// Returns the number of logs that a host has, and how much of the first one that is lost here.
    private func rank(of host: HostID) -> (Int, UInt64, UInt64) {
        let lost = replicas.first(where: \.isLost).flatMap { Self.anchor(of: $0, at: host) }
        let logs = replicas.count { Self.anchor(of: $0, at: host) != nil }
        return (logs, lost?.reign.number ?? 0, lost?.sequence.number ?? 0)
    }
}

// One log of it, here and at another host.
extension SharedJournal {
    /// Whether the journal has nothing that other hosts lack, but for a turn that is on its way.
    private static func hasNothingAlone(_ replica: Replica) -> Bool {
        if case .lost(let recovery) = replica.standing { return recovery.hasPosted }
        return replica.hasNoSurplus && replica.shortfall == nil
    }

    /// Whether the journal may be replaced, as far as this log goes: it has nothing that the log lacks, or its events
    /// were posted again.
    private static func isReplaceable(_ replica: Replica) -> Bool {
        if case .lost(let recovery) = replica.standing { return recovery.hasPosted }
        return replica.isWhole && replica.shortfall == nil && replica.pending?.kind != .turn
    }

    private static func isSound(_ replica: Replica) -> Bool { !replica.isLost && replica.applied.sequence > .zero }

    private static func mark(of replica: Replica, at host: HostID) -> Mark? {
        let (_, mark, before) = replica.marks.said(of: host, at: replica.now)
        guard let mark, let before, before <= replica.limits.freshness else { return nil }
        return mark
    }

    /// Whether a host has said that it cannot go on by reading. One that makes way can.
    private static func isLost(_ replica: Replica, at host: HostID) -> Bool {
        guard let mark = Self.mark(of: replica, at: host) else { return false }
        return mark.isLost && !mark.makesWay
    }

    /// Returns the last record that a host has of a log that goes on there; nil where it has none.
    private static func anchor(of replica: Replica, at host: HostID) -> LogAnchor? {
        guard let mark = Self.mark(of: replica, at: host), !mark.isLost, mark.anchor.sequence > .zero else {
            return nil
        }
        return mark.anchor
    }

    /// Whether a host has all that others may take this one to have, which is no more while it makes way. They may have
    /// trimmed all of that, as it is on this disk. Where they have trimmed more, this host is to make way anew.
    private static func isCovered(_ replica: Replica, by host: HostID) -> Bool {
        guard let own = replica.gaveWay?.anchor, replica.trimming.last <= own.sequence,
            let anchor = Self.anchor(of: replica, at: host)
        else { return false }
        return anchor.reign >= own.reign && anchor.sequence >= own.sequence
    }
}
