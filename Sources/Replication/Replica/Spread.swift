import Names
package import Pool

/// The choice of what a host gives to another one, so that all own about as many partitions: a host that came back
/// owns nothing, as the others have claimed what was its own.
///
/// ```text
///  owns most, and two more than another ──▶ that one was able for a minute ──▶ gives it one, and looks again
/// ```
///
/// One host gives at a time, the first by name of those that own most. Nobody gives while owners change for other
/// reasons, nor for a minute after that: an operator may have moved a partition, or a host be about to end. Hosts that
/// are not able in every partition take no part: they are gone, or lost, and neither give nor get anything.
///
/// It settles: each gift makes the numbers of two hosts more equal, and a host that does not take its gift is asked
/// again a minute later, as each try costs a partition a second.
package struct Spread: Equatable, Sendable {
    /// A partition as a host sees it.
    package struct Part: Equatable, Sendable {
        package var owner: HostID?
        /// Whether this host owns it, and may give it away now.
        package var isFree: Bool
        /// The other hosts that have its log, up to about its end.
        package var able: Set<HostID>

        package init(owner: HostID?, isFree: Bool, able: Set<HostID>) {
            (self.owner, self.isFree, self.able) = (owner, isFree, able)
        }
    }

    /// A partition, and the host that is to own it.
    package struct Gift: Equatable, Sendable {
        package var partition: Partition
        package var heir: HostID
        package init(_ partition: Partition, to heir: HostID) { (self.partition, self.heir) = (partition, heir) }
    }

    private let host: HostID
    private let hosts: [HostID]
    /// The time for which a host has been able, and owners have been as they are, before it is given anything.
    private let patience: Duration
    /// The time since which each other host was able in all partitions.
    private var able: [HostID: Moment] = [:]
    private var owners: [HostID?] = []
    /// The time at which an owner changed last for another reason than a gift of this host.
    private var changed: Moment
    /// The last gift, until its outcome is known.
    private var last: Gift?
    private var next: Moment
    /// The number of gifts so far: one that fails is tried with another partition.
    private var count = 0

    /// The patience of a deployment.
    package static let patience = Duration.seconds(60)
    /// The pause after a gift, which takes a second at most.
    package static let pause = Duration.seconds(3)

    package init(
        of host: HostID, among hosts: [HostID], patience: Duration = Spread.patience, at now: Moment
    ) {
        (self.host, self.hosts, self.patience) = (host, hosts, patience)
        (changed, next) = (now, now)
    }

    /// Looks at all partitions, in order.
    /// - Returns: what is to be given now.
    package mutating func gift(of parts: [Part], at now: Moment) -> Gift? {
        note(parts, at: now)
        guard now >= next, now - patience >= changed, !parts.contains(where: { $0.owner == nil }) else {
            return nil
        }
        var owned: [HostID: Int] = [:]
        for one in hosts where one == host || able[one] != nil { owned[one] = parts.count { $0.owner == one } }
        let most = owned.values.max() ?? 0
        guard owned.filter({ $0.value == most }).keys.min() == host else { return nil }
        let ripe = able.filter { now - patience >= $0.value }.keys
        let heir = ripe.min { (owned[$0] ?? 0, $0) < (owned[$1] ?? 0, $1) }
        let free = parts.indices.filter { parts[$0].isFree && parts[$0].owner == host }
        guard let heir, most - (owned[heir] ?? 0) > 1, !free.isEmpty else { return nil }
        let gift = Gift(Partition(UInt16(free[count % free.count])), to: heir)
        (last, next, count) = (gift, now + Self.pause, count + 1)
        return gift
    }

    private mutating func note(_ parts: [Part], at now: Moment) {
        for other in hosts where other != host {
            let isAble = parts.allSatisfy { $0.able.contains(other) || $0.owner == other }
            able[other] = isAble ? able[other] ?? now : nil
        }
        let before = owners
        owners = parts.map(\.owner)
        guard before.count == owners.count else { return changed = now }
        for (place, owner) in owners.enumerated() where owner != before[place] {
            if let last, Int(last.partition.number) == place, last.heir == owner {
                self.last = nil
            } else {
                changed = now
            }
        }
        guard let failed = last, now >= next else { return }
        last = nil
        // It may not hear this host, or not reach the engine.
        if able[failed.heir] != nil { able[failed.heir] = now }
    }
}

extension Spread.Part {
    /// The most records that a host may lack to own the partition at once.
    private static let lag: UInt64 = 64

    /// Describes the partition as the host of a replica sees it.
    package init(_ replica: Replica) {
        let applied = replica.applied
        let able = replica.hearsay.filter { _, mark, before in
            guard let mark, let before, before <= replica.limits.freshness, !mark.isLost else { return false }
            // The mark may be from before the last claim.
            return mark.anchor.sequence.number + Self.lag >= applied.sequence.number
        }
        // A lost replica reads no more, and so it knows of no later claim.
        self.init(
            owner: replica.isLost ? nil : applied.owner,
            isFree: replica.standing == .owning && replica.door != .busy && !replica.isHandingOver,
            able: Set(able.map(\.host)))
    }
}
