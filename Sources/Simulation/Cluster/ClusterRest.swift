import Replication

/// The test that a cluster has come to rest: everything is answered, every host follows or owns, and all are level.
/// Where a host has one journal, no host owns two partitions more than another.
struct ClusterRest {
    private let world: ClusterWorld

    init(_ world: ClusterWorld) { self.world = world }

    /// The reason why the cluster is not at rest; nil if it is.
    var unrest: String? {
        if world.producers.unanswered > 0 { return "\(world.producers.unanswered) events have no answer" }
        for host in world.hosts {
            guard let process = host.process else { return "host \(host.id) is down" }
            for (partition, replica) in process.replicas.enumerated() {
                let state = "host \(host.id), partition \(partition): \(replica.standing)"
                guard replica.standing == .following || replica.standing == .owning else { return state }
                let isIdle = process.desk.turns[partition] == nil && process.salvages[partition] == nil
                guard replica.door != .wait, isIdle else { return state + ", at work" }
            }
            guard !host.disks.contains(where: \.isBehind) else { return "host \(host.id) has turns that wait" }
        }
        for partition in world.partitions {
            let anchors = world.hosts.map { $0[partition].trail.last }
            guard anchors.allSatisfy({ $0.sequence == anchors[0].sequence }) else {
                return "partition \(partition) is not level"
            }
            guard world.hosts.count(where: { $0.process!.replicas[partition].standing == .owning }) == 1 else {
                return "partition \(partition) has no owner, or two"
            }
        }
        guard world.scenario.hasOneJournal else { return nil }
        let owned = world.hosts.map { host in host.process!.replicas.count { $0.standing == .owning } }
        return owned.max()! - owned.min()! > 1 ? "one host owns \(owned.max()!) partitions" : nil
    }

    /// The host whose journal a lost log begins anew with; nil while some host is away, or still reads.
    func longestStopped(_ partition: Int) -> Int? {
        let replicas = world.hosts.compactMap { $0.process?.replicas[partition] }
        guard replicas.count == world.hosts.count, replicas.allSatisfy({ $0.standing == .stopped || $0.isLost }) else {
            return nil
        }
        return replicas.indices.filter { !replicas[$0].isLost }.max {
            let (one, other) = (replicas[$0].read, replicas[$1].read)
            return (one.reign, one.sequence) < (other.reign, other.sequence)
        }
    }

    /// The hosts that are there, as far as one of them has heard, and lack records that it is about to trim.
    func hosts(that host: Int, knowsOf partition: Int, andLack place: LogSequence) -> [Int] {
        let heard = world.hosts[host].process!.heard[partition]
        return heard.keys.sorted().filter { name in
            let (other, at) = (world.hosts[name], heard[name]!)
            guard at + 7 * Length.second > world.now, !other.isEmpty, at > other.copied[partition, default: .start],
                !(other.process?.replicas[partition].isLost ?? false)
            else { return false }
            return other[partition].trail.last.sequence < place
        }
    }
}
